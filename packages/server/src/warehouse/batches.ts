/** The shipper's side of the warehouse: whole batches, once each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UnstorableError } from '../common/index.ts';
import { storedBefore, storedElsewhere } from './duplicates.ts';
import { ACCESS_DENIED, exceptionCode, refusesRows } from './errors.ts';
import type { Settings } from './statement.ts';
import type { Standing, Warehouse } from './warehouse.ts';

/** One insert; the spool's `Batch`. */
export interface RowBatch {
  /** UUID, the `batch` column of every row. */
  readonly id: string;
  /** On one engine part of the deduplication token, so that a fresh attempt is never taken for the one that a crash swallowed. */
  readonly attempt: number;
  /** `YYYYMM`, the partition. */
  readonly month: string;
  readonly rows: number;
  /** JSONEachRow lines as `toRow` makes them, each ended by a line feed; some MiB. */
  readonly body: Uint8Array;
}

/** The spool's `BatchSink`. */
export interface RowSink {
  /** @throws UnstorableError when the rows are refused; any other error: count, then try again */
  insert(batch: RowBatch): Promise<void>;
  /** Rows of the batch that are stored, as far as that is known; waits first for an insert of it that may still be running. */
  count(batch: Pick<RowBatch, 'id' | 'month'>): Promise<number>;
  /** Numbers of the lines that must not be stored. */
  duplicates?(batch: RowBatch): Promise<number[]>;
  /** Different rows of the batch that are stored; asked after `count`. */
  distinct?(batch: Pick<RowBatch, 'id' | 'month'>): Promise<number>;
  /** Numbers of the lines whose row is not stored. */
  missing?(batch: RowBatch): Promise<number[]>;
  /** Numbers of the lines that are older than they are kept. */
  outlived?(batch: RowBatch): Promise<number[]>;
}

/** How long a count waits for a running insert, milliseconds; then it fails and is asked again later. */
const RUNNING_INSERT_WAIT_MS = 30_000;
/** A server ends an insert by itself after this many seconds, or the quorum gives up on it: before the client does. */
const INSERT_SECONDS = 50;
/** Where running statements can't be seen, an insert is over after this; milliseconds. */
const INSERT_OVER_MS = 75_000;
const LINE_FEED = 0x0a;
const OPENING_BRACE = 0x7b;

/** @param options.shared other nodes write to this warehouse too: hits are looked up there before a batch is inserted */
export function hitSink(warehouse: Warehouse, options: { shared: boolean } = { shared: false }): RowSink {
  return {
    ...tableSink(warehouse, 'hits'),
    async duplicates(batch) {
      const before = await storedBefore(warehouse, batch);
      const elsewhere = options.shared ? await storedElsewhere(warehouse, batch) : [];
      return [...new Set([...before, ...elsewhere])].sort((a, b) => a - b);
    },
  };
}

/** Browser events; repetitions were told apart before they came here. @param leaveOut lines that are not to be stored any more */
export function eventSink(warehouse: Warehouse, leaveOut: (batch: RowBatch) => Promise<number[]>): RowSink {
  return { ...tableSink(warehouse, 'events'), duplicates: leaveOut };
}

function tableSink(
  warehouse: Warehouse,
  table: 'hits' | 'events',
): Pick<RowSink, 'insert' | 'count' | 'distinct' | 'missing'> {
  const attempts = new Attempts();
  /** What is stored of a batch. */
  const ask = async <Row>(
    columns: string,
    { id, month }: Pick<RowBatch, 'id' | 'month'>,
    isReplicated: boolean,
  ): Promise<Row[]> =>
    await warehouse.rows<Row>('write', {
      sql: `SELECT ${columns} FROM ${table}
WHERE batch = {batch:UUID} AND toYYYYMM(at) = {month:UInt32}`,
      params: { batch: id, month: Number(month) },
      settings: { max_execution_time: 30, ...(isReplicated ? { select_sequential_consistency: 1 } : {}) },
    });
  return {
    async insert(batch) {
      const body = withBatch(batch, table === 'hits' ? `"stored_at":${warehouse.clock()},` : '');
      const settings = INSERT_SETTINGS[await warehouse.standing()](batch);
      attempts.begin(batch.id);
      try {
        await warehouse.insertRows(
          table,
          {
            // The answer means "the part is on disk"; with async_insert it would mean "in a queue".
            async_insert: 0,
            // Lines of an older node lack newer columns, lines of a newer node have more: both are taken.
            input_format_skip_unknown_fields: 1,
            input_format_defaults_for_omitted_fields: 1,
            ...settings,
          },
          body,
        );
      } catch (error) {
        if (!refusesRows(error)) throw error;
        throw new UnstorableError(reasonOf(error), { cause: error });
      }
      attempts.end(batch.id);
    },
    async count(batch) {
      const replicated = (await warehouse.standing()) === 'replicated';
      if (replicated) await warehouse.syncReplica(table);
      else await insertIsOver(warehouse, batch.id, attempts);
      const [row] = await ask<{ n: string }>('toString(count()) AS n', batch, replicated);
      return Number(row?.n ?? 0);
    },
    async distinct(batch) {
      const replicated = (await warehouse.standing()) === 'replicated';
      const [row] = await ask<{ n: string }>('toString(uniqExact(id)) AS n', batch, replicated);
      return Number(row?.n ?? 0);
    },
    async missing(batch) {
      const replicated = (await warehouse.standing()) === 'replicated';
      const stored = new Set((await ask<{ id: string }>('id', batch, replicated)).map(({ id }) => id));
      return idsOf(batch.body).flatMap((id, line) => (stored.has(id) ? [] : [line]));
    },
  };
}

