/** Plain tables for a terminal: columns by their longest cell, nothing when there is nothing. */

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** @param columns member name → heading, in order */
export function table(rows: readonly Row[], columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns);
  const lines = [
    names.map((name) => columns[name] ?? name),
    ...rows.map((row) => names.map((name) => cell(row[name] ?? null))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: string | number | boolean | null): string {
  if (value === null || value === '') return '–';
  // Control characters of stored text must not drive the reader's terminal.
  return String(value).replaceAll(/\p{Cc}/gu, '�');
}
