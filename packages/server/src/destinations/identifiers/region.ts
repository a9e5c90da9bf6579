/** States and provinces by the two letters that platforms know them by. */

import { keyOf, lookUp } from './country.ts';
import states from './tables/states.json' with { type: 'json' };

/**
 * @param country ISO alpha-2; null: not known, then a state of the US or Canada by its name or letters
 * @param region `CA`, `US-CA`, `California`; in any letter case
 * @returns `CA`; null for what is no state of the US or Canada, and in any other country
 */
export function regionCode(country: string | null, region: string): string | null {
  if (country !== null && country !== 'US' && country !== 'CA') return null;
  const text = region.trim().toUpperCase();
  const [, prefix = country, letters = text] = /^(US|CA)-([A-Z]{2})$/.exec(text) ?? [];
  if (prefix === 'US') return stateOf(states.US, letters);
  if (prefix === 'CA') return stateOf(states.CA, letters);
  return stateOf(states.US, letters) ?? stateOf(states.CA, letters);
}

function stateOf(table: Readonly<Record<string, string>>, text: string): string | null {
  return Object.values(table).includes(text) ? text : lookUp(table, keyOf(text));
}
