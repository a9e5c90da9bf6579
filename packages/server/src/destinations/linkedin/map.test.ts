import type { Topic } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { decide } from '../decide.ts';
import { define } from '../define.ts';
import { externalId, sha256Hex } from '../identifiers/index.ts';
import {
  bareConversion,
  consentOf,
  contextOf,
  conversionOf,
  eventOf,
  OCCURRED,
  PERSON,
  sha,
  strangerContext,
  VISITOR,
} from '../testing.ts';
import { linkedin } from './index.ts';

const destination = define(linkedin);
const RULES = { purchase: '23456', lead: '23457', signup: '23458', subscription: '23459', custom: '23460' };
const made = (conversion = conversionOf(), context = contextOf(), events: Record<string, string> = RULES) =>
  decide(destination, { config: {}, events }, conversion, context, OCCURRED);

describe('an event of LinkedIn', () => {
  it('is the documented example: money as text, time in milliseconds, names in plain', () => {
    const user = { ...PERSON, firstName: 'Mary', email: 'person@example.com' };
    const context = contextOf({ li_fat_id: 'df5gf5-gh6t7' });
    expect(eventOf(made(conversionOf({ user }), context))).toEqual({
      conversion: 'urn:lla:llaPartnerConversion:23456',
      conversionHappenedAt: 1_796_169_600_000,
      conversionValue: { currencyCode: 'USD', amount: '99.90' },
      eventId: 'ord_1001',
      user: {
        userIds: [
          { idType: 'SHA256_EMAIL', idValue: sha256Hex('person@example.com') },
          { idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: 'df5gf5-gh6t7' },
        ],
        userInfo: { firstName: 'Mary', lastName: 'Smith', countryCode: 'US' },
        externalIds: [externalId(VISITOR)],
      },
    });
  });

  it('says no more of a bare order than is known', () => {
    expect(eventOf(made(bareConversion(), strangerContext()))).toEqual({
      conversion: 'urn:lla:llaPartnerConversion:23456',
      conversionHappenedAt: 1_796_169_600_000,
      conversionValue: { currencyCode: 'USD', amount: '99.90' },
      eventId: 'ord_1001',
      user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: sha.email }] },
    });
  });

  it.each([
    ['JPY', '1500', '1500'],
    ['EUR', '0', '0.00'],
    ['KWD', '1.5', '1.500'],
    ['USD', '9.9999', '9.9999'],
  ])('writes %s %s as %s', (currency, value, amount) => {
    expect(eventOf(made(conversionOf({ value, currency })))).toMatchObject({
      conversionValue: { currencyCode: currency, amount },
    });
  });

  it('has no value where there is none', () => {
    expect(eventOf(made(conversionOf({ topic: 'lead', value: null, currency: null })))).not.toHaveProperty(
      'conversionValue',
    );
  });

  it.each<[Topic, string]>(Object.entries(RULES) as [Topic, string][])(
    'of a %s goes to the rule that it is mapped to',
    (topic, rule) => {
      expect(made(conversionOf({ topic, eventName: topic === 'custom' ? 'demo' : null }))).toMatchObject({
        name: rule,
        event: { conversion: `urn:lla:llaPartnerConversion:${rule}` },
      });
    },
  );

  it('is none without a mapping, and none of a refund', () => {
    for (const topic of ['purchase', 'lead', 'signup', 'subscription', 'custom'] as const)
      expect(made(conversionOf({ topic }), contextOf(), {})).toEqual({ skip: 'no_mapping' });
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
  });

  it('needs an address, a click, or both names', () => {
    const user = { ...PERSON, email: null };
    const half = conversionOf({ user: { ...user, lastName: null } });
    expect(made(half)).toEqual({ skip: 'no_identifier' });
    expect(eventOf(made(half, contextOf({}, { li_fat_id: 'of-the-cookie' })))).toMatchObject({
      user: { userIds: [{ idValue: 'of-the-cookie' }] },
    });
    expect(eventOf(made(conversionOf({ user })))).toMatchObject({
      user: { userIds: [], userInfo: { firstName: 'John', lastName: 'Smith' } },
    });
    expect(made(conversionOf({ user: null }))).toEqual({ skip: 'no_identifier' });
  });

  it('prefers the click of the landing to the one of the cookie', () => {
    const context = contextOf({ li_fat_id: 'landed' }, { li_fat_id: 'older' });
    expect(eventOf(made(bareConversion(), context))).toMatchObject({
      user: { userIds: [{ idValue: sha.email }, { idValue: 'landed' }] },
    });
  });

  it('leaves out names that LinkedIn has no room for', () => {
    const user = { ...PERSON, lastName: 'x'.repeat(36) };
    expect(eventOf(made(conversionOf({ user })))).not.toHaveProperty('user.userInfo');
  });

  it('has the digest of an id that is too long, and says so', () => {
    const fits = 'x'.repeat(64);
    const long = 'x'.repeat(65);
    expect(made(conversionOf({ conversionId: fits }))).toMatchObject({ event: { eventId: fits } });
    expect(made(conversionOf({ conversionId: fits }))).not.toHaveProperty('notes');
    expect(made(conversionOf({ conversionId: long }))).toMatchObject({
      event: { eventId: sha256Hex(long) },
      notes: [expect.stringContaining('longer than 64')],
    });
  });

  it('has no field for consent: a no is held back, silence is not', () => {
    const withConsent = (state: 'granted' | 'denied' | 'unknown') =>
      made(conversionOf(), contextOf({}, {}, consentOf(state)));
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(withConsent('unknown')).toEqual(withConsent('granted'));
  });

  it('is 90 days old at most', () => {
    const at = (age: number) => made(conversionOf({ occurredAt: OCCURRED - age }));
    expect(at(90 * 86_400_000)).not.toHaveProperty('skip');
    expect(at(90 * 86_400_000 + 1)).toEqual({ skip: 'too_old' });
  });
});
