/**
 * Rows as the lines of a file: of JSON, or of CSV by RFC 4180. No cell is one that a spreadsheet would run as a formula: user agents and paths
 * are untrusted text.
 */

/** A cell. Text that a spreadsheet would take for a formula gets an apostrophe in front, which spreadsheets don't show. */
export function csvCell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

export type FileFormat = 'csv' | 'ndjson';

/** What a file has of each row. */
export interface FileRows<Row> {
  /** Of CSV: the first line, and what stands below it. */
  readonly columns: readonly string[];
  cells(row: Row): readonly unknown[];
  /** Of NDJSON: a line. */
  item(row: Row): object;
}

/** Rows in one piece of a file: some tens of kilobytes. */
const PIECE_ROWS = 200;

/** Rows as the pieces of a file. The next page of them is read when the reader has taken those before. */
export async function* fileLines<Row>(
  pages: AsyncIterable<readonly Row[]>,
  { columns, cells, item }: FileRows<Row>,
  format: FileFormat,
): AsyncGenerator<string> {
  const line =
    format === 'csv' ? (row: Row) => csvLine(cells(row)) : (row: Row) => `${JSON.stringify(item(row))}\n`;
  if (format === 'csv') yield csvLine(columns);
  for await (const rows of pages)
    for (let from = 0; from < rows.length; from += PIECE_ROWS)
      yield rows
        .slice(from, from + PIECE_ROWS)
        .map(line)
        .join('');
}
