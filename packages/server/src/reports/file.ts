/** A list as a file: every line names the population, so that a file tells what it counts wherever it is read. */
import { type FileFormat, fileLines } from '../common/index.ts';
import { cellOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import type { AnyParameters, ReportList } from './report.ts';

/** The pieces of the file. */
export function linesOf(
  list: ReportList,
  context: ReportContext,
  parameters: AnyParameters,
  format: FileFormat,
): AsyncGenerator<string> {
  const { population } = context;
  const { file } = list.tableOf(parameters);
  return fileLines(
    list.whole(context, parameters),
    {
      columns: [...file.map(({ name }) => name), 'population'],
      cells: (item) => [...file.map((column) => cellOf(item, column)), population],
      item: (item) => ({ ...item, population }),
    },
    format,
  );
}
