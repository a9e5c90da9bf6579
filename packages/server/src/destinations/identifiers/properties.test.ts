import type { UserData } from '@ghostlight/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  cityOf,
  countryCode,
  countryOf,
  externalId,
  hashed,
  hashedEmail,
  hashedName,
  hashedPhone,
  nameOf,
  normaliseEmail,
  phoneE164,
  postalOf,
  regionCode,
  regionOf,
  sha256Hex,
} from './index.ts';

const EMAILS = ['plain', 'google', 'reddit', 'microsoft'] as const;
const PHONES = ['e164', 'digits'] as const;
const NAMES = ['meta', 'google', 'snap', 'trim'] as const;
const PLACES = ['meta', 'pinterest', 'snap', 'plain'] as const;

/** Whatever a sender may put into a field, blanks and half characters among it. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\u200b', '.', '+', '@', '-', '0', '٣', '\ud800') }),
  fc.constantFrom('', ' ', '__proto__', 'constructor', '0'.repeat(255), '+'.repeat(64), 'e3b0c442'.repeat(8)),
);
const anybody: fc.Arbitrary<UserData> = fc.record({
  email: fc.option(hostile),
  phone: fc.option(hostile),
  firstName: fc.option(hostile),
  lastName: fc.option(hostile),
  address: fc.option(
    fc.record({
      street: fc.option(hostile),
      city: fc.option(hostile),
      region: fc.option(hostile),
      postalCode: fc.option(hostile),
      country: fc.option(hostile),
      extra: fc.constant({}),
    }),
  ),
  extra: fc.constant({}),
});

function digestsOf(user: UserData): (string | null)[] {
  return [
    ...EMAILS.map((style) => hashedEmail(user, style)),
    ...PHONES.map((style) => hashedPhone(user, style)),
    ...NAMES.flatMap((style) => [hashedName(user, 'first', style), hashedName(user, 'last', style)]),
    ...PLACES.flatMap((style) => [cityOf, regionOf, postalOf].map((read) => hashed(read(user, style)))),
    hashed(countryOf(user)),
  ];
}

it('never throws, and makes nothing but digests and null of whatever text comes', () => {
  fc.assert(
    fc.property(anybody, (user) => {
      for (const digest of digestsOf(user)) if (digest !== null) expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(nameOf(user, 'first', 'plain')).not.toBe('');
    }),
    { numRuns: 500 },
  );
});

it('never hashes nothing: its digest would match everyone without a value', () => {
  const ofNothing = [sha256Hex(''), sha256Hex(' '), sha256Hex('@'), sha256Hex('+'), sha256Hex('null')];
  fc.assert(
    fc.property(anybody, (user) => {
      // A sender of the digest of nothing gets it back: it can't be recognised.
      const given = JSON.stringify(user).toLowerCase();
      for (const digest of digestsOf(user))
        if (digest !== null && !given.includes(digest)) expect(ofNothing).not.toContain(digest);
    }),
    { numRuns: 500 },
  );
});

it('passes a digest on as it is, in lower case, and never hashes it again', () => {
  const digest = fc.string({
    unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
    minLength: 64,
    maxLength: 64,
  });
  fc.assert(
    fc.property(digest, (text) => {
      const address = { street: null, city: text, region: text, postalCode: text, country: null, extra: {} };
      const user = {
        email: ` ${text}`,
        phone: `${text} `,
        firstName: text,
        lastName: text,
        address,
        extra: {},
      };
      const known = digestsOf(user).filter((found) => found !== null);
      // Places have no digest in plain style, and a digest names no country.
      expect(known).toHaveLength(EMAILS.length + PHONES.length + 2 * NAMES.length + 3 * (PLACES.length - 1));
      for (const found of known) expect(found).toBe(text.toLowerCase());
      expect(hashed(hashed(text))).toBe(text.toLowerCase());
      expect(nameOf(user, 'first', 'plain')).toBe(null);
      expect(phoneE164(user)).toBe(null);
      expect(externalId(text)).toBe(text.toLowerCase());
    }),
  );
});

it('normalises what is normalised to itself', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.constantFrom(...EMAILS), (email, style) => {
      const once = normaliseEmail(email, style);
      if (once !== null) expect(normaliseEmail(once, style)).toBe(once);
    }),
  );
});

it('reads any text for a country or a region without naming one that is none', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(countryCode(text) ?? 'DE').toMatch(/^[A-Z]{2}$/);
      expect(regionCode(null, text) ?? 'CA').toMatch(/^[A-Z]{2}$/);
    }),
  );
});
