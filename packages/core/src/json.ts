/** Words for JSON that reader, canonical form and shape share. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** An object with members: no array, no null. For what came out of `JSON.parse`. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object as JSON knows it: no array, no instance of a class. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** RFC 6901: `/tools/0/name`; empty for the whole document. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const NOT_ASCII = /[^\u0020-\u007e]/;

/** Member names are printable ASCII: then sorting by code point (Python, jq) and by UTF-16 unit (RFC 8785) is the same. */
export const isAsciiName = (name: string): boolean => !NOT_ASCII.test(name);

/** A text of the sender's inside a message of ours: quoted and cut. */
export const quote = (text: string): string =>
  JSON.stringify((text.length > 80 ? `${text.slice(0, 80)}…` : text).toWellFormed());

/** Length in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;
