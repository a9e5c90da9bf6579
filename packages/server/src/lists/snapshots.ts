/** The room's rows: one per source with its last good reading, and one that is the published list itself. Installation-wide. */
import type { BotLists } from '@ghostlight/core';
import { validateLists } from '@ghostlight/core';
import { type Audit, audit, type Database, type Row } from '../database/index.ts';
import type { CustomBot } from './custom-bots.ts';
import type { Reading, Snapshot } from './read-source.ts';

const PUBLICATION = 'publication';
const CUSTOM = 'custom';
const SOURCE_PREFIX = 'source:';

/** How a source stands, for the dashboard and `doctor`. Times are epoch milliseconds. */
export interface SourceState {
  /** Prefixes or keys of the last good reading; in a source's status, of the embedded copy until there is one. */
  readonly entries: number;
  /** Entries of it that were unusable. */
  readonly skipped: number;
  /** When it was last read well; null: never, the copy that travels with the code is in use. */
  readonly fetchedAt: number | null;
  readonly checkedAt: number;
  /** Error code of the last attempt; null: it succeeded. */
  readonly error: string | null;
}

export interface StoredSource extends SourceState {
  readonly snapshot: Snapshot | null;
}

export interface StoredPublication {
  readonly lists: BotLists;
  /** SHA-256 (hex) of the content without version and time. */
  readonly digest: string;
  /** Version of the embedded lists that it was made from: an older node must not undo a newer one's patterns. */
  readonly embedded: number;
}

export interface SnapshotStore {
  sources(): Promise<Map<string, StoredSource>>;
  /** Changes with every good reading of one of the sources; empty before the first. */
  readingStamp(ids: readonly string[]): Promise<string>;
  /** A failed reading keeps the current list and records only its error code. */
  saveReading(id: string, reading: Reading, at: number): Promise<void>;
  /** Version and digest alone: what the poll asks. */
  publishedDigest(): Promise<string | null>;
  publication(): Promise<StoredPublication | null>;
  publish(publication: StoredPublication, at: number): Promise<void>;
  customBots(): Promise<readonly CustomBot[]>;
  /** Under the lock of the publication; with its audit row, in one transaction. */
  saveCustomBots(bots: readonly CustomBot[], change: Audit): Promise<void>;
}

export function createSnapshotStore(database: Database): SnapshotStore {
  const row = (kind: string) =>
    database.reader.selectFrom('list_snapshots').selectAll().where('kind', '=', kind).executeTakeFirst();

  const save = async (values: Row<'list_snapshots'>, db = database.kysely): Promise<void> => {
    const { kind: _, ...changes } = values;
    await db
      .insertInto('list_snapshots')
      .values(values)
      .onConflict((conflict) => conflict.column('kind').doUpdateSet(changes))
      .execute();
  };

  return {
    async sources() {
      const rows = await database.reader
        .selectFrom('list_snapshots')
        .selectAll()
        .where('kind', 'like', `${SOURCE_PREFIX}%`)
        .limit(1_000)
        .execute();
      return new Map(rows.map((found) => [found.kind.slice(SOURCE_PREFIX.length), toSource(found)]));
    },
    async readingStamp(ids) {
      if (ids.length === 0) return '';
      const rows = await database.reader
        .selectFrom('list_snapshots')
        .select(['kind', 'version'])
        .where(
          'kind',
          'in',
          ids.map((id) => SOURCE_PREFIX + id),
        )
        .orderBy('kind')
        .execute();
      return rows.map(({ kind, version }) => `${kind}@${version}`).join(' ');
    },
    async saveReading(id, reading, at) {
      const kind = SOURCE_PREFIX + id;
      const before = await row(kind);
      const old = before === undefined ? null : toSource(before);
      const good = 'snapshot' in reading;
      await save({
        kind,
        version: good ? (before?.version ?? 0) + 1 : (before?.version ?? 0),
        body: good ? JSON.stringify(reading.snapshot) : (before?.body ?? ''),
        fetched_at: good ? at : (before?.fetched_at ?? 0),
        etag: null,
        source_status: JSON.stringify({
          checked_at: at,
          entries: good ? reading.entries : (old?.entries ?? 0),
          skipped: good ? reading.skipped : (old?.skipped ?? 0),
          error: good ? null : reading.error,
        }),
      });
    },
    async publishedDigest() {
      const found = await database.reader
        .selectFrom('list_snapshots')
        .select('etag')
        .where('kind', '=', PUBLICATION)
        .executeTakeFirst();
      return found?.etag ?? null;
    },
    async publication() {
      const found = await row(PUBLICATION);
      return found === undefined ? null : toPublication(found);
    },
    async customBots() {
      const found = await row(CUSTOM);
      return found === undefined ? [] : (JSON.parse(found.body) as CustomBot[]);
    },
    saveCustomBots: (bots, change) =>
      database.kysely.transaction().execute(async (trx) => {
        const { at } = change;
        const body = JSON.stringify(bots);
        await save(
          { kind: CUSTOM, version: bots.length, body, fetched_at: at, etag: null, source_status: null },
          trx,
        );
        await audit(trx, change);
      }),
    publish: ({ lists, digest, embedded }, at) =>
      save({
        kind: PUBLICATION,
        version: lists.version,
        body: JSON.stringify(lists),
        fetched_at: at,
        etag: digest,
        source_status: JSON.stringify({ embedded }),
      }),
  };
}

function toSource(row: Row<'list_snapshots'>): StoredSource {
  const status = JSON.parse(row.source_status ?? '{}') as Record<string, unknown>;
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    snapshot: row.body === '' ? null : (JSON.parse(row.body) as Snapshot),
    fetchedAt: row.fetched_at === 0 ? null : row.fetched_at,
    checkedAt: number(status['checked_at']),
    entries: number(status['entries']),
    skipped: number(status['skipped']),
    error: typeof status['error'] === 'string' ? status['error'] : null,
  };
}

/** A damaged or foreign row counts as absent: it is published again. */
function toPublication(row: Row<'list_snapshots'>): StoredPublication | null {
  const validation = validateLists(JSON.parse(row.body));
  if (!('lists' in validation)) return null;
  const { embedded } = JSON.parse(row.source_status ?? '{}') as { embedded?: number };
  return { lists: validation.lists, digest: row.etag ?? '', embedded: embedded ?? 0 };
}
