/** A request and an answer as text that people read. */
import type { ShownRequest } from '../destinations/types.ts';

/** Method, address, headers, and the body with its members on lines of their own. */
export function requestText({ method, url, headers, body }: ShownRequest): string {
  const head = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return body === null || body === '' ? head.join('\n') : `${head.join('\n')}\n\n${bodyText(body)}`;
}

/** JSON is laid out; anything else, and what was cut in the middle, stays as it came. */
export function bodyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
