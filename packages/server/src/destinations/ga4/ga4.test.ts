import { describe, expect, it } from 'vitest';
import {
  answerOf,
  authOf,
  consentOf,
  contextOf,
  conversionOf,
  eventOf,
  OCCURRED,
  PERSON,
} from '../testing.ts';
import { exampleOf } from '../testing-samples.ts';
import { classify } from './classify.ts';
import { config } from './config.ts';
import { ga4 } from './index.ts';
import { EVENT_NAME, eventNameOf } from './names.ts';

const CONFIG = config.parse(exampleOf(config));
const AUTH = authOf({ api_secret: 'secret/+&=' });
const mapped = (changes = {}, context = contextOf(), name = 'purchase') =>
  ga4.map(conversionOf(changes), context, CONFIG, name);
const paramsOf = (event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  (event['events'] as { params: Readonly<Record<string, unknown>> }[])[0]?.params ?? {};

describe('whose event it is', () => {
  it.each([
    ['GA1.1.1234567890.1796000000', '1234567890.1796000000'],
    ['GA1.2-2.1234567890.1796000000', '1234567890.1796000000'],
  ])('is said by the _ga cookie %s', (_ga, id) => {
    expect(mapped({}, contextOf({}, { _ga }))).toMatchObject({ event: { client_id: id } });
    expect(mapped({}, contextOf({}, { _ga }))).toMatchObject({ notes: [] });
  });

  it.each(['', 'x', 'GA1.1.abc.def', 'GA1.1.1'])(
    'is made up, the same each time, where the cookie is %j',
    (_ga) => {
      const first = mapped({}, contextOf({}, { _ga }));
      expect(eventOf(first)['client_id']).toMatch(/^\d{1,10}\.\d{10}$/);
      expect(
        mapped({ conversionId: 'another', occurredAt: OCCURRED + 1 }, contextOf({}, { _ga })),
      ).toMatchObject({
        event: { client_id: eventOf(first)['client_id'] },
      });
      expect(first).toMatchObject({ notes: [expect.stringContaining('_ga')] });
    },
  );

  it('is not sent without a person', () => {
    expect(mapped({}, contextOf({}, {}, { visitorId: null }))).toEqual({ skip: 'no_identifier' });
  });

  it.each([
    ['GS1.1.1796000000.3.1.1796000100.0.0.0', '1796000000'],
    ['GS2.1.s1796000000$o3$g1$t1796000100$j60$l0$h0', '1796000000'],
    ['GS2.1.o3$s1796000000', undefined],
    ['nonsense', undefined],
  ])('belongs to the session of the cookie %s', (cookie, session) => {
    const params = paramsOf(eventOf(mapped({}, contextOf({}, { _ga_ABC1234567: cookie }))));
    expect(params['session_id']).toBe(session);
    const other = paramsOf(eventOf(mapped({}, contextOf({}, { _ga_OTHER: cookie }))));
    expect(other['session_id']).toBe(undefined);
  });
});

describe('consent', () => {
  it.each([
    ['granted', null, { ad_user_data: 'GRANTED', ad_personalization: 'GRANTED' }, true],
    ['denied', null, { ad_user_data: 'DENIED', ad_personalization: 'DENIED' }, false],
    ['unknown', null, undefined, true],
    ['granted', false, { ad_user_data: 'GRANTED', ad_personalization: 'DENIED' }, true],
    ['unknown', false, { ad_personalization: 'DENIED' }, true],
  ] as const)('to advertising %s, sale of data %s', (advertising, sale, consent, hasUser) => {
    const event = eventOf(mapped({}, contextOf({}, {}, consentOf(advertising, sale))));
    expect(event['consent']).toEqual(consent);
    expect('user_data' in event).toBe(hasUser);
  });
});

describe('an event', () => {
  it('has its time in microseconds, as text', () => {
    expect(eventOf(mapped({ occurredAt: OCCURRED + 7 }))['timestamp_micros']).toBe('1796169600007000');
  });

  it('matches by a whole address or by none', () => {
    const event = eventOf(mapped({ user: { ...PERSON, lastName: null } }));
    expect(event['user_data']).not.toHaveProperty('address');
  });

  it('keeps within what Google reads of it', () => {
    const long = 'ä'.repeat(300);
    const products = [
      { id: long, name: long, sku: null, quantity: '1', price: '1', discount: null, extra: {} },
      { id: null, name: null, sku: null, quantity: '1', price: '1', discount: null, extra: {} },
    ];
    const params = paramsOf(eventOf(mapped({ conversionId: long, discountCode: long, products })));
    expect(String(params['transaction_id'])).toHaveLength(100);
    expect(String(params['coupon'])).toHaveLength(100);
    expect(params['items']).toEqual([
      expect.objectContaining({ item_id: 'ä'.repeat(100), item_name: 'ä'.repeat(100) }),
    ]);
    expect(Object.keys(params).length).toBeLessThanOrEqual(25);
  });

  it('refunds a transaction by its id', () => {
    const event = eventOf(
      mapped({ topic: 'refund', refundId: 'r-1', value: '49.95' }, contextOf(), 'refund'),
    );
    expect(event['events']).toMatchObject([
      { name: 'refund', params: { transaction_id: 'ord_1001', value: 49.95 } },
    ]);
  });

  it.each([
    ['Trial started', 'Trial_started'],
    ['first_visit', 'custom_first_visit'],
    ['ga_thing', 'custom_ga_thing'],
    ['9 lives', 'custom_9_lives'],
    ['x'.repeat(64), 'x'.repeat(40)],
  ])('of the custom name %s is %s', (name, expected) => {
    expect(eventNameOf(name)).toBe(expected);
    expect(expected).toMatch(EVENT_NAME);
  });

  it.each(['session_start', 'ga_x', 'google_x', 'firebase_x', '1x', 'a-b', 'x'.repeat(41)])(
    'can’t be mapped to %s',
    (name) => {
      expect(name).not.toMatch(EVENT_NAME);
    },
  );
});

it('counts purchases once, and says that it can’t promise so of anything else', () => {
  expect(ga4.guarantee({ topic: 'purchase' })).toBe('dedup');
  for (const topic of ['lead', 'signup', 'refund', 'subscription', 'custom'] as const)
    expect(ga4.guarantee({ topic })).toBe('at_most_once');
});

it('goes to Google’s servers in the world or in the EU, and to their debug address to be validated', () => {
  const query = 'measurement_id=G-ABC1234567&api_secret=secret%2F%2B%26%3D';
  expect(ga4.build([{}], CONFIG, AUTH).url).toBe(`https://www.google-analytics.com/mp/collect?${query}`);
  expect(ga4.build([{}], { ...CONFIG, collection: 'eu' }, AUTH).url).toBe(
    `https://region1.google-analytics.com/mp/collect?${query}`,
  );
  expect(ga4.buildTest({}, CONFIG, AUTH, null).url).toBe(
    `https://www.google-analytics.com/debug/mp/collect?${query}`,
  );
});

it.each([
  [204, '', 'delivered'],
  [200, '{"validationMessages":[]}', 'delivered'],
  [
    200,
    '{"validationMessages":[{"fieldPath":"events","description":"Event name is bad","validationCode":"NAME_INVALID"}]}',
    'refused',
  ],
  [413, '', 'refused'],
  [404, '', 'config'],
  [429, '', 'throttled'],
  [500, '', 'retry'],
  [503, '', 'retry'],
])('reads %s %s as %s', (status, body, kind) => {
  expect(classify(answerOf(status, body), [{}]).map((verdict) => verdict.kind)).toEqual([kind]);
});

it('says in Google’s words what is wrong with an event', () => {
  const body = {
    validationMessages: [{ description: 'Item param [x] is bad', validationCode: 'VALUE_INVALID' }],
  };
  expect(classify(answerOf(200, body), [{}])).toEqual([
    { kind: 'refused', code: 'VALUE_INVALID', message: 'Item param [x] is bad' },
  ]);
});
