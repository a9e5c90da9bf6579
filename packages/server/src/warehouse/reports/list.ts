/** What a report that is a list says of itself, and the relation that follows from it. */
import type { FactClass } from './daily-tables.ts';
import { facts, type ReportQuery } from './facts.ts';
import { type Columns, selected } from './measures.ts';

/** Facts added up. */
interface Counting {
  /** Columns of the facts that are read. */
  readonly reads: readonly string[];
  readonly measures: Columns;
  /** A condition on single facts. */
  readonly where?: string;
}

/** A report that is a list. `Row` is what the query gives: its keys and measures by their names. */
export interface ListSpec extends Counting {
  readonly classes: readonly FactClass[];
  /** What makes a row one: name → expression over `f`, and the type by which an export goes on after it. */
  readonly keys: Readonly<Record<string, { readonly sql: string; readonly type: 'String' | 'UInt32' }>>;
  /** What is grouped by, where that is shorter than the keys, which are then the same within a group: a page's number for its host and path. */
  readonly by?: Columns;
  /** Measures over more facts than the rest, joined to it. */
  readonly apart?: Counting;
  /** Computed from keys and measures. */
  readonly derived?: Columns;
  /** A condition on counted rows; default: they have hits. */
  readonly having?: string;
  /** Name of a sort → an expression over keys, measures and derived columns. */
  readonly sorts: Readonly<Record<string, string>>;
  /**
   * Sorts by which a list is first ranked by a number for each row alone, and only the rows that are shown are counted in full: a few out
   * of tens of thousands. Equal ones then follow each other by number.
   */
  readonly ranks?: Readonly<Record<string, Rank>>;
  /** That number, the same for all facts of a row; default: its page's. `where`: of the facts that the number is good for; default: all. */
  readonly number?: { readonly sql: string; readonly reads: readonly string[]; readonly where?: string };
  readonly params?: Readonly<Record<string, unknown>>;
  /** Rows that are shown come with `days`, a sum for each day of both periods, where those are compared. */
  readonly compares?: true;
}

export interface Rank {
  readonly reads: readonly string[];
  /** A condition on single facts: those that may bring a page into the list. */
  readonly where?: string;
  /** A condition on ranked rows beside having hits, as the list's own `having`. */
  readonly having?: string;
  /** What is sorted by, the same number as the list's own. */
  readonly measure: string;
}

/** All of a list, as a relation. */
export function counted(spec: ListSpec, query: ReportQuery): string {
  const { apart } = spec;
  const keys = keysOf(spec);
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
const byOf = (spec: ListSpec): Columns => spec.by ?? keysOf(spec);

/** Rows of a list, or what is counted apart of them. @param columns beside the measures @param only a further condition on single facts */
export const grouped = (
  spec: ListSpec,
  part: Counting,
  query: ReportQuery,
  columns: Columns,
  only: string | null = null,
) =>
  `SELECT ${selected({ ...columns, ...part.measures })}
FROM ${facts(part.reads, query, spec.classes, { ofFewPages: only !== null && isByPage(spec) })}
WHERE ${only ?? 'true'} AND ${part.where ?? 'true'}
GROUP BY ${Object.values(byOf(spec)).join(', ')}
HAVING ${part === spec ? (spec.having ?? 'hits > 0') : 'true'}`;

/** Its rows are of one page each: a few rows are of a few pages. */
export const isByPage = ({ by, keys }: ListSpec): boolean => 'page' in (by ?? keys);

/** With what is computed from each row. */
export const shown = ({ derived = {} }: ListSpec, rows: string): string =>
  `SELECT ${['*', ...(Object.keys(derived).length > 0 ? [selected(derived)] : [])].join(', ')} FROM (${rows})`;

/** A key of words. The column itself, not its text: grouping by text instead of dictionary numbers took four times as long. */
export const text = (sql: string) => ({ sql, type: 'String' }) as const;
