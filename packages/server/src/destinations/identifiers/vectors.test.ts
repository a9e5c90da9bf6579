/** What the platforms publish about their hashing, and our own cases for the rules that they only describe. */
import type { UserData } from '@ghostlight/core';
import { parsePhoneNumberFromString as parseByLargeMetadata } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import {
  cityOf,
  countryCode,
  type EmailStyle,
  externalId,
  hashed,
  hashedEmail,
  hashedPhone,
  type NameStyle,
  nameOf,
  normaliseEmail,
  type PlaceStyle,
  phoneE164,
  postalOf,
  regionCode,
  regionOf,
  sha256Hex,
} from './index.ts';
import emails from './vectors/emails.json' with { type: 'json' };
import names from './vectors/names-and-places.json' with { type: 'json' };
import phones from './vectors/phones.json' with { type: 'json' };

const ADDRESS = { street: null, city: null, region: null, postalCode: null, country: null, extra: {} };
const NOBODY: UserData = {
  email: null,
  phone: null,
  firstName: null,
  lastName: null,
  address: null,
  extra: {},
};
const someone = (said: Partial<UserData>): UserData => ({ ...NOBODY, ...said });
const caller = (phone: string, country: string | null): UserData =>
  someone({ phone, address: { ...ADDRESS, country } });

describe('email addresses', () => {
  it.each(emails.cases)('$style: $input → $normalised', ({ style, input, normalised, sha256 }) => {
    expect(normaliseEmail(input, style as EmailStyle)).toBe(normalised);
    expect(hashedEmail(someone({ email: input }), style as EmailStyle)).toBe(sha256 ?? sha256Hex(normalised));
  });

  it.each(emails.sameInput)(
    '$input has another digest where another rule holds',
    ({ input, ...expected }) => {
      for (const [style, normalised] of Object.entries(expected))
        expect(hashedEmail(someone({ email: input }), style as EmailStyle)).toBe(sha256Hex(normalised));
      expect(expected.plain === expected.microsoft).toBe(false);
    },
  );

  it.each(emails.nothing)('%j is no address, and nothing is hashed', (email) => {
    for (const style of ['plain', 'google', 'reddit', 'microsoft'] as const)
      expect(hashedEmail(someone({ email }), style)).toBe(null);
  });

  it.each(emails.nothingAtGoogle)('%j is nothing without its dots and tag', (email) => {
    for (const style of ['google', 'reddit', 'microsoft'] as const)
      expect(hashedEmail(someone({ email }), style)).toBe(null);
  });
});

describe('telephone numbers', () => {
  it.each(phones.cases)('$input ($country) → $e164', ({ input, country, e164 }) => {
    expect(phoneE164(caller(input, country))).toBe(e164);
    expect(hashedPhone(caller(input, country), 'digits')).toBe(e164 && sha256Hex(e164.slice(1)));
  });

  it('would be wrong by their digits alone for more than half of these', () => {
    const usable = phones.cases.filter(({ e164 }) => e164 !== null);
    const wrong = usable.filter(({ input, e164 }) => `+${input.replace(/\D/g, '')}` !== e164);
    expect(wrong.length).toBeGreaterThan(usable.length / 2);
    for (const { input, naive } of phones.cases) expect(input.replace(/\D/g, '')).toBe(naive);
  });

  it.each(phones.cases)('$input is read the same by the large metadata', ({ input, country, e164 }) => {
    const defaultCountry = countryCode(country);
    const options = {
      extract: false,
      ...(defaultCountry === null ? {} : { defaultCountry: defaultCountry as 'US' }),
    };
    const number = parseByLargeMetadata(input, options);
    expect(number?.isPossible() ? number.number : null).toBe(e164);
  });

  it.each(phones.digests)('$input has the published digest', ({ style, input, country, sha256 }) => {
    expect(hashedPhone(caller(input, country), style as 'e164' | 'digits')).toBe(sha256);
  });
});

describe('names and places', () => {
  it.each(names.names)('$style: $input → $normalised', ({ style, input, normalised, sha256 }) => {
    const name = nameOf(someone({ firstName: input }), 'first', style as NameStyle);
    expect(name).toBe(normalised);
    if (sha256 !== null) expect(hashed(name)).toBe(sha256);
  });

  it.each(names.places)('$style: $address.city', ({ style, address, city, region, postal }) => {
    const user = someone({ address: { ...ADDRESS, ...address } });
    const place = style as PlaceStyle;
    expect([cityOf(user, place), regionOf(user, place), postalOf(user, place)]).toEqual([
      city,
      region,
      postal,
    ]);
  });

  it.each(Object.entries(names.countries))('%j is the country %s', (name, code) => {
    expect(countryCode(name)).toBe(code);
  });

  it.each(names.regions)('$input in $country is $code', ({ country, input, code }) => {
    expect(regionCode(country, input)).toBe(code);
  });

  it.each(names.externalIds)('$input has the published digest as an external id', ({ input, sha256 }) => {
    expect(externalId(input)).toBe(sha256);
  });
});
