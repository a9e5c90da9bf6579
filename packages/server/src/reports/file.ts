/** A list as a file: every line names the population, so that a file tells what it counts wherever it is read. */
import { csvLine, type FileFormat } from '../common/index.ts';
import { cellOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import type { AnyParameters, ReportList } from './report.ts';

const ITEMS_AT_ONCE = 500;

/** The pieces of the file. */
export async function* linesOf(
  list: ReportList,
  context: ReportContext,
  parameters: AnyParameters,
  format: FileFormat,
): AsyncGenerator<string> {
  const { population } = context;
  const { file: columns } = list.tableOf(parameters);
  const line =
    format === 'csv'
      ? (item: object) => csvLine([...columns.map((column) => cellOf(item, column)), population])
      : (item: object) => `${JSON.stringify({ ...item, population })}\n`;
  if (format === 'csv') yield csvLine([...columns.map(({ name }) => name), 'population']);
  for await (const items of list.whole(context, parameters))
    for (let from = 0; from < items.length; from += ITEMS_AT_ONCE)
      yield items
        .slice(from, from + ITEMS_AT_ONCE)
        .map(line)
        .join('');
}
