/**
 * Tables of one warehouse copied into another, for `ghostlight move`: day by day, in blocks of bounded size. The position needs no record:
 * a day whose rows are as many in the target is there, one of which the target has a part is deleted there and copied again. What was
 * copied is compared by counts and digests of each day.
 */
import { DAY_MS } from '@ghostlight/core/time';
import { StartError } from '../common/index.ts';
import { DAILY_ROWS_DAYS, MIGRATIONS, moves } from './schema/migrations.ts';
import { SHAPES } from './schema/shapes.ts';
import { OWNED_TABLES, type OwnedTable } from './schema/tables.ts';
import type { Settings } from './statement.ts';
import type { Warehouse } from './warehouse.ts';

/** One insert: the embedded backend takes bodies of 16 MiB, proxies are asked to. */
const BLOCK_BYTES = 8 * 1024 * 1024;
/** Of a table whose lines have not been seen yet. */
const USUAL_LINE_BYTES = 1_200;
/** Where the rows of a day are spread unevenly. */
const MAX_RESULT_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 0x0a;
const ATTEMPTS = 4;

/** `1970-01-01` stands for a table without days. */
export interface MovedDay {
  readonly day: string;
  readonly rows: number;
}

export interface DayFigures extends MovedDay {
  /** Sum of the rows' digests, which no order changes. */
  readonly digest: string;
}

interface Moved {
  readonly day: string;
  readonly month: string;
  /** Spreads the rows of a day over its blocks. */
  readonly spread: string;
  /** Of a row whose like has not been seen yet; default: the usual. */
  readonly lineBytes?: number;
}

const BY_DAY = { day: 'day', month: 'toYYYYMM(day)' } as const;

/** Of 4,096 pages in a list. */
const LIST_LINE_BYTES = 128 * 1024;
const FIRST_OF_LIST = 'pages[1]';

const MOVED: Readonly<Record<OwnedTable, Moved>> = {
  hits: { day: 'toDate(at)', month: 'toYYYYMM(at)', spread: 'cityHash64(id)' },
  events: { day: 'toDate(at)', month: 'toYYYYMM(at)', spread: 'cityHash64(id)' },
  daily_totals: { ...BY_DAY, spread: 'cityHash64(attribution_id, bot_name, host, status, worker_version)' },
  daily_pages: { ...BY_DAY, spread: 'cityHash64(attribution_id, bot_name, host, path)' },
  daily_page_lists: { ...BY_DAY, spread: FIRST_OF_LIST, lineBytes: LIST_LINE_BYTES },
  daily_bot_page_lists: { ...BY_DAY, spread: FIRST_OF_LIST, lineBytes: LIST_LINE_BYTES },
  daily_page_days: { ...BY_DAY, spread: 'cityHash64(attribution_id, bot_name, page)' },
  daily_bot_pages: { ...BY_DAY, spread: 'cityHash64(attribution_id, bot_name, host, path)' },
  sitemap_pages: { day: "toDate('1970-01-01')", month: '197001', spread: 'cityHash64(host, path)' },
};

export const MOVED_WAREHOUSE_TABLES: readonly OwnedTable[] = OWNED_TABLES;

const ANSWERS: Settings = { max_execution_time: 280, output_format_json_quote_64bit_integers: 0 };

/** Confirmed rows alone, all of them, whichever replica answers. */
async function asRead(warehouse: Warehouse, table: OwnedTable): Promise<Settings> {
  if ((await warehouse.standing()) !== 'replicated') return ANSWERS;
  await warehouse.syncReplica(table);
  return { ...ANSWERS, select_sequential_consistency: 1 };
}

/**
 * The first day that is moved: what is older is past its retention within two days, and each engine removes it at a time of its own.
 * @returns `YYYY-MM-DD`
 */
export function firstDay(table: OwnedTable, retentionDays: number, now: number): string {
  if (table === 'sitemap_pages') return '1970-01-01';
  const days = (['hits', 'events'] as readonly string[]).includes(table) ? retentionDays : DAILY_ROWS_DAYS;
  return new Date(Math.max(0, now - (days - 2) * DAY_MS)).toISOString().slice(0, 10);
}

