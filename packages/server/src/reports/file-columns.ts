/** Which columns a file has: those that are asked for, in their order, or all. */
import { ServiceError } from '../common/index.ts';
import type { FileColumn } from './columns.ts';
import type { AnyParameters, ReportList } from './report.ts';

/** What every line ends with. */
const ALWAYS: readonly string[] = ['population', 'over_quota'];

/** The columns that are asked for, in their order; all of the table's where none are named. @throws ServiceError `invalid` */
export function fileColumns(list: ReportList, parameters: AnyParameters): readonly FileColumn[] {
  const { file } = list.tableOf(parameters);
  if (parameters.columns === undefined) return file;
  // These end every line, asked for or not.
  const columns = parameters.columns.filter((name) => !ALWAYS.includes(name));
  return columns.map((name) => {
    const column = file.find((one) => one.name === name);
    if (column !== undefined) return column;
    const known = file.map((one) => one.name).join(', ');
    throw refused(`There is no column ${JSON.stringify(name.slice(0, 64))}. Columns are ${known}.`);
  });
}

/** @throws ServiceError `invalid` where columns are named for an answer that is no file */
export function refuseColumns({ columns }: AnyParameters): void {
  if (columns !== undefined)
    throw refused('Columns are chosen for a file: add format=csv or format=ndjson, or leave them out.');
}

const refused = (message: string): ServiceError =>
  new ServiceError('invalid', 'The query is invalid.', { errors: [{ pointer: '/columns', message }] });

/** An item with these members alone, each at its own place. */
export function pickedOf(item: object, columns: readonly FileColumn[]): object {
  const picked: Record<string, unknown> = {};
  for (const { name } of columns) {
    let [from, to]: [unknown, Record<string, unknown>] = [item, picked];
    const members = name.split('.');
    const last = members.pop() ?? name;
    for (const member of members) {
      from = memberOf(from, member);
      const inner = (to[member] ?? {}) as Record<string, unknown>;
      to[member] = inner;
      to = inner;
    }
    to[last] = memberOf(from, last);
  }
  return picked;
}

const memberOf = (value: unknown, member: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[member] ?? null;
