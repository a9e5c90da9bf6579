/**
 * A list as a file: every line names the population and the days whose figures are too low, so that a file tells what it counts wherever it is
 * read.
 */
import { dateOf, type FileFormat, fileLines } from '../common/index.ts';
import { cellOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fileColumns, pickedOf } from './file-columns.ts';
import type { AnyParameters, ReportList } from './report.ts';

/** The pieces of the file. */
export function linesOf(
  list: ReportList,
  context: ReportContext,
  parameters: AnyParameters,
  format: FileFormat,
): AsyncGenerator<string> {
  const { population, plan } = context;
  const over = daysText([...plan.overQuota.keys()]);
  const file = fileColumns(list, parameters);
  const isChosen = parameters.columns !== undefined;
  return fileLines(
    list.whole(context, parameters),
    {
      columns: [...file.map(({ name }) => name), 'population', 'over_quota'],
      cells: (item) => [...file.map((column) => cellOf(item, column)), population, over],
      item: (item) => ({ ...(isChosen ? pickedOf(item, file) : item), population, over_quota: over }),
    },
    format,
  );
}

/** Every line has them: a property that is over its quota every other day must not make each a kilobyte long. */
const MOST_NAMED = 10;

/** `2026-11-03 2026-11-07/2026-11-09`, or empty; days that follow each other as an interval. @param days ascending */
export function daysText(days: readonly number[]): string {
  const spans: [first: number, last: number][] = [];
  for (const day of days) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === day - 1) last[1] = day;
    else spans.push([day, day]);
  }
  const named = spans
    .slice(0, MOST_NAMED)
    .map(([first, last]) => (first === last ? dateOf(first) : `${dateOf(first)}/${dateOf(last)}`));
  const more = spans.slice(MOST_NAMED).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return [...named, ...(more > 0 ? [`+${more}`] : [])].join(' ');
}