/** Of each line. */
function idsOf(body: Uint8Array): string[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String((JSON.parse(line) as { id?: unknown }).id).toLowerCase());
}

/**
 * Replicas: one token for all attempts. Keeper takes it together with the rows, so an attempt that a lost answer hides, that still runs, or
 * that a lagging replica doesn't show yet, makes the next one a repetition; and a majority has the rows before the answer comes. One engine:
 * a token for each attempt, since there a token may outlive its rows; the count before it is what keeps rows from doubling.
 */
const INSERT_SETTINGS: Readonly<Record<Standing, (batch: RowBatch) => Settings>> = {
  embedded: ({ id, attempt }) => ({ insert_deduplication_token: `${id}:${attempt}` }),
  single: ({ id, attempt }) => ({
    insert_deduplication_token: `${id}:${attempt}`,
    max_execution_time: INSERT_SECONDS,
  }),
  replicated: ({ id }) => ({
    insert_deduplicate: 1,
    insert_deduplication_token: id,
    insert_quorum: 'auto',
    insert_quorum_timeout: INSERT_SECONDS * 1_000,
  }),
};

/** When this process last began to insert a batch that is not known to be over. */
class Attempts {
  readonly #began = new Map<string, number>();
  readonly #opened = performance.now();

  begin(batchId: string): void {
    const now = performance.now();
    for (const [id, at] of this.#began) if (now - at > INSERT_OVER_MS) this.#began.delete(id);
    this.#began.set(batchId, now);
  }

  end(batchId: string): void {
    this.#began.delete(batchId);
  }

  /** Milliseconds until an attempt of it can't be running any more, also one of this node's process before. */
  wait(batchId: string): number {
    const since = performance.now() - (this.#began.get(batchId) ?? this.#opened);
    return Math.max(0, Math.ceil(INSERT_OVER_MS - since));
  }
}

/** A server runs an insert on after the client has given up; its token is in the statement's text. */
async function insertIsOver(warehouse: Warehouse, batchId: string, attempts: Attempts): Promise<void> {
  const deadline = performance.now() + RUNNING_INSERT_WAIT_MS;
  for (let wait = 20; ; wait = Math.min(wait * 2, 1000)) {
    const running = await runningInserts(warehouse, batchId);
    if (running === 0) return;
    if (running === null) {
      const seconds = Math.ceil(attempts.wait(batchId) / 1_000);
      if (seconds === 0) return;
      // The shipper asks again, and can be stopped meanwhile.
      throw new Error(
        `An earlier insert of this batch may run for ${seconds} s more. Grant SELECT ON system.processes to know at once.`,
      );
    }
    if (performance.now() > deadline) throw new Error('An earlier insert of this batch is still running');
    await sleep(wait);
  }
}

/** null: this user may not see what runs. */
async function runningInserts(warehouse: Warehouse, batchId: string): Promise<number | null> {
  try {
    const running = await warehouse.rows('live', {
      sql: `SELECT 1 FROM system.processes
WHERE startsWith(query, 'INSERT') AND position(query, {batch:String}) > 0 LIMIT 1`,
      params: { batch: batchId },
      settings: { max_execution_time: 5 },
    });
    return running.length;
  } catch (error) {
    if (exceptionCode(error) === ACCESS_DENIED) return null;
    throw error;
  }
}

/**
 * The body with `"batch"` and what else only the insert knows as first members of every line. Written here and not by a DEFAULT: a
 * settings detour would be one more thing to leak.
 * @throws UnstorableError on a line that is no object: overwriting its first byte would repair what must not be repaired
 */
function withBatch(batch: RowBatch, members: string): Buffer {
  const opening = Buffer.from(`{"batch":"${batch.id}",${members}`);
  const body = Buffer.from(batch.body.buffer, batch.body.byteOffset, batch.body.byteLength);
  const out = Buffer.allocUnsafe(body.length + batch.rows * opening.length);
  let to = 0;
  let rows = 0;
  for (let from = 0; from < body.length; rows += 1) {
    const feed = body.indexOf(LINE_FEED, from);
    const end = feed === -1 ? body.length : feed + 1;
    if (body[from] !== OPENING_BRACE) throw new UnstorableError('A line is not a JSON object');
    if (rows >= batch.rows) throw anotherNumber(batch.rows);
    to += opening.copy(out, to);
    to += body.copy(out, to, from + 1, end);
    from = end;
  }
  if (rows !== batch.rows) throw anotherNumber(batch.rows);
  return out.subarray(0, to);
}

const anotherNumber = (rows: number) =>
  new UnstorableError(`The batch says ${rows} rows and holds another number`);

/** Without the values that ClickHouse quotes: they may be personal. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const type = error instanceof Error && 'type' in error ? String(error.type) : 'refused';
  const column = /value of key (\w+)/.exec(text)?.[1];
  return column === undefined ? type : `${type} in ${column}`;
}
