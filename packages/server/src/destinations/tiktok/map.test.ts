import type { Topic } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { decide } from '../decide.ts';
import { define } from '../define.ts';
import { externalId, hashedPhone, sha256Hex } from '../identifiers/index.ts';
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
import { tiktok } from './index.ts';

const destination = define(tiktok);
const config = { pixel_code: 'COQDA8RC77U2TMR44LI0' };
const made = (conversion = conversionOf(), context = contextOf(), more: object = {}) =>
  decide(destination, { config: { ...config, ...more }, events: {} }, conversion, context, OCCURRED);
const KNOWN = contextOf({ ttclid: 'E.C.P.abc' }, { _ttp: '2F7h37Yk' });

const addressIn = (postalCode: string | null) => ({
  ...{ street: null, city: null, region: null, country: null, extra: {} },
  postalCode,
});

describe('an event of TikTok', () => {
  it('is the documented example', () => {
    expect(eventOf(made(conversionOf(), KNOWN))).toEqual({
      event: 'Purchase',
      event_time: 1_796_169_600,
      event_id: 'ord_1001',
      user: {
        email: sha.email,
        phone: hashedPhone(PERSON, 'e164'),
        external_id: externalId(VISITOR),
        ttclid: 'E.C.P.abc',
        ttp: '2F7h37Yk',
        ip: '203.0.113.7',
        user_agent: 'Mozilla/5.0',
        first_name: sha256Hex('john'),
        last_name: sha256Hex('smith'),
        city: 'mountainview',
        state: 'ca',
        country: 'us',
        zip_code: sha256Hex('94043'),
      },
      properties: {
        contents: [
          { content_id: 'sku1', content_type: 'product', content_name: 'Shirt', price: 49.95, quantity: 2 },
        ],
        content_type: 'product',
        value: 99.9,
        currency: 'USD',
        order_id: 'ord_1001',
      },
      page: { url: 'https://shop.example/thanks', referrer: 'https://chatgpt.com/' },
      limited_data_use: false,
    });
  });

  it.each([
    ['94043-1351', '940431351'],
    [' 94043 ', '94043'],
    ['SW1A 1AA', 'sw1a1aa'],
    ['k1a-0b1', 'k1a0b1'],
    ['〒100-0001', '1000001'],
    ['AD 500', 'ad500'],
  ])('has the postal code %s as letters and digits in lower case, hashed', (postalCode, plain) => {
    const event = eventOf(made(conversionOf({ user: { ...PERSON, address: addressIn(postalCode) } }), KNOWN));
    expect(event).toMatchObject({ user: { zip_code: sha256Hex(plain) } });
  });

  it.each([null, '', ' - '])('has no postal code where %j is one', (postalCode) => {
    const event = eventOf(made(conversionOf({ user: { ...PERSON, address: addressIn(postalCode) } }), KNOWN));
    expect(event['user']).not.toHaveProperty('zip_code');
  });

  it('says no more of a bare order than is known', () => {
    const context = strangerContext({ pageUrl: null, ...consentOf('unknown') });
    expect(eventOf(made(bareConversion(), context))).toEqual({
      event: 'Purchase',
      event_time: 1_796_169_600,
      event_id: 'ord_1001',
      user: { email: sha.email },
      properties: { value: 99.9, currency: 'USD', order_id: 'ord_1001' },
    });
  });

  it.each<[Topic, string | null, string]>([
    ['purchase', null, 'Purchase'],
    ['lead', null, 'Lead'],
    ['signup', null, 'CompleteRegistration'],
    ['subscription', null, 'Subscribe'],
    ['custom', 'Demo booked', 'Demo booked'],
    ['custom', 'x'.repeat(64), 'x'.repeat(50)],
  ])('of a %s (%s) is called %s', (topic, eventName, name) => {
    expect(made(conversionOf({ topic, eventName }))).toMatchObject({ name, event: { event: name } });
  });

  it('is none of a refund', () => {
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
  });

  it('has no order number where there is no order', () => {
    expect(eventOf(made(conversionOf({ topic: 'lead' })))).not.toHaveProperty('properties.order_id');
  });

  it('takes the referrer along only beside its page', () => {
    expect(eventOf(made(conversionOf(), contextOf({}, {}, { pageUrl: null })))).not.toHaveProperty('page');
  });

  it('is recognised by any one identifier, and is none without', () => {
    const nobody = conversionOf({ user: null });
    expect(made(nobody, strangerContext())).toEqual({ skip: 'no_identifier' });
    expect(eventOf(made(nobody, strangerContext({ visitorId: VISITOR })))).toMatchObject({
      user: { external_id: externalId(VISITOR) },
    });
    expect(eventOf(made(nobody, { ...KNOWN, visitorId: null, client: null }))).toMatchObject({
      user: { ttclid: 'E.C.P.abc', ttp: '2F7h37Yk' },
    });
  });

  it('is not recognised by a name and a place', () => {
    const user = { ...PERSON, email: null, phone: null };
    expect(made(conversionOf({ user }), strangerContext())).toEqual({ skip: 'no_identifier' });
  });

  it('follows what was said about advertising and about sale of data', () => {
    const withConsent = (...said: Parameters<typeof consentOf>) =>
      made(conversionOf(), contextOf({}, {}, consentOf(...said)));
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(eventOf(withConsent('unknown'))).not.toHaveProperty('limited_data_use');
    expect(eventOf(withConsent('granted'))).toMatchObject({ limited_data_use: false });
    expect(eventOf(withConsent('unknown', true))).toMatchObject({ limited_data_use: false });
    expect(eventOf(withConsent('granted', false))).toMatchObject({ limited_data_use: true });
    expect(eventOf(made(conversionOf(), contextOf(), { limited_data_use: true }))).toMatchObject({
      limited_data_use: true,
    });
  });

  it('is as old as the destination says, at most', () => {
    const day = 86_400_000;
    const aged = (age: number, more: object = {}) =>
      'skip' in made(conversionOf({ occurredAt: OCCURRED - age }), contextOf(), more);
    expect([aged(7 * day), aged(7 * day + 1)]).toEqual([false, true]);
    expect([aged(28 * day, { max_age_days: 28 }), aged(28 * day + 1, { max_age_days: 28 })]).toEqual([
      false,
      true,
    ]);
    expect(() => made(conversionOf(), contextOf(), { max_age_days: 29 })).toThrow();
  });
});