/** Days with rows, oldest first. */
export async function daysOf(warehouse: Warehouse, table: OwnedTable, since: string): Promise<MovedDay[]> {
  const { day } = MOVED[table];
  const rows = await warehouse.rows<{ of: string; rows: number }>('report', {
    sql: `SELECT toString(${day}) AS of, count() AS rows FROM ${table} WHERE ${day} >= toDate({since:String})
GROUP BY of ORDER BY of LIMIT 100000`,
    params: { since },
    settings: await asRead(warehouse, table),
  });
  return rows.map(({ of, ...row }) => ({ day: of, ...row }));
}

/** What the steps that are recorded in it say of its version. */
export async function warehouseVersion(warehouse: Warehouse): Promise<'empty' | 'this' | 'older' | 'other'> {
  const [table] = await warehouse.rows('live', {
    sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations'",
  });
  if (table === undefined) return 'empty';
  const [step] = await warehouse.rows<{ version: number }>('live', {
    sql: 'SELECT toUInt32(max(version)) AS version FROM schema_migrations',
  });
  const newest = MIGRATIONS.at(-1)?.version ?? 0;
  const version = step?.version ?? 0;
  return version === newest ? 'this' : version < newest ? 'older' : 'other';
}

/** Rows of all days. */
export async function rowsOf(warehouse: Warehouse, table: OwnedTable): Promise<number> {
  const [row] = await warehouse.rows<{ rows: number }>('report', {
    sql: `SELECT count() AS rows FROM ${table}`,
    settings: await asRead(warehouse, table),
  });
  return row?.rows ?? 0;
}

export const monthsOf = (days: readonly MovedDay[]): string[] => [
  ...new Set(days.map(({ day }) => day.slice(0, 7).replace('-', ''))),
];

/** Days of a month with their digests, oldest first. @param month `YYYYMM` @param since `YYYY-MM-DD` */
export async function figuresOfMonth(
  warehouse: Warehouse,
  table: OwnedTable,
  month: string,
  since: string,
): Promise<DayFigures[]> {
  const { day, month: monthOf } = MOVED[table];
  const values = Object.entries(SHAPES[table].columns).map(([name, type]) => hashable(name, type));
  const rows = await warehouse.rows<{ of: string; rows: number; digest: string }>('report', {
    sql: `SELECT toString(${day}) AS of, count() AS rows, hex(sum(cityHash64(${values.join(', ')}))) AS digest
FROM ${table} WHERE ${monthOf} = {month:UInt32} AND ${day} >= toDate({since:String}) GROUP BY of ORDER BY of`,
    params: { month: Number(month), since },
    settings: await asRead(warehouse, table),
  });
  return rows.map(({ of, ...row }) => ({ day: of, ...row }));
}

/** A hash of NULL is NULL, and one of a map is refused. */
function hashable(name: string, type: string): string {
  if (type.startsWith('Nullable')) return `ifNull(toString(${name}), 'NULL')`;
  return type.startsWith('Map') ? `toString(${name})` : name;
}

export interface CopyOptions {
  /** Of this run: tokens of its inserts begin with it. */
  readonly run: string;
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
}

/** Copies days of a table one after the other; a block is read while the one before is written. */
export function dayCopier(
  source: Warehouse,
  target: Warehouse,
  table: OwnedTable,
  { run, onRows, signal }: CopyOptions,
): (day: MovedDay) => Promise<void> {
  const columns = Object.keys(SHAPES[table].columns).join(', ');
  const { day: dayOf, spread, lineBytes: usual = USUAL_LINE_BYTES } = MOVED[table];
  let lineBytes = usual;
  let token = 0;

  const read = async (day: string, blocks: number, block: number): Promise<Buffer> => {
    const settings = await asRead(source, table);
    const sql = `SELECT ${columns} FROM ${table} WHERE ${dayOf} = toDate({day:String}) AND ${spread} % {blocks:UInt32} = {block:UInt32}`;
    return await source.lines({
      sql,
      params: { day, blocks, block },
      // A float that is no number would become NULL.
      settings: { ...settings, output_format_json_quote_denormals: 1, max_result_bytes: MAX_RESULT_BYTES },
    });
  };
  const write = async (lines: Buffer): Promise<void> => {
    for (const body of cut(lines)) {
      token += 1;
      await insert(target, table, `${run}:${table}:${token}`, body, signal);
    }
  };

  return async ({ day, rows }) => {
    const blocks = Math.max(1, Math.ceil((rows * lineBytes) / BLOCK_BYTES));
    signal.throwIfAborted();
    let next = read(day, blocks, 0);
    let found = 0;
    for (let block = 0; block < blocks; block += 1) {
      const lines = await next;
      signal.throwIfAborted();
      next = block + 1 < blocks ? read(day, blocks, block + 1) : Promise.resolve(Buffer.alloc(0));
      // It is awaited after the writing, which may fail first.
      next.catch(() => undefined);
      const count = linesIn(lines);
      if (count > 0) lineBytes = lines.length / count;
      await write(lines);
      found += count;
      onRows(count);
    }
    if (found !== rows) throw new SourceChanged(table, day);
  };
}

