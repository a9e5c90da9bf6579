/** What a report that is a list says of itself, and the relation that follows from it. */
import type { FactClass } from './daily-tables.ts';
import { facts, type ReportQuery } from './facts.ts';
import { type Columns, columnsOf, type Measure, type Measures, selected } from './slices.ts';

/** Facts added up. */
export interface Counting {
  /** Columns of the facts that are read. */
  readonly reads: readonly string[];
  /** SQL over `f`: what can't be added up of parts. */
  readonly measures: Readonly<Record<string, Measure | string>>;
  /** A condition on single facts. */
  readonly where?: string;
}

/** A report that is a list. `Row` is what the query gives: its keys and measures by their names. */
interface PlainSpec extends Counting {
  readonly classes: readonly FactClass[];
  /** What makes a row one: name → expression over `f`, and the type by which an export goes on after it. */
  readonly keys: Readonly<Record<string, { readonly sql: string; readonly type: 'String' | 'UInt32' }>>;
  /** What is grouped by, where that is shorter than the keys, which are then the same within a group: a page's number for its host and path. */
  readonly by?: Columns;
  /** Measures over more facts than the rest, joined to it. */
  readonly apart?: Counting & { readonly measures: Measures };
  /** Computed from keys and measures. */
  readonly derived?: Columns;
  /** A condition on counted rows; default: they have hits. */
  readonly having?: string;
  /** Name of a sort → an expression over keys, measures and derived columns. */
  readonly sorts: Readonly<Record<string, string>>;
  /** A number of each row, the same for all facts of it; default: its page's. `where`: of the facts that the number is good for; default: all. */
  readonly number?: { readonly sql: string; readonly reads: readonly string[]; readonly where?: string };
  readonly params?: Readonly<Record<string, unknown>>;
  /** Rows that are shown come with `days`, a sum for each day of both periods, where those are compared. */
  readonly compares?: true;
  readonly ranks?: undefined;
}

/** A list of which a page may be read in two steps: rows are ranked, and those that are shown are counted in full, a few out of tens of thousands. */
export interface RankedSpec extends Omit<PlainSpec, 'ranks'> {
  /** Sorts by which rows are ranked, by one measure for each row alone. Of equal ones that with more hits is first, then the order is any, and always the same. */
  readonly ranks: Readonly<Record<string, Rank>>;
  readonly measures: Measures;
}

export type ListSpec = PlainSpec | RankedSpec;
/** Of which a few rows can be counted. */
export type SummedSpec = ListSpec & { readonly measures: Measures };

/** Over the facts that the population has in the period: those before it bring no row into a list. */
export interface Rank {
  readonly reads: readonly string[];
  /** A condition on single facts: those that may bring a row into the list. */
  readonly where: string;
  /** A condition on ranked rows beside having hits, as the list's own `having`. */
  readonly having?: string;
  /** What is sorted by, the same as the list would say. Where it is null, rows come last. */
  readonly measure: string;
  /** The facts of the period before are there as well, which `having` and `measure` tell apart. */
  readonly compares?: true;
}

/** All of a list, as a relation. @param more columns of its rows */
export function counted(spec: ListSpec, query: ReportQuery, more: Columns = {}): string {
  const { apart } = spec;
  const keys = { ...keysOf(spec), ...more };
  if (apart === undefined) return shown(spec, grouped(spec, spec, query, keys));
  const by = byOf(spec);
  const names = Object.keys(by);
  const unnamed = names.filter((name) => !(name in keys));
  return shown(
    spec,
    `SELECT * ${unnamed.length === 0 ? '' : `EXCEPT (${unnamed.join(', ')})`}
FROM (${grouped(spec, spec, query, { ...by, ...keys })}) AS m
LEFT JOIN (${grouped(spec, apart, query, by)}) AS a USING (${names.join(', ')})`,
  );
}

export const keysOf = ({ keys }: ListSpec): Columns =>
  Object.fromEntries(Object.entries(keys).map(([name, { sql }]) => [name, sql]));
export const byOf = (spec: ListSpec): Columns => spec.by ?? keysOf(spec);

/** Rows of a list, or what is counted apart of them. @param columns beside the measures */
const grouped = (spec: ListSpec, part: Counting, query: ReportQuery, columns: Columns) =>
  `SELECT ${selected({ ...columns, ...columnsOf(part.measures) })}
${factsOf(spec, part, query)}
GROUP BY ${Object.values(byOf(spec)).join(', ')}
HAVING ${part === spec ? (spec.having ?? 'hits > 0') : 'true'}`;

/** What is counted. @param only a further condition on single facts: those of a few rows */
export const factsOf = (
  spec: ListSpec,
  { reads, where = 'true' }: Counting,
  query: ReportQuery,
  only: string | null = null,
): string =>
  `FROM ${facts(reads, query, spec.classes, { ofFewPages: only !== null && isByPage(spec) })}
WHERE ${only ?? 'true'} AND ${where}`;

/** Its rows are of one page each: a few rows are of a few pages. */
export const isByPage = ({ by, keys }: ListSpec): boolean => 'page' in (by ?? keys);

/** With what is computed from each row. */
const shown = ({ derived = {} }: ListSpec, rows: string): string =>
  `SELECT ${['*', ...(Object.keys(derived).length > 0 ? [selected(derived)] : [])].join(', ')} FROM (${rows})`;

/** A key of words. The column itself, not its text: grouping by text instead of dictionary numbers took four times as long. */
export const text = (sql: string) => ({ sql, type: 'String' }) as const;
