/** What reading a variable's text needs. */

/** Takes one sentence for the log. */
export type Report = (sentence: string) => void;

/** A variable's value as text: a configuration file may carry numbers, and a wrong binding anything at all. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Whether a template's example was left as it was: `<…>`, `your-…`, `replace-…`. Of a URL only such hosts as examples have: shops are called `your-…` too. */
export function isPlaceholder(text: string): boolean {
  return (
    /[<>]/.test(text) ||
    /^(?:your[-_ ]|replace[-_ ]?)/i.test(text) ||
    /^https?:\/\/(?:your[-_](?:service|domain|host|server|ghostlight|app|url)|replace[-_]?me)\b/i.test(text)
  );
}
