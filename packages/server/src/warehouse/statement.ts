/**
 * Settings go into the statement, never beside it: chDB would keep them for the connection's later statements (seen: seven rows
 * silently taken for duplicates of an earlier insert), and the child refuses them as URL parameters.
 */

export type Settings = Readonly<Record<string, string | number>>;

/** @throws TypeError on a name or text that could end the clause */
export function settingsClause(settings: Settings): string {
  const parts = Object.entries(settings).map(([name, value]) => {
    if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new TypeError(`Not a setting's name: ${name}`);
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new TypeError(`Setting ${name} is not a finite number`);
      return `${name} = ${value}`;
    }
    if (!/^[\w.:-]*$/.test(value))
      throw new TypeError(`Setting ${name} holds characters that need no place here`);
    return `${name} = '${value}'`;
  });
  return parts.length === 0 ? '' : `SETTINGS ${parts.join(', ')}`;
}

/** One statement with its parameters; `{name:Type}` in the text. Times are epoch milliseconds as Int64, never `Date` (seconds only). */
export interface Statement {
  readonly sql: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly settings?: Settings;
}

export function render({ sql, settings = {} }: Statement): string {
  return `${sql.trim()}\n${settingsClause(settings)}`.trimEnd();
}
