/** Members of a shop's JSON, which may hold anything. Nothing here throws. */
import { cleanPath, decimalOf, isObject, parseAddress, tagsOf } from '@ghostlight/core';

export type Raw = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Raw => (isObject(value) ? value : {});
export const objectsOf = (value: unknown): readonly Raw[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** @returns trimmed text, a whole number as text, or null */
export function textOf(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** @returns canonical decimal text, which may be negative, or null */
export const amountOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? decimalOf(value) : null;

const ZONED = /(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})$/;

/** @param value ISO 8601; UTC where it names no zone @returns epoch milliseconds, or null */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || value === '') return null;
  const at = Date.parse(ZONED.test(value) ? value : `${value}Z`);
  return Number.isNaN(at) ? null : at;
}

/** A place where shops keep what the checkout adds to an order, such as `meta_data`: name → text. Of a name that repeats, the last. */
export function pairsOf(value: unknown, nameMember: string): ReadonlyMap<string, string> {
  const pairs = objectsOf(value).map((pair) => [textOf(pair[nameMember]), textOf(pair['value'])] as const);
  return new Map(
    pairs.filter((pair): pair is readonly [string, string] => pair[0] !== null && pair[1] !== null),
  );
}

/** The names under which a checkout may store the visitor. A leading underscore hides a field from customers. */
const VISITOR_NAMES = ['visitor_id', '_visitor_id', 'ghostlight_visitor_id', '_ghostlight_visitor_id'];

export function visitorIn(pairs: ReadonlyMap<string, string>): string | null {
  const name = VISITOR_NAMES.find((one) => pairs.has(one));
  return name === undefined ? null : (pairs.get(name) ?? null);
}

/**
 * What the shop itself noted about how the customer came: kept with the conversion to compare with our match, which the visitor alone decides.
 * @param landing an address, or a path with a query
 */
export function arrivalOf(landing: string | null, referrer: string | null): Readonly<Record<string, string>> {
  const page =
    landing === null
      ? null
      : parseAddress(landing.startsWith('/') ? `https://shop.invalid${landing}` : landing);
  const from = referrer === null ? null : parseAddress(referrer);
  const { utm, clickIds } = page === null ? { utm: {}, clickIds: {} } : tagsOf(page.searchParams);
  return {
    ...(page === null ? {} : { landing_path: cleanPath(page.pathname) }),
    ...(from === null ? {} : { referrer_host: from.hostname }),
    ...Object.fromEntries(Object.entries(utm).map(([field, value]) => [`utm_${field}`, value])),
    ...clickIds,
  };
}
