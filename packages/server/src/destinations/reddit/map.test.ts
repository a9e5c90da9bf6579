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
import { reddit } from './index.ts';

const destination = define(reddit);
const made = (
  conversion = conversionOf(),
  context = contextOf(),
  more: object = {},
  events: Record<string, string> = {},
) =>
  decide(
    destination,
    { config: { pixel_id: 'a2_gu5yg1ki8lp4', ...more }, events },
    conversion,
    context,
    OCCURRED,
  );
const KNOWN = contextOf({ rdt_cid: 'abc' }, { _rdt_uuid: '1796000000000.3fa85f64' });

describe('an event of Reddit', () => {
  it('is the documented example: time in milliseconds, types in capitals', () => {
    const context = { ...KNOWN, ...consentOf('granted', false) };
    expect(eventOf(made(conversionOf(), context))).toEqual({
      event_at: 1_796_169_600_000,
      action_source: 'WEBSITE',
      event_source_url: 'https://shop.example/thanks',
      click_id: 'abc',
      type: { tracking_type: 'PURCHASE' },
      metadata: {
        conversion_id: 'ord_1001',
        currency: 'USD',
        value: 99.9,
        item_count: 2,
        products: [{ id: 'sku1', name: 'Shirt', item_price: 49.95, quantity: 2 }],
      },
      user: {
        email: sha256Hex('johnsmith@gmail.com'),
        phone_number: sha256Hex('+16505551212'),
        external_id: externalId(VISITOR),
        ip_address: '203.0.113.7',
        user_agent: 'Mozilla/5.0',
        uuid: '1796000000000.3fa85f64',
        data_processing_options: { modes: ['LDU'] },
      },
    });
  });

  it("hashes Reddit's own example as Reddit does", () => {
    const user = { ...PERSON, email: 'Al.ice$+Apple@Example.Com' };
    expect(eventOf(made(conversionOf({ user })))).toMatchObject({
      user: { email: 'ff8d9819fc0e12bf0d24892e45987e249a28dce836a85cad60e28eaaa8c6d976' },
    });
  });

  it('says no more of a bare order than is known', () => {
    const context = strangerContext({ pageUrl: null, ...consentOf('unknown') });
    expect(eventOf(made(bareConversion(), context))).toEqual({
      event_at: 1_796_169_600_000,
      action_source: 'WEBSITE',
      type: { tracking_type: 'PURCHASE' },
      metadata: { conversion_id: 'ord_1001', currency: 'USD', value: 99.9 },
      user: { email: sha256Hex('johnsmith@gmail.com') },
    });
  });

  it.each<[Topic, string | null, object]>([
    ['purchase', null, { tracking_type: 'PURCHASE' }],
    ['lead', null, { tracking_type: 'LEAD' }],
    ['signup', null, { tracking_type: 'SIGN_UP' }],
    ['subscription', null, { tracking_type: 'CUSTOM', custom_event_name: 'Subscribe' }],
    ['custom', 'Demo booked', { tracking_type: 'CUSTOM', custom_event_name: 'Demo booked' }],
  ])('of a %s (%s) has the type %j', (topic, eventName, type) => {
    expect(eventOf(made(conversionOf({ topic, eventName })))).toMatchObject({ type });
  });

  it('becomes a custom event by a mapping to any other name', () => {
    const mapped = made(conversionOf({ topic: 'lead' }), contextOf(), {}, { lead: 'Hot lead' });
    expect(mapped).toMatchObject({
      name: 'Hot lead',
      event: { type: { tracking_type: 'CUSTOM', custom_event_name: 'Hot lead' } },
    });
  });

  it('is none of a refund', () => {
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
  });

  it('is recognised by any match key, and is none without', () => {
    const nobody = conversionOf({ user: null });
    expect(made(nobody, strangerContext())).toEqual({ skip: 'no_identifier' });
    expect(made(nobody, contextOf({}, {}, { visitorId: null }))).toEqual({ skip: 'no_identifier' });
    for (const context of [
      strangerContext({ visitorId: VISITOR }),
      contextOf({ rdt_cid: 'abc' }, {}, { visitorId: null, client: null }),
      contextOf({}, { _rdt_uuid: '1.2' }, { visitorId: null, client: null }),
    ])
      expect(made(nobody, context)).not.toHaveProperty('skip');
  });

  it('has no click where there was none', () => {
    expect(eventOf(made())).not.toHaveProperty('click_id');
  });

  it('follows what was said about advertising and about sale of data', () => {
    const withConsent = (...said: Parameters<typeof consentOf>) =>
      made(conversionOf(), contextOf({}, {}, consentOf(...said)));
    const options = 'user.data_processing_options';
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(eventOf(withConsent('granted'))).not.toHaveProperty(options);
    expect(eventOf(withConsent('unknown'))).not.toHaveProperty(options);
    expect(eventOf(withConsent('unknown', false))).toHaveProperty(options, { modes: ['LDU'] });
    const always = made(conversionOf(), contextOf(), { limited_data_use: true });
    expect(eventOf(always)).toHaveProperty(options, { modes: ['LDU'] });
  });

  it('is seven days old at most', () => {
    const at = (age: number) => made(conversionOf({ occurredAt: OCCURRED - age }));
    expect(at(7 * 86_400_000)).not.toHaveProperty('skip');
    expect(at(7 * 86_400_000 + 1)).toEqual({ skip: 'too_old' });
  });
});
