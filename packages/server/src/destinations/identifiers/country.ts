/** Countries as shops write them: a code, or a name in English or in the country's own language. */

/** @returns ISO 3166-1 alpha-2 in upper case, or null for what is no country */
export function countryCode(country: string | null): string | null {
  const text = country?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(text) ? text : null;
}