/** Rows of a day were not as many as a moment before. */
export class SourceChanged extends StartError {
  constructor(table: string, day: string) {
    super(
      `The source’s table ${table} changed on ${day} while it was copied: something still writes to it. Stop every service and job that uses the source, then run this command again.`,
    );
    this.name = 'SourceChanged';
  }
}

function linesIn(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(LINE_FEED); at !== -1; at = lines.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

/** Whole lines, of at most a block. */
function* cut(lines: Buffer): Generator<Buffer> {
  for (let from = 0; from < lines.length; ) {
    const end = lines.length - from <= BLOCK_BYTES ? lines.length : endOfLine(lines, from);
    yield lines.subarray(from, end);
    from = end;
  }
}

function endOfLine(lines: Buffer, from: number): number {
  const within = lines.lastIndexOf(LINE_FEED, from + BLOCK_BYTES - 1);
  return within >= from ? within + 1 : lines.indexOf(LINE_FEED, from) + 1;
}

/** With the same token each time: an answer that was lost doubles nothing while the engine lives. The count of the day finds out otherwise. */
async function insert(
  target: Warehouse,
  table: OwnedTable,
  token: string,
  body: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const replicated = (await target.standing()) === 'replicated';
  const settings: Settings = {
    async_insert: 0,
    insert_deduplication_token: token,
    ...(replicated ? { insert_deduplicate: 1, insert_quorum: 'auto', insert_quorum_timeout: 50_000 } : {}),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await target.insertRows(table, settings, body);
    } catch (error) {
      if (attempt === ATTEMPTS || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  }
}

/** Deletes what an earlier, killed run has copied of a day. */
export async function removeDay(target: Warehouse, table: OwnedTable, day: string): Promise<void> {
  await target.command(
    {
      sql: `ALTER TABLE ${table} DELETE WHERE ${MOVED[table].day} = toDate({day:String})`,
      params: { day },
      settings: { mutations_sync: 2 },
    },
    'report',
  );
}

/** Inserts of an earlier run that the server still works on: it does not notice that its client was killed. */
export async function waitForInserts(target: Warehouse, runs: string, patienceMs = 75_000): Promise<void> {
  if ((await target.standing()) === 'embedded') return;
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const running = await target
      .rows('live', {
        sql: `SELECT 1 FROM system.processes WHERE startsWith(query, 'INSERT') AND position(query, {runs:String}) > 0 LIMIT 1`,
        params: { runs },
      })
      // Without the right to see them, they are over after the time that a server gives them.
      .catch(() => [1]);
    if (running.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

interface Mark {
  readonly from: string;
  readonly state: string;
}

/** Of the move that is under way into this warehouse. @returns whose; null: none is */
export async function unfinishedMove(warehouse: Warehouse): Promise<string | null> {
  const [table] = await warehouse.rows('live', {
    sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'moves'",
  });
  if (table === undefined) return null;
  const replicated = (await warehouse.standing()) === 'replicated';
  if (replicated) await warehouse.syncReplica('moves');
  const [mark] = await warehouse.rows<Mark>('live', {
    sql: 'SELECT source AS "from", state FROM moves ORDER BY at DESC, state DESC LIMIT 1',
    settings: replicated ? { select_sequential_consistency: 1 } : {},
  });
  return mark?.state === 'begun' ? mark.from : null;
}

export async function markMove(
  warehouse: Warehouse,
  from: string,
  state: 'begun' | 'finished',
): Promise<void> {
  await warehouse.command({ sql: moves(await warehouse.replication()) });
  const replicated = (await warehouse.standing()) === 'replicated';
  const line = `${JSON.stringify({ source: from, state, at: warehouse.clock() })}\n`;
  await warehouse.insertRows(
    'moves',
    { async_insert: 0, ...(replicated ? { insert_quorum: 'auto', insert_quorum_timeout: 50_000 } : {}) },
    Buffer.from(line),
  );
}
