/** Addresses among the variables. */

/** Cloudflare's limit of a variable is 5 kB; no address of ours is near it. */
const MAX_URL_LENGTH = 2_048;

/**
 * An http(s) address, trimmed, otherwise as it was written.
 * @param variable its name, for the sentences
 * @returns null, and a sentence is reported, where it can't be used
 */
export function readUrl(variable: string, text: string, report: Report): string | null {
  const trimmed = text.trim();
  const refuse = (fault: string): null => {
    report(`${variable} ${fault} Copy it from the setup page.`);
    return null;
  };
  if (trimmed === '') return refuse('is missing.');
  if (isPlaceholder(trimmed)) return refuse("still holds the template's placeholder.");
  const url = trimmed.length > MAX_URL_LENGTH ? null : URL.parse(trimmed);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return refuse('is no http(s) address.');
  }
  if (url.username !== '' || url.password !== '') return refuse('must not carry a user name or password.');
  if (trimmed !== text) report(`${variable} has blanks around it, which are left out; remove them.`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    report(`${variable} is not encrypted: keys and visits cross the network in the clear. Use https.`);
  }
  return trimmed;
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\./.test(hostname);

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
