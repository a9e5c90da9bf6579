/** Where a person lives, normalised but not hashed: `hashed()` does that where a platform wants it. */
import type { UserData } from '@ghostlight/core';
import { countryCode } from './country.ts';
import { isHashed } from './hash.ts';
import { regionCode } from './region.ts';

/**
 * - `meta`: city of a–z and 0–9, states of the US and Canada by two letters, post code before its hyphen
 * - `letters`: for cities alone: letters and digits, each without its accent
 * - `pinterest`: city of letters, states by two letters, post code of digits, and none where they are not all of it (`SW1A 1AA`)
 * - `snap`: without punctuation; as `pinterest`, five digits of a US code of nine
 * - `plain`: trimmed, in lower case except for the region, which is a code where one is known (Google, GA4, TikTok, OpenAI); a digest is null
 */
export type PlaceStyle = 'meta' | 'letters' | 'pinterest' | 'snap' | 'plain';

/** @returns lower case, or null for what is nothing by the platform's rules; a digest as it is, in lower case */
export function cityOf(user: UserData | null, style: PlaceStyle): string | null {
  return placed(user?.address?.city, style, (city) => {
    if (style === 'plain') return city;
    if (style === 'snap') return city.replace(PUNCTUATION, '').trim();
    if (style === 'pinterest') return city.replace(/[^\p{L}]/gu, '');
    if (style === 'letters') return city.normalize('NFD').replace(/[^\p{L}\p{N}]/gu, '');
    const ascii = city.replace(/[^a-z0-9]/gu, '');
    return /^[a-z]/u.test(ascii) ? ascii : '';
  });
}

/** @returns as `cityOf`; `plain` gives `CA` for California */
export function regionOf(user: UserData | null, style: PlaceStyle): string | null {
  const country = countryOf(user);
  return placed(user?.address?.region, style, (region) => {
    const code = regionCode(country, region);
    if (style === 'plain') return code ?? region;
    if (code !== null) return code.toLowerCase();
    const hasTwoLetters = country === 'US' || country === 'CA';
    if (style === 'pinterest' || (style === 'meta' && hasTwoLetters)) return '';
    const bare = region.replace(PUNCTUATION, '');
    return style === 'meta' ? bare.replace(/\s/gu, '') : bare.trim();
  });
}

/** @returns as `cityOf`; `plain` in upper case, as post codes are written */
export function postalOf(user: UserData | null, style: PlaceStyle): string | null {
  return placed(user?.address?.postalCode, style, (code) => {
    if (style === 'plain') return code.toUpperCase();
    if (style === 'pinterest') return digitsOf(fiveOf(code));
    if (style === 'snap') return fiveOf(code).replace(/[\s\p{P}\p{S}]/gu, '');
    const first = (code.split('-')[0] ?? '').trim();
    return first.length < 2 ? '' : first;
  });
}

/** ZIP+4 without the four, which say the side of a street. */
const fiveOf = (code: string): string => /^([0-9]{5})[-\s]?[0-9]{4}$/u.exec(code)?.[1] ?? code;

/** Nothing where letters precede digits, except for the letters of a country: `11` is no part of London. */
function digitsOf(code: string): string {
  const local = code.replace(/^[a-z]{1,3}[-\s]+(?=[0-9])/u, '');
  return /[a-z].*[0-9]/u.test(local) ? '' : local.replace(/[^0-9]/gu, '');
}

/** @returns ISO 3166-1 alpha-2 in upper case, or null; platforms that hash it want it in lower case */
export function countryOf(user: UserData | null): string | null {
  return countryCode(user?.address?.country ?? null);
}

const PUNCTUATION = /[\p{P}\p{S}]/gu;

function placed(
  value: string | null | undefined,
  style: PlaceStyle,
  normalise: (text: string) => string,
): string | null {
  const text = value?.trim().toLowerCase() ?? '';
  if (isHashed(text)) return style === 'plain' ? null : text;
  const normal = normalise(text);
  return /[\p{L}\p{N}]/u.test(normal) ? normal : null;
}
