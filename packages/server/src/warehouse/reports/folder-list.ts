/** What AI bots read, by folder. */
import { IN_PERIOD, type ReportQuery } from './facts.ts';
import { type ListSpec, text } from './list.ts';
import {
  BOTS,
  BY_INTENT,
  type ByIntent,
  CHANGE,
  ESTIMATED_BY_INTENT,
  type EstimatedByIntent,
  FIGURES,
  FILES,
  type Figures,
  PAGES,
} from './measures.ts';
import {
  COMPARED_READS,
  inItsPeriod,
  LIST_OF_PATHS,
  OF_KIND,
  PAGE_NUMBER,
  PATH_COLUMNS,
  type PathKind,
  type PathRow,
  type RowNumber,
  readBy,
} from './path-kinds.ts';
import type { Lost, Named, ReadPaths } from './read-paths.ts';

export interface FolderRow extends Figures, ByIntent, EstimatedByIntent, PathRow {
  readonly folder: string;
  /** 1: all that lies below; 0: a page or a file. */
  readonly is_folder: number;
  /** 0 where the list is of the other kind. */
  readonly pages: number;
  readonly files: number;
  readonly bots: number;
}

/** Where the name below the folder ends, 0 for a page or a file: in bytes, as `substring` counts. */
const SLASH = "position(f.path, '/', length({prefix:String}) + 1)";
const FOLDER = `substring(f.path, 1, if(${SLASH} = 0, length(f.path), ${SLASH}))`;

/**
 * Only visits to what was read, in the period or the one before, each for itself. For what is added up over several paths: a row of one
 * path says it of itself. Spoofed visits that are not counted stay where any visit read, theirs too: they are a separate figure.
 */
const ofRead = (query: ReportQuery, kind: PathKind, number: RowNumber): string => {
  const key = inItsPeriod(query, number.sql);
  const among = (by: ReportQuery) => `${key} IN (${readBy(by, kind, number, key)})`;
  const besides =
    query.population === 'all' ? '' : ` OR (NOT f.counted AND ${among({ ...query, population: 'all' })})`;
  return `${OF_KIND[kind]} AND ((f.counted AND ${among(query)})${besides})`;
};

/** The same where what only failed is known by its number; a path that spoofed visits alone read is theirs. */
const besideUnread = (lost: Named<Lost>, unread: Named<readonly string[]>): string =>
  [
    lost === 'none'
      ? 'true'
      : `(NOT f.counted OR NOT if(${IN_PERIOD}, f.page IN {lost_now:Array(UInt64)}, f.page IN {lost_before:Array(UInt64)}))`,
    unread === 'none' ? 'true' : '(f.counted OR f.page NOT IN {unread:Array(UInt64)})',
  ].join(' AND ');

const namesOf = (lost: Named<Lost>, unread: Named<readonly string[]>): Record<string, bigint[]> => ({
  ...(typeof lost === 'string'
    ? {}
    : { lost_now: lost.now.map(BigInt), lost_before: lost.before.map(BigInt) }),
  ...(typeof unread === 'string' ? {} : { unread: unread.map(BigInt) }),
});

/**
 * The children of a folder: folders below it, each with all that lies in it, and its own pages.
 * @param prefix ends with `/`
 * @param paths of the kind, where they were asked for before: each row then needs no look at what was read
 */
export function folderList(prefix: string, kind: PathKind, query: ReportQuery, paths?: ReadPaths): ListSpec {
  const { lost, unread } = paths ?? { lost: 'many', unread: 'many' };
  const isNamed = lost !== 'many' && unread !== 'many';
  const read = isNamed
    ? `${OF_KIND[kind]} AND ${besideUnread(lost, unread)}`
    : ofRead(query, kind, PAGE_NUMBER);
  const where = `startsWith(f.path, {prefix:String}) AND ${kind === 'all' ? 'true' : read}`;
  return {
    ...LIST_OF_PATHS,
    reads: PATH_COLUMNS,
    where,
    params: { prefix, ...(isNamed ? namesOf(lost, unread) : {}) },
    keys: {
      folder: text(FOLDER),
      is_folder: { sql: `toUInt32(any(${SLASH} > 0))`, type: 'UInt32' },
    },
    // A folder's name ends with a slash behind the prefix, a path's doesn't.
    by: { folder: FOLDER },
    measures: {
      ...FIGURES,
      ...BY_INTENT,
      ...ESTIMATED_BY_INTENT,
      bots: BOTS,
      pages: PAGES,
      files: FILES,
      ...COMPARED_READS,
    },
    // A path that doesn't begin so may be cut to the same name.
    number: {
      sql: `cityHash64(${FOLDER}, ${SLASH} > 0)`,
      reads: ['path', ...PAGE_NUMBER.reads, 'asset'],
      where,
    },
    derived: { change: CHANGE, errors: 'client_errors + server_errors' },
    sorts: {
      hits: 'hits',
      path: 'folder',
      bots: 'bots',
      pages: 'pages + files',
      last_seen: 'last_at',
      errors: 'errors',
      change: 'change',
    },
  };
}
