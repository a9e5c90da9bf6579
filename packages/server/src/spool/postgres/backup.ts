/** The spools in PostgreSQL, in and out of a backup: their tables, and a way to keep all nodes from taking batches. */
import { countersOf, sumOf } from '../counters.ts';
import type { SpoolCounters } from '../types.ts';
import { MIGRATIONS, tablesOf } from './schema.ts';

/**
 * A backup holds this lock while it holds the stores: no node takes a batch then, or changes one that is begun. What a batch holds must be the same
 * in the copy of the spool and in that of the warehouse.
 */
export const TAKING_LOCK = 'ghostlight backup';

const SPOOL_NAMES = ['events', 'event-rows', 'hits'] as const;

type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Parents first. */
export const SPOOL_TABLES: readonly string[] = [
  'spools',
  ...SPOOL_NAMES.flatMap((name) => {
    const { probe: _, ...tables } = tablesOf(name);
    return Object.values(tables) as string[];
  }),
];

/** And that which holds nothing. */
export const SPOOL_TABLES_WITHOUT_ROWS: readonly string[] = SPOOL_NAMES.map((name) => tablesOf(name).probe);

export interface SpoolFiguresInPostgres {
  readonly waiting: number;
  readonly counters: SpoolCounters;
}

/** By the name of the spool. */
export async function figuresInPostgres(query: Query): Promise<[string, SpoolFiguresInPostgres][]> {
  const figures: [string, SpoolFiguresInPostgres][] = [];
  for (const name of SPOOL_NAMES) {
    const t = tablesOf(name);
    const [row] = await query<{ waiting: string }>(
      `SELECT coalesce(sum(rows), 0) AS waiting FROM ${t.chunks} WHERE session IS NULL AND NOT damaged`,
    );
    const lanes = await query<{ counters: string }>(`SELECT counters FROM ${t.lanes}`);
    const counters = countersOf(
      sumOf(lanes.map((lane) => new Map(JSON.parse(lane.counters) as [string, number][]))),
    );
    figures.push([name, { waiting: Number(row?.waiting ?? 0), counters }]);
  }
  return figures;
}

/** Makes the tables of a version. */
export async function makeSpoolTables(query: Query, version: number): Promise<void> {
  await query('CREATE TABLE spools (name text PRIMARY KEY, version integer NOT NULL)');
  for (const name of SPOOL_NAMES)
    for (const statements of MIGRATIONS.slice(0, version)) await query(statements(tablesOf(name)));
}
