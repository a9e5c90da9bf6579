/** The pages that a sitemap names, beside what was read of them. */
import type { Warehouse } from '../warehouse.ts';
import { LAST } from './aggregates.ts';
import { isAsset } from './assets.ts';
import { pageNumber } from './daily-tables.ts';
import { NOW } from './dimensions.ts';
import { askFacts, facts, type ReportQuery } from './facts.ts';
import { IS_READ } from './measures.ts';
import type { PathKind } from './path-kinds.ts';

export interface SitemapPage {
  readonly host: string;
  readonly path: string;
}

/** Lines of one insert stay below what the embedded backend takes at once. */
const INSERT_BYTES = 4 * 1024 * 1024;

/** Stores a reading under a version of its own, which no query reads before it is published. @param pages at most 50,000 */
export async function storeSitemap(
  warehouse: Warehouse,
  scope: { readonly organizationId: string; readonly attributionId: string },
  version: number,
  pages: readonly SitemapPage[],
): Promise<void> {
  const insert = async (lines: readonly string[]) =>
    await warehouse.insertRows('sitemap_pages', { async_insert: 0 }, Buffer.from(lines.join('')));
  const { organizationId: organization_id, attributionId: attribution_id } = scope;
  let lines: string[] = [];
  let bytes = 0;
  for (const { host, path } of pages) {
    const line = `${JSON.stringify({ organization_id, attribution_id, version, host, path })}\n`;
    if (bytes + line.length * 3 > INSERT_BYTES) {
      await insert(lines);
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += line.length * 3;
  }
  if (lines.length > 0) await insert(lines);
}

/** Removes the readings of a property that are older than a version, or one alone: a later one may be under way. */
export async function removeSitemaps(
  warehouse: Warehouse,
  scope: { readonly organizationId: string; readonly attributionId: string },
  which: { readonly before: number } | { readonly only: number },
): Promise<void> {
  const [compared, version] = 'before' in which ? ['<', which.before] : ['=', which.only];
  await warehouse.command(
    {
      sql: `DELETE FROM sitemap_pages
WHERE organization_id = {organization:UUID} AND attribution_id = {property:UUID} AND version ${compared} {version:UInt64}`,
      params: { organization: scope.organizationId, property: scope.attributionId, version },
      settings: { lightweight_deletes_sync: 1 },
    },
    'report',
  );
}

const PAGE = pageNumber('host', 'path');
const SITEMAP = `SELECT s.host AS host, s.path AS path FROM sitemap_pages AS s
  WHERE s.organization_id = {organization:UUID} AND s.attribution_id = {property:UUID} AND s.version = {version:UInt64}`;

/** Of the sitemap what was read in the period: never more rows than the sitemap has, whatever was read besides. */
const read = (query: ReportQuery) => `SELECT f.page FROM ${facts(['page', 'status'], query, ['ai_bot'])}
  WHERE ${NOW} AND ${IS_READ} AND f.page IN (SELECT ${PAGE} FROM (${SITEMAP}))`;

/** What the sitemap itself calls nothing but an address. */
const OF_KIND: Readonly<Record<PathKind, string>> = {
  page: `AND NOT ${isAsset('path')}`,
  file: `AND ${isAsset('path')}`,
  all: '',
};

const matching = ({ filter: { path, page, host } }: ReportQuery): string => {
  return [
    path === undefined ? '' : 'AND startsWith(path, {path:String})',
    page === undefined ? '' : 'AND path = {page:String}',
    host === undefined ? '' : 'AND host = lower({host:String})',
  ].join(' ');
};

export interface UnreadPage extends SitemapPage {
  /** Epoch milliseconds; 0: never. */
  readonly last_read_at: number;
  /** Whatever was answered. */
  readonly last_asked_at: number;
  /** Of that request. */
  readonly last_status: number;
}
type LastAsked = Omit<UnreadPage, keyof SitemapPage>;

interface Slice {
  readonly kind: PathKind;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/**
 * By path.
 * @param history the same property over all days of which something is kept, for when each was read last
 */
export async function unreadPages(
  warehouse: Warehouse,
  query: ReportQuery,
  history: ReportQuery,
  version: number,
  slice: Slice,
  signal?: AbortSignal,
): Promise<UnreadPage[]> {
  const pages = await unread(warehouse, query, version, slice, signal);
  if (pages.length === 0) return [];
  const paths = pages.map(({ path }) => path);
  return withLastAsked(pages, await lastAsked(warehouse, history, version, paths, signal));
}

const EXPORT_PAGE_ROWS = 10_000;

/** All of them by path, a page at a time. */
export async function* exportUnread(
  warehouse: Warehouse,
  query: ReportQuery,
  history: ReportQuery,
  version: number,
  kind: PathKind,
  signal?: AbortSignal,
): AsyncGenerator<readonly UnreadPage[]> {
  const before = await lastAsked(warehouse, history, version, null, signal);
  for (let offset = 0; ; offset += EXPORT_PAGE_ROWS) {
    const slice = { kind, order: 'asc', limit: EXPORT_PAGE_ROWS, offset } as const;
    const pages = await unread(warehouse, query, version, slice, signal);
    if (pages.length > 0) yield withLastAsked(pages, before);
    if (pages.length < EXPORT_PAGE_ROWS) return;
  }
}

export interface SitemapCounts {
  /** Of the sitemap, as far as the filter leaves them. */
  readonly pages: number;
  readonly files: number;
  readonly unread_pages: number;
  readonly unread_files: number;
}

/** What the sitemap names, and how much of it no AI bot read. */
export async function countUnread(
  warehouse: Warehouse,
  query: ReportQuery,
  version: number,
  signal?: AbortSignal,
): Promise<SitemapCounts> {
  const isUnread = `${PAGE} NOT IN (${read(query)})`;
  const [row] = await askFacts<SitemapCounts>(
    warehouse,
    query,
    `SELECT countIf(NOT is_file) AS pages, countIf(is_file) AS files,
  countIf(is_unread AND NOT is_file) AS unread_pages, countIf(is_unread AND is_file) AS unread_files
FROM (SELECT ${isAsset('path')} AS is_file, ${isUnread} AS is_unread FROM (${SITEMAP}) WHERE true ${matching(query)})`,
    signal,
    { version },
  );
  return row ?? { pages: 0, files: 0, unread_pages: 0, unread_files: 0 };
}

async function unread(
  warehouse: Warehouse,
  query: ReportQuery,
  version: number,
  { kind, order, limit, offset }: Slice,
  signal: AbortSignal | undefined,
): Promise<SitemapPage[]> {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  return await askFacts<SitemapPage>(
    warehouse,
    query,
    `SELECT toString(host) AS host, path FROM (${SITEMAP})
WHERE ${PAGE} NOT IN (${read(query)}) ${OF_KIND[kind]} ${matching(query)}
ORDER BY path ${direction}, host ${direction} LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    signal,
    { version, limit, offset },
  );
}

/** When pages of the sitemap were requested and read last. @param paths null: all of them, at most as many as the sitemap has */
async function lastAsked(
  warehouse: Warehouse,
  history: ReportQuery,
  version: number,
  paths: readonly string[] | null,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, LastAsked>> {
  const rows = await askFacts<SitemapPage & LastAsked>(
    warehouse,
    history,
    `SELECT toString(any(f.host)) AS host, any(f.path) AS path,
  ${LAST.where(IS_READ)} AS last_read_at, ${LAST.all} AS last_asked_at,
  argMax(f.status, f.last_at) AS last_status
FROM ${facts(['host', 'path', 'page', 'status', 'last_at'], history, ['ai_bot'])}
WHERE f.page IN (SELECT ${PAGE} FROM (${SITEMAP}) ${paths === null ? '' : 'WHERE path IN {paths:Array(String)}'})
GROUP BY f.page`,
    signal,
    { version, ...(paths === null ? {} : { paths }) },
  );
  return new Map(rows.map(({ host, path, ...last }) => [`${host}${path}`, last]));
}

const NEVER: LastAsked = { last_read_at: 0, last_asked_at: 0, last_status: 0 };
const withLastAsked = (pages: readonly SitemapPage[], last: ReadonlyMap<string, LastAsked>): UnreadPage[] =>
  pages.map((page) => ({ ...page, ...(last.get(`${page.host}${page.path}`) ?? NEVER) }));
