import type { JsonObject, Topic } from '@ghostlight/core';
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
import { pinterest } from './index.ts';

const destination = define(pinterest);
const made = (conversion = conversionOf(), context = contextOf(), more: object = {}) =>
  decide(
    destination,
    { config: { ad_account_id: '549755885175', ...more }, events: {} },
    conversion,
    context,
    OCCURRED,
  );

describe('an event of Pinterest', () => {
  it('is the documented example: money as text, digests in lists', () => {
    expect(eventOf(made(conversionOf(), contextOf({ epik: 'dj0yJnU9' })))).toEqual({
      event_name: 'checkout',
      action_source: 'web',
      event_time: 1_796_169_600,
      event_id: 'ord_1001',
      event_source_url: 'https://shop.example/thanks',
      opt_out: false,
      user_data: {
        em: [sha.email],
        ph: [sha.digits],
        fn: [sha256Hex('john')],
        ln: [sha256Hex('smith')],
        ct: [sha256Hex('mountainview')],
        st: [sha256Hex('ca')],
        zp: [sha256Hex('94043')],
        country: [sha256Hex('us')],
        external_id: [externalId(VISITOR)],
        client_ip_address: '203.0.113.7',
        client_user_agent: 'Mozilla/5.0',
        click_id: 'dj0yJnU9',
      },
      custom_data: {
        currency: 'USD',
        value: '99.90',
        order_id: 'ord_1001',
        num_items: 2,
        content_ids: ['sku1'],
        contents: [{ id: 'sku1', item_name: 'Shirt', item_price: '49.95', quantity: 2 }],
      },
    });
  });

  it('says no more of a bare order than is known', () => {
    const context = strangerContext({ pageUrl: null, ...consentOf('unknown') });
    expect(eventOf(made(bareConversion(), context))).toEqual({
      event_name: 'checkout',
      action_source: 'web',
      event_time: 1_796_169_600,
      event_id: 'ord_1001',
      user_data: { em: [sha.email] },
      custom_data: { currency: 'USD', value: '99.90', order_id: 'ord_1001' },
    });
  });

  it.each<[Topic, string]>([
    ['purchase', 'checkout'],
    ['lead', 'lead'],
    ['signup', 'signup'],
    ['subscription', 'subscribe'],
    ['custom', 'custom'],
  ])('of a %s is called %s', (topic, name) => {
    const conversion = conversionOf({ topic, eventName: topic === 'custom' ? 'Demo booked' : null });
    expect(made(conversion)).toMatchObject({ name, event: { event_name: name } });
  });

  it('is none of a refund', () => {
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
  });

  it('needs an email address, or address and browser together; a click is not enough', () => {
    const nobody = conversionOf({ user: null });
    const clicked = contextOf({ epik: 'dj0yJnU9' }, {}, { client: null });
    expect(made(nobody, clicked)).toEqual({ skip: 'no_identifier' });
    expect(eventOf(made(nobody, contextOf()))).toMatchObject({
      user_data: { client_ip_address: '203.0.113.7', client_user_agent: 'Mozilla/5.0' },
    });
    const phone = conversionOf({ user: { ...PERSON, email: null } });
    expect(made(phone, strangerContext())).toEqual({ skip: 'no_identifier' });
  });

  it('takes the click id of the cookie where the landing had none', () => {
    const click = (context: ReturnType<typeof contextOf>) =>
      (eventOf(made(conversionOf(), context))['user_data'] as JsonObject)['click_id'];
    expect(click(contextOf({}, { _epik: 'of-the-cookie' }))).toBe('of-the-cookie');
    expect(click(contextOf({ epik: 'landed' }, { _epik: 'older' }))).toBe('landed');
    expect(click(contextOf())).toBeUndefined();
  });

  it('follows what was said about advertising and about sale of data', () => {
    const withConsent = (...said: Parameters<typeof consentOf>) =>
      made(conversionOf(), contextOf({}, {}, consentOf(...said)));
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(eventOf(withConsent('unknown'))).not.toHaveProperty('opt_out');
    expect(eventOf(withConsent('granted'))).not.toHaveProperty('custom_data.opt_out_type');
    expect(eventOf(withConsent('granted', false))).toMatchObject({ custom_data: { opt_out_type: 'LDP' } });
    expect(eventOf(made(conversionOf(), contextOf(), { limited_data_use: true }))).toMatchObject({
      custom_data: { opt_out_type: 'LDP' },
    });
  });

  it('may be of any age: Pinterest names none', () => {
    expect(made(conversionOf({ occurredAt: OCCURRED - 400 * 86_400_000 }))).not.toHaveProperty('skip');
  });
});

