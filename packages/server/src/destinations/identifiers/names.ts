/** First and last names, normalised but not hashed: `hashed()` does that where a platform wants it. */
import type { UserData } from '@ghostlight/core';
import { hashed, isHashed } from './hash.ts';

/**
 * - `meta`: lower case, without white space and ASCII punctuation; letters of every script stay
 * - `google`: lower case, trimmed, without titles, digits and punctuation (Google Ads, GA4)
 * - `snap`: lower case, trimmed, without punctuation
 * - `trim`: lower case, trimmed (TikTok, Pinterest)
 * - `plain`: as it was written, trimmed; a digest is null (LinkedIn)
 */
export type NameStyle = 'meta' | 'google' | 'snap' | 'trim' | 'plain';

/** @returns null for what is nothing after that; a digest as it is, in lower case */
export function nameOf(user: UserData | null, which: 'first' | 'last', style: NameStyle): string | null {
  const name = (which === 'first' ? user?.firstName : user?.lastName) ?? null;
  return name === null ? null : normaliseName(name, style);
}

/** SHA-256 of `nameOf`. */
export function hashedName(
  user: UserData | null,
  which: 'first' | 'last',
  style: Exclude<NameStyle, 'plain'>,
): string | null {
  return hashed(nameOf(user, which, style));
}

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/gu;
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|sir|rev)\.?\s+|[\s,]+(?:jr|sr|ii|iii|iv|phd|md)\.?$/gu;

/** @returns null for what has no letter of any script after that: the digest of `-` would match everyone who typed it */
export function normaliseName(name: string, style: NameStyle): string | null {
  const text = name.trim().toLowerCase();
  if (isHashed(text)) return style === 'plain' ? null : text;
  const normal = style === 'plain' ? name.trim() : RULES[style](text);
  return /\p{L}/u.test(normal) ? normal : null;
}

const RULES: Readonly<Record<Exclude<NameStyle, 'plain'>, (text: string) => string>> = {
  meta: (text) => text.replace(/\s/gu, '').replace(ASCII_PUNCTUATION, ''),
  google: (text) =>
    text
      .replace(TITLES, '')
      .replace(/[\p{P}\p{S}\p{N}]/gu, '')
      .trim(),
  snap: (text) => text.replace(/[\p{P}\p{S}]/gu, '').trim(),
  trim: (text) => text,
};
