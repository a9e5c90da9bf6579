/** Headers that a user adds. They may hold a key, so they are stored with the secrets. */

const MAX_HEADERS = 10;
const LINE = /^([A-Za-z0-9_-]{1,64}):[ \t]*([\x20-\x7e]{0,1024})$/;

/** Ours, the connection's, and those that would change what a request is (RFC 9110 §7.6.1; request smuggling). */
const FORBIDDEN =
  /^(?:host|content-.*|transfer-encoding|te|trailer|connection|keep-alive|proxy-.*|upgrade|expect|via|forwarded|x-forwarded-.*|cookie|webhook-.*)$/;

/** @returns by lower-case name, or null where a line is none or too many are given */
export function readHeaders(text: string): Readonly<Record<string, string>> | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > MAX_HEADERS) return null;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = LINE.exec(line.trim()) ?? [];
    const known = name?.toLowerCase() ?? '';
    if (value === undefined || FORBIDDEN.test(known) || headers.has(known)) return null;
    headers.set(known, value.trim());
  }
  return Object.fromEntries(headers);
}
