/** The warehouse's part of a move: what is refused, copied, compared. */
import { randomBytes } from 'node:crypto';
import { counted, StartError, sum } from '../common/index.ts';
import {
  dayCopier,
  daysOf,
  figuresOfMonth,
  firstDay,
  MOVED_WAREHOUSE_TABLES,
  type MovedDay,
  markMove,
  monthsOf,
  removeDay,
  rowsOf,
  unfinishedMove,
  type Warehouse,
  waitForInserts,
} from '../warehouse/index.ts';
import type { Progress } from './progress.ts';
import type { Difference, MovedStore } from './report.ts';

const ROWS = ['row', 'rows'] as const;
const DAYS = ['day', 'days'] as const;
type Table = (typeof MOVED_WAREHOUSE_TABLES)[number];

interface Planned {
  readonly table: Table;
  readonly days: readonly MovedDay[];
}

/** @returns whether an earlier run began it @throws StartError where the target holds something else than this move */
export async function beginWarehouse(target: Warehouse, from: string): Promise<boolean> {
  const mark = await unfinishedMove(target);
  if (mark === from) return true;
  if (mark !== null)
    throw new StartError(
      'The target warehouse is the target of another installation’s move, which has not ended. Name an empty database.',
    );
  for (const table of MOVED_WAREHOUSE_TABLES) {
    const rows = await rowsOf(target, table);
    if (rows > 0)
      throw new StartError(
        `The target warehouse is not empty: ${table} has ${counted(rows, ROWS)}. Name an empty database, or empty it yourself.`,
      );
  }
  await markMove(target, from, 'begun');
  return false;
}

export interface WarehouseMove {
  readonly from: string;
  readonly resumes: boolean;
  readonly retentionDays: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Copies the days that a target prepared by `beginWarehouse` does not have yet, and compares all. Days in which an earlier run left a
 * difference are copied once more.
 * @returns rows and days by table, and the days that still differ @throws what `signal` was aborted with; the next run goes on
 */
export async function moveWarehouse(
  source: Warehouse,
  target: Warehouse,
  { from, resumes, retentionDays, progress, signal }: WarehouseMove,
): Promise<MovedStore> {
  const plan: Planned[] = [];
  for (const table of MOVED_WAREHOUSE_TABLES)
    plan.push({ table, days: await daysOf(source, table, firstDay(table, retentionDays, source.clock())) });
  const tokens = `move:${from}`;
  if (resumes) {
    progress.say('The warehouse goes on where an earlier run has ended.');
    await waitForInserts(target, tokens);
  }
  const run = `${tokens}:${randomBytes(6).toString('hex')}`;
  await copy(source, target, plan, { run, progress, signal });
  let differences = await compare(source, target, plan, progress, signal);
  if (differences.length > 0 && resumes) {
    // An earlier run may have found them, and this one is here to repair them.
    progress.say(
      differences.length === 1
        ? '1 day of the warehouse differs; it is copied again.'
        : `${counted(differences.length, DAYS)} of the warehouse differ; they are copied again.`,
    );
    for (const { table, day } of differences) await removeDay(target, table as Table, day ?? '');
    await copy(source, target, plan, { run: `${run}:again`, progress, signal });
    differences = await compare(source, target, plan, progress, signal);
  }
  return {
    tables: plan.map(({ table, days }) => ({
      ...{ store: 'warehouse', table, days: table === 'sitemap_pages' ? null : days.length },
      rows: sum(days, ({ rows }) => rows),
    })),
    differences,
  };
}

async function copy(
  source: Warehouse,
  target: Warehouse,
  plan: readonly Planned[],
  { run, progress, signal }: { run: string; progress: Progress; signal: AbortSignal },
): Promise<void> {
  const missing: { table: Table; days: readonly MovedDay[]; of: number }[] = [];
  for (const { table, days } of plan) {
    const there = new Map((await daysOf(target, table, '1970-01-01')).map(({ day, rows }) => [day, rows]));
    const left = days.filter(({ day, rows }) => there.get(day) !== rows);
    for (const { day } of left) if (there.has(day)) await removeDay(target, table, day);
    // Days that the source does not have: an earlier run copied them, and the source has removed them since.
    const known = new Set(days.map(({ day }) => day));
    for (const day of there.keys()) if (!known.has(day)) await removeDay(target, table, day);
    missing.push({ table, days: left, of: days.length });
  }
  progress.begin(
    'copy',
    'Copying the warehouse',
    sum(missing, ({ days }) => sum(days, ({ rows }) => rows)),
  );
  for (const { table, days, of } of missing) {
    let number = of - days.length;
    let where = '';
    const onRows = (rows: number) => progress.done(where, rows);
    const copyDay = dayCopier(source, target, table, { run, onRows, signal });
    for (const day of days) {
      number += 1;
      where = table === 'sitemap_pages' ? table : `${table}, ${day.day} (day ${number} of ${of})`;
      await copyDay(day);
    }
  }
}

async function compare(
  source: Warehouse,
  target: Warehouse,
  plan: readonly Planned[],
  progress: Progress,
  signal: AbortSignal,
): Promise<Difference[]> {
  progress.begin(
    'compare',
    'Comparing the warehouse',
    sum(plan, ({ days }) => sum(days, ({ rows }) => rows)),
  );
  const differences: Difference[] = [];
  for (const { table, days } of plan) {
    const since = days[0]?.day ?? '';
    for (const month of monthsOf(days)) {
      signal.throwIfAborted();
      const here = await figuresOfMonth(source, table, month, since);
      const there = new Map((await figuresOfMonth(target, table, month, since)).map((one) => [one.day, one]));
      for (const { day, rows, digest } of here) {
        const same = there.get(day);
        there.delete(day);
        progress.done(`${table}, ${day}`, rows);
        if (same?.rows !== rows || same.digest !== digest)
          differences.push({ store: 'warehouse', table, day, rows, found: same?.rows ?? 0 });
      }
      for (const { day, rows } of there.values())
        differences.push({ store: 'warehouse', table, day, rows: 0, found: rows });
    }
  }
  return differences;
}
