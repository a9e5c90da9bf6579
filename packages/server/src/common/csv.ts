/** RFC 4180, and no cell that a spreadsheet would run as a formula: user agents and paths are untrusted text. */

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
