/**
 * Sums under conditions. The engine adds them up itself where it sorts by them or has many rows (`columnOf`). Where it has few, it answers slices:
 * visits that are alike in all that the conditions ask, of which each aggregate is there once, and the sums are made here (`readSlices`). To
 * plan forty sums takes the engine longer than to find the slices of a property.
 */
import type { Warehouse } from '../warehouse.ts';
import { type Condition, dimensionsOf, groupedBy, sqlOf, testOf } from './dimensions.ts';
import { askFacts, type ReportQuery } from './facts.ts';

/** A column of a query: how it is computed. */
export type Columns = Readonly<Record<string, string>>;

/** What can be said of visits together. `Value`: as the engine answers it of a slice. */
export interface Aggregate<Value = never> {
  /** Of a slice. */
  readonly all: string;
  /** Of the visits that a condition holds for. */
  readonly where: (condition: string) => string;
  /** Of slices what `where` says of their visits. */
  readonly together: (values: readonly Value[]) => unknown;
}

/** An aggregate of the visits for which a condition holds. */
export interface Measure {
  readonly of: Aggregate;
  readonly where: Condition;
}
export type Measures = Readonly<Record<string, Measure>>;

/** Added up by the engine. */
export const columnOf = ({ of, where }: Measure): string => of.where(sqlOf(where));

export const columnsOf = (measures: Readonly<Record<string, Measure | string>>): Columns =>
  Object.fromEntries(
    Object.entries(measures).map(([name, measure]) => [
      name,
      typeof measure === 'string' ? measure : columnOf(measure),
    ]),
  );

export const selected = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(',\n  ');

interface Sliced {
  /** What makes a row one: its columns beside the measures, the same for all of its visits. */
  readonly keys: Columns;
  /** What is grouped by; default: the keys. */
  readonly by?: readonly string[];
  readonly measures: Measures;
  /** `FROM …` up to GROUP BY, over `f`. */
  readonly from: string;
}

/**
 * Rows of measures, in no order. Few are expected, of some dozen slices each. Without keys exactly one, whatever there is.
 * @param params beside those of the facts
 */
export async function readSlices<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  { keys, by = Object.values(keys), measures, from }: Sliced,
  signal?: AbortSignal,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const all = Object.values(measures);
  const dimensions = [...new Set(all.flatMap(({ where }) => dimensionsOf(where)))].map(groupedBy);
  const aggregates = [...new Set(all.map(({ of }) => of))];
  const columns = {
    ...keys,
    ...Object.fromEntries(dimensions.map(({ column, sql }) => [column, sql])),
    ...Object.fromEntries(aggregates.map(({ all: sql }, index) => [`aggregate_${index}`, sql])),
  };
  const slices = await askFacts<Slice>(
    warehouse,
    query,
    `SELECT ${selected(columns)}
${from}
GROUP BY ${[...by, ...dimensions.map(({ column }) => column)].join(', ')}`,
    signal,
    params,
  );
  const names = Object.keys(keys);
  const add = adding(measures, aggregates);
  const rows = names.length === 0 ? [slices] : [...grouped(slices, names).values()];
  return rows.map((of) => {
    const own = Object.fromEntries(names.map((name) => [name, of[0]?.[name]]));
    return { ...own, ...add(of) } as Row;
  });
}

type Slice = Readonly<Record<string, unknown>>;

const grouped = (slices: readonly Slice[], names: readonly string[]): Map<string, Slice[]> =>
  Map.groupBy(slices, (slice) => JSON.stringify(names.map((name) => slice[name])));

function adding(measures: Measures, aggregates: readonly Aggregate[]) {
  const made = Object.entries(measures).map(([name, { of, where }]) => ({
    name,
    holds: testOf(where),
    column: `aggregate_${aggregates.indexOf(of)}`,
    together: of.together as (values: readonly unknown[]) => unknown,
  }));
  return (slices: readonly Slice[]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      made.map(({ name, holds, column, together }) => [
        name,
        together(slices.filter(holds).map((slice) => slice[column])),
      ]),
    );
}
