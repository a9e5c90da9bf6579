/** Reads values of an address, which are untrusted: an unknown value is undefined. */

const MAX_TEXT = 200;

export function oneOf<T extends string>(names: readonly T[], value: unknown): T | undefined {
  return names.find((name) => name === value);
}

/** The router reads `q=404` as a number; here it is text. @param most the longest text that is kept */
export function textOf(value: unknown, most = MAX_TEXT): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, most) : undefined;
}

export function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const ms = Date.parse(value);
  // 31 February would be read as a day in March.
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(value) ? value : undefined;
}

/** Without undefined and empty values, so that the address holds choices only. */
export function compact<T extends object>(search: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}
