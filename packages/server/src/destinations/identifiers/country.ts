/** Countries as shops write them: a code of two or three letters, or a name in English or in the country's own language. */

import countries from './tables/countries.json' with { type: 'json' };

/** @returns ISO 3166-1 alpha-2 in upper case, or null for what is no country */
export function countryCode(country: string | null): string | null {
  const text = country?.trim() ?? '';
  const code = text.toUpperCase();
  if (/^[A-Z]{2}$/.test(code) && CODES.has(code)) return code;
  return lookUp(countries.alpha3, code) ?? lookUp(countries.names, keyOf(text));
}

const CODES: ReadonlySet<string> = new Set(Object.values(countries.alpha3));

const MAX_NAME = 100;

/** The key of a name: `Côte d’Ivoire` → `cotedivoire`. */
export function keyOf(name: string): string {
  const bare = name.slice(0, MAX_NAME).normalize('NFKD').replace(/\p{M}/gu, '');
  return bare.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** @returns null for what the table does not have itself: `constructor` is no country */
export function lookUp(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