/** The members of Pinterest's OpenAPI document 5.23.0 that a web event may have; any other is refused. */
const SCHEMA = {
  event: {
    required: ['event_name', 'action_source', 'event_time', 'user_data', 'event_id'],
    known: ['custom_data', 'event_source_url', 'language', 'opt_out', 'partner_name'],
  },
  custom: [
    'content_brand',
    'content_category',
    'content_ids',
    'content_name',
    'contents',
    'currency',
    'num_items',
    'opt_out_type',
    'order_id',
    'predicted_ltv',
    'search_string',
    'value',
  ],
  content: ['id', 'item_brand', 'item_category', 'item_name', 'item_price', 'quantity'],
} as const;

/** What that document says of an event; a sentence for each thing that is wrong. */
function faultsOf(event: JsonObject): string[] {
  const custom = (event['custom_data'] ?? {}) as JsonObject;
  const user = event['user_data'] as JsonObject;
  const contents = (custom['contents'] ?? []) as readonly JsonObject[];
  const unknown = (object: JsonObject, known: readonly string[]) =>
    Object.keys(object).filter((name) => !known.includes(name));
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  const isIdentified =
    user['em'] !== undefined ||
    (user['client_ip_address'] !== undefined && user['client_user_agent'] !== undefined);
  return [
    ...unknown(event, [...SCHEMA.event.required, ...SCHEMA.event.known]),
    ...unknown(custom, SCHEMA.custom),
    ...contents.flatMap((content) => unknown(content, SCHEMA.content)),
    ...SCHEMA.event.required.filter((name) => event[name] === undefined),
    ...(isText(custom['value']) ? [] : ['value is no text']),
    ...(contents.every((content) => isText(content['item_price'])) ? [] : ['item_price is no text']),
    ...(isIdentified ? [] : ['user_data identifies no person']),
    ...Object.entries(user).flatMap(([name, value]) =>
      Array.isArray(value) === /^(?:em|ph|fn|ln|ct|st|zp|country|external_id)$/.test(name) ? [] : [name],
    ),
  ];
}

describe("Pinterest's OpenAPI document", () => {
  it('is fulfilled by everything that is made', () => {
    for (const topic of ['purchase', 'lead', 'signup', 'subscription', 'custom'] as const)
      for (const conversion of [conversionOf({ topic }), bareConversion({ topic })])
        for (const context of [
          contextOf({ epik: 'a' }),
          strangerContext(),
          contextOf({}, {}, consentOf('unknown', false)),
        ])
          expect(faultsOf(eventOf(made(conversion, context)))).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ['an unknown member', { opt_out_type: 'LDP' }],
    ['an unknown member of custom_data', { custom_data: { order: 'a' } }],
    ['a number as value', { custom_data: { value: 99.9 } }],
    ['an address without a browser', { user_data: { client_ip_address: '203.0.113.7' } }],
    ['a digest outside a list', { user_data: { em: sha.email } }],
  ])('refuses %s', (_, changes) => {
    expect(faultsOf({ ...eventOf(made()), ...changes })).not.toEqual([]);
  });

  it('refuses an event without id', () => {
    const { event_id: _, ...event } = eventOf(made());
    expect(faultsOf(event)).toEqual(['event_id']);
  });
});
