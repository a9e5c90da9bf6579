import type { Topic } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { decide } from '../decide.ts';
import { define } from '../define.ts';
import { externalId } from '../identifiers/index.ts';
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
import { openai } from './index.ts';

const destination = define(openai);
const made = (
  conversion = conversionOf(),
  context = contextOf(),
  more: object = {},
  events: Record<string, string> = {},
) =>
  decide(destination, { config: { pixel_id: '2atj5meV', ...more }, events }, conversion, context, OCCURRED);
const CLICKED = contextOf({ oppref: 'oppref_abc' });

describe('an event of OpenAI', () => {
  it('is the documented example: time in milliseconds, money in cents', () => {
    const user = { ...PERSON, email: 'user@example.com' };
    const context = { ...CLICKED, visitorId: 'customer_12345' };
    expect(eventOf(made(conversionOf({ user, products: [] }), context))).toEqual({
      id: 'ord_1001',
      type: 'order_created',
      timestamp_ms: 1_796_169_600_000,
      action_source: 'web',
      source_url: 'https://shop.example/thanks',
      oppref: 'oppref_abc',
      user: {
        email_sha256: 'b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514',
        external_id_sha256: '73d83a078369bb4f0971b317aa7797a91cf5c0df1b62161c2e47d75c33ab5b6e',
        country: 'US',
        city: 'mountain view',
        zip_code: '94043',
        ip_address: '203.0.113.7',
        user_agent: 'Mozilla/5.0',
      },
      opt_out: false,
      data: { type: 'contents', amount: 9990, currency: 'USD' },
    });
  });

  it('lists products with the price of one piece', () => {
    expect(eventOf(made())).toMatchObject({
      data: { contents: [{ id: 'sku1', name: 'Shirt', quantity: 2, amount: 4995, currency: 'USD' }] },
    });
  });

  it('says no more of a bare order than is known; without a page it is no web event', () => {
    const outcome = made(bareConversion(), strangerContext({ pageUrl: null, ...consentOf('unknown') }));
    expect(eventOf(outcome)).toEqual({
      id: 'ord_1001',
      type: 'order_created',
      timestamp_ms: 1_796_169_600_000,
      action_source: 'other',
      user: { email_sha256: sha.email },
      data: { type: 'contents', amount: 9990, currency: 'USD' },
    });
    expect(outcome).toMatchObject({ notes: [expect.stringContaining('landing page')] });
  });

  it.each([
    ['JPY', '1500', 1500],
    ['KWD', '1.5', 1500],
    ['USD', '0.01', 1],
    ['EUR', '19.99', 1999],
  ])('says %s %s as %i', (currency, value, amount) => {
    expect(eventOf(made(conversionOf({ value, currency })))).toMatchObject({ data: { amount, currency } });
  });

  it('leaves out money that has no minor units, and says so', () => {
    const outcome = made(conversionOf({ value: '99999999999999999999', products: [] }));
    expect(eventOf(outcome)['data']).toEqual({ type: 'contents' });
    expect(outcome).toMatchObject({ notes: [expect.stringContaining('amount')] });
  });

  it.each<[Topic, string | null, string, object]>([
    ['purchase', null, 'order_created', { type: 'order_created', data: { type: 'contents' } }],
    ['lead', null, 'lead_created', { type: 'lead_created', data: { type: 'customer_action' } }],
    [
      'signup',
      null,
      'registration_completed',
      { type: 'registration_completed', data: { type: 'customer_action' } },
    ],
    [
      'subscription',
      null,
      'subscription_created',
      { type: 'subscription_created', data: { type: 'plan_enrollment' } },
    ],
    [
      'custom',
      'Demo booked',
      'demo_booked',
      { type: 'custom', custom_event_name: 'demo_booked', data: { type: 'custom' } },
    ],
    ['custom', '-__-', 'custom_event', { type: 'custom', custom_event_name: 'custom_event' }],
  ])('of a %s (%s) is called %s', (topic, eventName, name, event) => {
    expect(made(conversionOf({ topic, eventName }))).toMatchObject({ name, event });
  });

  it('has a name of its own by a mapping', () => {
    const mapped = made(conversionOf({ topic: 'lead' }), contextOf(), {}, { lead: 'hot_lead' });
    expect(mapped).toMatchObject({ event: { type: 'custom', custom_event_name: 'hot_lead' } });
    const trial = made(
      conversionOf({ topic: 'subscription' }),
      contextOf(),
      {},
      { subscription: 'trial_started' },
    );
    expect(trial).toMatchObject({ event: { type: 'trial_started', data: { type: 'plan_enrollment' } } });
  });

  it('is none of a refund', () => {
    expect(made(conversionOf({ topic: 'refund' }))).toEqual({ skip: 'unsupported_topic' });
  });

  it('needs a strong identifier', () => {
    const nobody = conversionOf({ user: { ...PERSON, email: null } });
    const unknown = { visitorId: null };
    expect(made(nobody, contextOf({}, {}, unknown))).toEqual({ skip: 'no_identifier' });
    for (const context of [
      contextOf({ oppref: 'a' }, {}, unknown),
      contextOf({}, { __obref: 'obref_1' }, unknown),
      contextOf(),
    ])
      expect(made(nobody, context)).not.toHaveProperty('skip');
    expect(eventOf(made(nobody, contextOf({}, { __obref: 'obref_1' })))).toMatchObject({
      user: { obref: 'obref_1', external_id_sha256: externalId(VISITOR) },
    });
  });

  it('leaves out a post code that OpenAI would refuse', () => {
    const address = PERSON.address && { ...PERSON.address, postalCode: '〒100-0001' };
    expect(eventOf(made(conversionOf({ user: { ...PERSON, address } })))).not.toHaveProperty('user.zip_code');
  });

  it('follows what was said about advertising and about sale of data', () => {
    const withConsent = (...said: Parameters<typeof consentOf>) =>
      made(conversionOf(), contextOf({}, {}, consentOf(...said)));
    expect(withConsent('denied')).toEqual({ skip: 'consent_denied' });
    expect(eventOf(withConsent('unknown'))).not.toHaveProperty('opt_out');
    expect(eventOf(withConsent('granted'))).toMatchObject({ opt_out: false });
    expect(eventOf(withConsent('granted', false))).toMatchObject({ opt_out: true });
    expect(eventOf(made(conversionOf(), contextOf(), { limited_data_use: true }))).toMatchObject({
      opt_out: true,
    });
  });

  it('reports a refusal where that is asked for, by the click alone', () => {
    const refused = (context: typeof CLICKED) =>
      made(conversionOf(), { ...context, ...consentOf('denied') }, { send_denied: true });
    expect(eventOf(refused(CLICKED))).toMatchObject({ oppref: 'oppref_abc', opt_out: true });
    expect(eventOf(refused(CLICKED))).not.toHaveProperty('user');
    expect(refused(contextOf())).toEqual({ skip: 'no_identifier' });
  });

  it('is seven days old at most', () => {
    const at = (age: number) => made(conversionOf({ occurredAt: OCCURRED - age }));
    expect(at(7 * 86_400_000)).not.toHaveProperty('skip');
    expect(at(7 * 86_400_000 + 1)).toEqual({ skip: 'too_old' });
  });
});
