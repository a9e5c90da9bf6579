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
  strangerContext,
  VISITOR,
} from '../testing.ts';
import { microsoft } from './index.ts';

const destination = define(microsoft);
const GOALS = {
  purchase: 'purchase',
  lead: 'submit_lead_form',
  signup: 'signup',
  subscription: 'subscribe',
  custom: 'demo booked',
};
const made = (
  conversion = conversionOf(),
  context = contextOf(),
  more: object = {},
  events: Record<string, string> = GOALS,
) => decide(destination, { config: { tag_id: '187012345', ...more }, events }, conversion, context, OCCURRED);
const KNOWN = contextOf({ msclkid: 'abc123' }, { _uetvid: 'f0b1a6e0c5d211eb8f6e0d3c1a2b3c4d' });

describe('an event of Microsoft', () => {
  it('is the documented example', () => {
    expect(eventOf(made(conversionOf(), KNOWN))).toEqual({
      eventType: 'custom',
      eventName: 'purchase',
      eventId: 'ord_1001',
      eventTime: 1_796_169_600,
      eventSourceUrl: 'https://shop.example/thanks',
      referrerUrl: 'https://chatgpt.com/',
      adStorageConsent: 'G',
      userData: {
        clientUserAgent: 'Mozilla/5.0',
        clientIpAddress: '203.0.113.7',
        anonymousId: 'f0b1a6e0c5d211eb8f6e0d3c1a2b3c4d',
        externalId: externalId(VISITOR),
        em: sha256Hex('john_smith@gmail.com'),
        ph: sha256Hex('+16505551212'),
        msclkid: 'abc123',
      },
      customData: {
        transactionId: 'ord_1001',
        value: 99.9,
        currency: 'USD',
        items: [{ id: 'sku1', name: 'Shirt', price: 49.95, quantity: 2 }],
      },
    });
  });

  it('says no more of a bare order than is known', () => {
    const context = strangerContext({ pageUrl: null, referrer: null, ...consentOf('unknown') });
    expect(eventOf(made(bareConversion(), context))).toEqual({
      eventType: 'custom',
      eventName: 'purchase',
      eventId: 'ord_1001',
      eventTime: 1_796_169_600,
      userData: { em: sha256Hex('john_smith@gmail.com') },
      customData: { transactionId: 'ord_1001', value: 99.9, currency: 'USD' },
    });
  });

  it.each([
    ['John.Doe+promo@Contoso.com', 'microsoft', 'johndoe@contoso.com'],
    ['John.Doe+promo@Contoso.com', 'plain', 'john.doe+promo@contoso.com'],
    ['john@contoso.com', 'microsoft', 'john@contoso.com'],
  ])('hashes %s by the rule "%s" as %s', (email, email_rule, normalised) => {
    const user = { ...PERSON, email };
    expect(eventOf(made(conversionOf({ user }), contextOf(), { email_rule }))).toMatchObject({
      userData: { em: sha256Hex(normalised) },
    });
  });

  it("hashes the example of Microsoft's guide as it does", () => {
    const user = { ...PERSON, email: 'john@contoso.com', phone: '+1 425 555 1234' };
    expect(eventOf(made(conversionOf({ user })))).toMatchObject({
      userData: {
        em: 'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602',
        ph: 'c59475d96e9f01d7d18d06cfad84dd02333207f02c0c2c5663ef2782cda0390e',
      },
    });
  });

  it.each<[Topic, string]>(Object.entries(GOALS) as [Topic, string][])(
    'of a %s has the action of its goal',
    (topic, name) => {
      expect(made(conversionOf({ topic, eventName: topic === 'custom' ? 'demo' : null }))).toMatchObject({
        name,
        event: { eventType: 'custom', eventName: name },
      });
    },
  );

  it('is none without a mapping, and none of a refund', () => {
    for (const topic of ['purchase', 'lead', 'signup', 'subscription', 'custom'] as const)
      expect(made(conversionOf({ topic }), contextOf(), {}, {})).toEqual({ skip: 'no_mapping' });
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
  });

  it('needs more than an address and a browser', () => {
    const nobody = conversionOf({ user: null });
    expect(made(nobody, contextOf({}, {}, { visitorId: null }))).toEqual({ skip: 'no_identifier' });
    expect(made(nobody, strangerContext())).toEqual({ skip: 'no_identifier' });
    expect(made(nobody, contextOf())).not.toHaveProperty('skip');
  });

  it('reads the click id out of the cookie of the tag where the landing had none', () => {
    const ofCookie = contextOf({}, { _uetmsclkid: '_uetdd4afccc' });
    expect(eventOf(made(conversionOf(), ofCookie))).toMatchObject({ userData: { msclkid: 'dd4afccc' } });
    const both = contextOf({ msclkid: 'landed' }, { _uetmsclkid: '_uetolder' });
    expect(eventOf(made(conversionOf(), both))).toMatchObject({ userData: { msclkid: 'landed' } });
    const empty = contextOf({}, { _uetmsclkid: '_uet' });
    expect(eventOf(made(conversionOf(), empty))).not.toHaveProperty('userData.msclkid');
  });

  it('follows what was said about advertising', () => {
    const withConsent = (state: 'granted' | 'denied' | 'unknown', more: object = {}) =>
      made(conversionOf(), { ...KNOWN, ...consentOf(state) }, more);
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(eventOf(withConsent('granted'))).toMatchObject({ adStorageConsent: 'G' });
    expect(eventOf(withConsent('unknown'))).not.toHaveProperty('adStorageConsent');
  });

  it('reports a refusal where that is asked for, by the click alone', () => {
    const refused = (context = KNOWN) =>
      made(conversionOf(), { ...context, ...consentOf('denied') }, { send_denied: true });
    expect(eventOf(refused())).toMatchObject({ adStorageConsent: 'D', userData: { msclkid: 'abc123' } });
    expect(Object.keys(eventOf(refused())['userData'] ?? {})).toEqual(['msclkid']);
    expect(refused(contextOf())).toEqual({ skip: 'no_identifier' });
  });

  it('is seven days old at most', () => {
    const at = (age: number) => made(conversionOf({ occurredAt: OCCURRED - age }));
    expect(at(7 * 86_400_000)).not.toHaveProperty('skip');
    expect(at(7 * 86_400_000 + 1)).toEqual({ skip: 'too_old' });
  });
});
