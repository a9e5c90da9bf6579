/** For the room's tests: a spool in a directory of its own, entries, and a sink that remembers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, type Log, UnstorableError } from '../common/index.ts';
import { openTestDatabases } from '../database/testing.ts';
import { openSpool, type SpoolOptions } from './file/open.ts';
import { GroupPacker } from './pack.ts';
import type { GroupMessage } from './port.ts';
import { openPostgresSpool } from './postgres/open.ts';
import type { Spool } from './spool.ts';
import type { Batch, BatchSink, SpoolEntry, SpoolRow } from './types.ts';

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };

export interface TestSpool {
  readonly directory: string;
  open(options?: Partial<SpoolOptions>): Promise<Spool>;
  dispose(): void;
}

export function testSpool(): TestSpool {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-spool-'));
  return {
    directory,
    open: (options = {}) => openSpool({ directory, maxBytes: 1e9, clock: Date.now, log: silent, ...options }),
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export function row(n: number | string, options: Partial<SpoolRow> = {}): SpoolRow {
  return {
    line: JSON.stringify({ n, text: 'ü💡' }),
    month: '202611',
    dedupKey: null,
    label: 'ai_bot',
    ...options,
  };
}

export function entry(rows: readonly SpoolRow[], options: Partial<SpoolEntry> = {}): SpoolEntry {
  return {
    endpoint: 'edge_worker',
    received: rows.length,
    rows,
    dropped: {},
    rejected: {},
    quarantine: [],
    ...options,
  };
}

/** Requests as the spool packs them. */
export function packGroup(entries: readonly SpoolEntry[]): Omit<GroupMessage, 'at'> {
  const packer = new GroupPacker();
  for (const one of entries) packer.add(one);
  return packer.finish();
}

/** A place for a spool: closed and opened again it is the same node after a restart. */
export interface TestPlace {
  open(options?: { readonly clock?: Clock; readonly maxBytes?: number }): Promise<Spool>;
  dispose(): Promise<void>;
}

/** Call it once per file, at the top, and `close` in `afterAll`. */
export async function testBackends(): Promise<{
  readonly backends: readonly {
    readonly name: string;
    readonly shared: boolean;
    readonly fresh: () => Promise<TestPlace>;
  }[];
  close(): Promise<void>;
}> {
  const databases = await openTestDatabases();
  const server = databases.backends.find(({ name }) => name === 'postgres');
  return {
    backends: [
      {
        name: 'file',
        shared: false,
        async fresh() {
          const place = testSpool();
          return { open: place.open, dispose: async () => place.dispose() };
        },
      },
      {
        name: 'postgres',
        shared: true,
        async fresh() {
          if (server === undefined) throw new Error('there is no PostgreSQL');
          const database = await server.fresh({ empty: true });
          return {
            open: (options = {}) => openPostgresSpool({ ...nodeOptions(database.url ?? ''), ...options }),
            dispose: () => database.remove(),
          };
        },
      },
    ],
    close: databases.close,
  };
}

/** @param node two of different names are two nodes */
export const nodeOptions = (url: string, node = 'node-1') => ({
  ...{ url, node, maxBytes: 1e9, clock: Date.now, log: silent },
  ...{ leaseMs: 1_500, lookMs: 50 },
});

/** A warehouse in memory that can be set to be down, to confirm slowly, or to refuse a row. */
export class RecordingSink implements BatchSink {
  readonly batches = new Map<string, string[]>();
  readonly attempts: number[] = [];
  readonly months: string[] = [];
  away = false;
  /** Stores the batch but fails to say so, this many times. */
  loseAnswers = 0;
  poison: string | null = null;
  /** Which lines another node has stored. */
  elsewhere: (line: string) => boolean = () => false;
  inserts = 0;

  async insert(batch: Batch): Promise<void> {
    this.inserts += 1;
    this.attempts.push(batch.attempt);
    this.months.push(batch.month);
    if (this.away) throw new Error('the warehouse is down');
    const text = Buffer.from(batch.body).toString('utf8');
    if (this.poison !== null && text.includes(this.poison)) throw new UnstorableError('cannot parse');
    if (!text.endsWith('\n') || text.includes('\n\n') || text.startsWith('\n'))
      throw new Error('an empty line');
    const lines = text.trimEnd().split('\n');
    if (lines.length !== batch.rows) throw new Error(`${batch.rows} rows announced, ${lines.length} came`);
    if (this.batches.has(batch.id)) throw new Error('inserted twice');
    this.batches.set(batch.id, lines);
    if (this.loseAnswers > 0) {
      this.loseAnswers -= 1;
      throw new Error('the connection broke');
    }
  }

  async duplicates({ body }: Batch): Promise<number[]> {
    const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n');
    return lines.flatMap((line, index) => (this.elsewhere(line) ? [index] : []));
  }

  async count({ id }: Pick<Batch, 'id'>): Promise<number> {
    if (this.away) throw new Error('the warehouse is down');
    return this.batches.get(id)?.length ?? 0;
  }

  /** The `n` of every stored row. */
  stored(): (number | string)[] {
    return [...this.batches.values()].flat().map((line) => (JSON.parse(line) as { n: number | string }).n);
  }
}
