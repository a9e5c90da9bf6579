/** The state database's part of a move: what is refused, copied, compared. */
import { counted, StartError, sum } from '../common/index.ts';
import {
  beginMove,
  copyDatabase,
  countRows,
  type Database,
  emptyTarget,
  figuresOf,
  firstFilled,
  MOVED_TABLES,
  type MovePosition,
  movedTables,
  positionOf,
} from '../database/index.ts';
import type { Progress } from './progress.ts';
import type { Difference, MovedStore } from './report.ts';

const ROWS = ['row', 'rows'] as const;

/** @throws StartError where the target holds something else than this move */
export async function beginDatabase(target: Database, from: string): Promise<MovePosition> {
  const position = await positionOf(target);
  if (position !== null) {
    if (position.from === from) return position;
    throw new StartError(
      'The target database is the target of another installation’s move, which has not ended. Name an empty database.',
    );
  }
  const filled = await firstFilled(target);
  if (filled === null) return await beginMove(target, from);
  throw new StartError(
    `The target database is not empty: ${filled.table} has ${counted(filled.rows, ROWS)}. Name an empty database, or empty it yourself.`,
  );
}

export interface DatabaseMove {
  readonly from: string;
  readonly position: MovePosition;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Copies every table into a target that `beginDatabase` has prepared, and compares both. A copy that an earlier run began goes on; one that
 * was whole is compared first, and made again where it differs.
 * @returns rows by table, and the tables that still differ @throws what `signal` was aborted with; the next run goes on
 */
export async function moveDatabase(
  source: Database,
  target: Database,
  { from, position, progress, signal }: DatabaseMove,
): Promise<MovedStore> {
  const tables = await movedTables(source);
  const counts = new Map<string, number>();
  for (const table of MOVED_TABLES) counts.set(table, await countRows(source, table));
  const rows = sum([...counts.values()], (n) => n);
  let at = position;
  if (at.copied) {
    // It was compared before and differed, or was ended before that.
    const differences = await compare(source, target, tables, rows, progress);
    if (differences.length === 0) return reportOf(counts, []);
    progress.say('The copy of the state database differs; it is made again.');
    at = await emptyTarget(target, from);
  } else if (at.table !== null) progress.say(`The state database goes on at the table ${at.table}.`);
  progress.begin('copy', 'Copying the state database', rows);
  await copyDatabase(source, target, at, { signal, onPage: (table, n) => progress.done(table, n) });
  return reportOf(counts, await compare(source, target, tables, rows, progress));
}

const reportOf = (counts: ReadonlyMap<string, number>, differences: readonly Difference[]): MovedStore => ({
  tables: [...counts].map(([table, rows]) => ({ store: 'database', table, days: null, rows })),
  differences,
});

async function compare(
  source: Database,
  target: Database,
  tables: Awaited<ReturnType<typeof movedTables>>,
  rows: number,
  progress: Progress,
): Promise<readonly Difference[]> {
  progress.begin('compare', 'Comparing the state database', rows);
  const there = await movedTables(target);
  const differences: Difference[] = [];
  for (const table of tables) {
    const same = there.find(({ name }) => name === table.name);
    if (same === undefined) throw new Error(`The target has no table ${table.name}`);
    const [a, b] = await Promise.all([figuresOf(source, table), figuresOf(target, same)]);
    progress.done(table.name, a.rows);
    if (a.rows !== b.rows || a.digest !== b.digest)
      differences.push({ store: 'database', table: table.name, day: null, rows: a.rows, found: b.rows });
  }
  return differences;
}
