/** A list whole, for files. */
import type { Warehouse } from '../warehouse.ts';
import { askFacts, type ReportQuery } from './facts.ts';
import { counted, type ListSpec } from './list.ts';

const EXPORT_PAGE_ROWS = 10_000;

/** The whole list in the order of its keys, a page at a time: memory is bounded by the page, and no row comes twice while others arrive. */
export async function* exportList<Row extends object>(
  warehouse: Warehouse,
  query: ReportQuery,
  spec: ListSpec,
  signal?: AbortSignal,
  pageRows = EXPORT_PAGE_ROWS,
): AsyncGenerator<readonly Row[]> {
  const keys = Object.entries(spec.keys);
  // As text: enumerations are ordered by their numbers, and can't be compared with the words that they stand for.
  const names = keys.map(([name, { type }]) => (type === 'String' ? `toString(${name})` : name)).join(', ');
  for (let last: Row | undefined; ; ) {
    const beyond = last as Readonly<Record<string, unknown>> | undefined;
    const rows: Row[] = await askFacts<Row>(
      warehouse,
      query,
      `SELECT * FROM (${counted(spec, query)})
${beyond === undefined ? '' : `WHERE (${names}) > (${keys.map(([name, { type }]) => `{after_${name}:${type}}`).join(', ')})`}
ORDER BY ${names} LIMIT {limit:UInt32}`,
      signal,
      {
        ...spec.params,
        ...Object.fromEntries(
          keys.map(([name]): [string, unknown] => [`after_${name}`, beyond?.[name] ?? '']),
        ),
        limit: pageRows,
      },
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < pageRows) return;
  }
}
