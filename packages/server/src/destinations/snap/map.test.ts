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
import { snap } from './index.ts';

const destination = define(snap);
const PIXEL = '1ec32188-754e-4be2-8e55-c949a984a39f';
const made = (
  conversion = conversionOf(),
  context = contextOf(),
  more: object = {},
  events: Record<string, string> = {},
) => decide(destination, { config: { pixel_id: PIXEL, ...more }, events }, conversion, context, OCCURRED);

describe('an event of Snap', () => {
  it('is the documented example, with money as numbers', () => {
    expect(eventOf(made(conversionOf(), contextOf({ sccid: 'Sc.Click' }, { _scid: 'cookie-1' })))).toEqual({
      event_name: 'PURCHASE',
      event_time: 1_796_169_600,
      event_id: 'ord_1001',
      action_source: 'WEB',
      event_source_url: 'https://shop.example/thanks',
      user_data: {
        em: [sha.email],
        ph: [sha.digits],
        fn: [sha256Hex('john')],
        ln: [sha256Hex('smith')],
        ct: [sha256Hex('mountain view')],
        st: [sha256Hex('ca')],
        zp: [sha256Hex('94043')],
        country: [sha256Hex('us')],
        external_id: [externalId(VISITOR)],
        client_ip_address: '203.0.113.7',
        client_user_agent: 'Mozilla/5.0',
        sc_click_id: 'Sc.Click',
        sc_cookie1: 'cookie-1',
      },
      custom_data: {
        value: 99.9,
        currency: 'USD',
        order_id: 'ord_1001',
        num_items: 2,
        contents: [{ id: 'sku1', quantity: 2, item_price: 49.95 }],
      },
    });
  });

  it("hashes Snap's own examples as Snap does", () => {
    const user = { ...PERSON, email: 'Person@Example.com', phone: '+44 844 412 4653', firstName: 'Raphaël' };
    expect(eventOf(made(conversionOf({ user })))).toMatchObject({
      user_data: {
        em: ['542d240129883c019e106e3b1b2d3f3cb3537c43c425364de8e951d5a3083345'],
        ph: ['dc008fda46e2e64002cf2f82a4906236282d431c4f75e5b60bfe79fc48546383'],
        fn: ['e74bb89e718fe1e19c422a48382870399f8bf7ca8dfa008739e75b0be76627b7'],
      },
    });
  });

  it('says no more of a bare order than is known, and that the page is missing', () => {
    const outcome = made(bareConversion(), strangerContext({ pageUrl: null, ...consentOf('unknown') }));
    expect(eventOf(outcome)).toEqual({
      event_name: 'PURCHASE',
      event_time: 1_796_169_600,
      event_id: 'ord_1001',
      action_source: 'WEB',
      user_data: { em: [sha.email] },
      custom_data: { value: 99.9, currency: 'USD', order_id: 'ord_1001' },
    });
    expect(outcome).toMatchObject({ group: 'no_page', notes: [expect.stringContaining('landing page')] });
    expect(made()).not.toHaveProperty('group');
  });

  it.each<[Topic, string]>([
    ['purchase', 'PURCHASE'],
    ['lead', 'CUSTOM_EVENT_2'],
    ['signup', 'SIGN_UP'],
    ['subscription', 'SUBSCRIBE'],
    ['custom', 'CUSTOM_EVENT_1'],
  ])('of a %s is called %s', (topic, name) => {
    const conversion = conversionOf({ topic, eventName: topic === 'custom' ? 'Demo booked' : null });
    expect(made(conversion)).toMatchObject({ name, event: { event_name: name } });
  });

  it('puts custom events into the slots that they are mapped to', () => {
    const events = { 'custom:Demo booked': 'CUSTOM_EVENT_4', custom: 'CUSTOM_EVENT_2' };
    const named = (eventName: string) =>
      made(conversionOf({ topic: 'custom', eventName }), contextOf(), {}, events);
    expect(named('Demo booked')).toMatchObject({ name: 'CUSTOM_EVENT_4' });
    expect(named('Other')).toMatchObject({ name: 'CUSTOM_EVENT_2' });
  });

  it('is none of a refund, and none of a purchase without its value', () => {
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
    const free = conversionOf({ topic: 'lead', value: null, currency: null });
    expect(made(free, contextOf(), {}, { lead: 'PURCHASE' })).toEqual({ skip: 'missing_value' });
    expect(made(free)).not.toHaveProperty('skip');
  });

  it('needs an email address, a phone, or address and browser together; a click is not enough', () => {
    const nobody = conversionOf({ user: null });
    const clicked = contextOf({ sccid: 'a' }, { _scid: 'b' }, { client: null });
    expect(made(nobody, clicked)).toEqual({ skip: 'no_identifier' });
    expect(made(nobody)).not.toHaveProperty('skip');
    const phone = conversionOf({ user: { ...PERSON, email: null } });
    expect(eventOf(made(phone, strangerContext()))).toMatchObject({ user_data: { ph: [sha.digits] } });
  });

  it('follows what was said about advertising and about sale of data', () => {
    const withConsent = (...said: Parameters<typeof consentOf>) =>
      made(conversionOf(), contextOf({}, {}, consentOf(...said)));
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(eventOf(withConsent('granted'))).not.toHaveProperty('data_processing_options');
    expect(eventOf(withConsent('unknown', false))).toMatchObject({ data_processing_options: ['LMU'] });
    expect(eventOf(made(conversionOf(), contextOf(), { limited_data_use: true }))).toMatchObject({
      data_processing_options: ['LMU'],
    });
  });

  it('is 37 days old at most', () => {
    const at = (age: number) => made(conversionOf({ occurredAt: OCCURRED - age }));
    expect(at(37 * 86_400_000)).not.toHaveProperty('skip');
    expect(at(37 * 86_400_000 + 1)).toEqual({ skip: 'too_old' });
  });
});
