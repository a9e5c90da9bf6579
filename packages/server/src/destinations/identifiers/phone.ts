/**
 * Telephone numbers. Digits alone would be wrong for half of what shops store: `+44 (0)20…`, extensions, national forms, other digits
 * than 0–9. The small metadata of libphonenumber gives the same answers as the large one for every vector, at half the size.
 */
import type { UserData } from '@ghostlight/core';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { countryCode } from './country.ts';
import { hashed, isHashed } from './hash.ts';

/**
 * @returns `+442079460958`, without extension; null for a digest, for what is no number, and for a national number without a country to
 * read it by. Length decides (`isPossible`), not the plan of numbers: that changes faster than our copy of it.
 */
export function phoneE164(user: UserData | null): string | null {
  const phone = user?.phone ?? null;
  if (phone === null || isHashed(phone)) return null;
  const country = countryCode(user?.address?.country ?? null);
  const defaultCountry = country !== null && isSupportedCountry(country) ? country : undefined;
  const number = parsePhoneNumberFromString(
    phone,
    defaultCountry === undefined ? { extract: false } : { defaultCountry, extract: false },
  );
  return number?.isPossible() ? number.number : null;
}

/** @param style `e164` with its plus (Google, TikTok, Microsoft, Reddit), `digits` without (Meta, Pinterest, Snap) */
export function hashedPhone(user: UserData | null, style: 'e164' | 'digits'): string | null {
  const phone = user?.phone ?? null;
  if (phone !== null && isHashed(phone)) return hashed(phone);
  const number = phoneE164(user);
  return hashed(style === 'digits' ? (number?.slice(1) ?? null) : number);
}

/** What to show with an event of a platform that takes numbers. @returns nothing where there is none, or a usable one */
export function notesOnPhone(user: UserData | null): readonly string[] {
  const isLeftOut = (user?.phone ?? null) !== null && hashedPhone(user, 'e164') === null;
  return isLeftOut
    ? [
        'The telephone number was left out: it has no country code, no country to read it by, or not the digits of a number.',
      ]
    : [];
}
