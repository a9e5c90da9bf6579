/** Countries as shops write them: a code of two or three letters, or a name in English or in the country's own language. */

import { keyOf, lookUp } from './lookup.ts';
import countries from './tables/countries.json' with { type: 'json' };

/** @returns ISO 3166-1 alpha-2 in upper case, or null for what is no country */
export function countryCode(country: string | null): string | null {
  const text = country?.trim() ?? '';
  const code = text.toUpperCase();
  if (/^[A-Z]{2}$/.test(code) && CODES.has(code)) return code;
  return lookUp(countries.alpha3, code) ?? lookUp(countries.names, keyOf(text));
}

const CODES: ReadonlySet<string> = new Set(Object.values(countries.alpha3));
