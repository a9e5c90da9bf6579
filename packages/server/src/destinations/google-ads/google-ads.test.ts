import { DAY_MS } from '@ghostlight/core/time';
import { describe, expect, it } from 'vitest';
import { decide } from '../decide.ts';
import { define } from '../define.ts';
import { authOf, consentOf, contextOf, conversionOf, eventOf, OCCURRED, PERSON } from '../testing.ts';
import { exampleOf, ORIGINAL } from '../testing-samples.ts';
import { config } from './config.ts';
import { googleAds } from './index.ts';

const CONFIG = config.parse(exampleOf(config));
const CLICK = { gclid: 'Cj0KCQiA' };
const mapped = (changes = {}, context = contextOf(CLICK), given = CONFIG) =>
  googleAds.map(conversionOf(changes), context, given, '456789');
const insideOf = (outcome: ReturnType<typeof mapped>) =>
  eventOf(outcome)['event'] as Readonly<Record<string, unknown>>;
const clicksOf = (clickIds: Record<string, number>, cookies = {}) =>
  insideOf(
    mapped(
      {},
      contextOf({}, cookies, {
        clickIds: Object.fromEntries(
          Object.entries(clickIds).map(([name, at]) => [name, { value: `${name}-value`, at }]),
        ),
      }),
    ),
  )['adIdentifiers'];

describe('the click', () => {
  it.each([
    ['a gclid before all others', clicksOf({ gclid: 1, gbraid: 2, wbraid: 3 }), { gclid: 'gclid-value' }],
    [
      'the newer of gbraid and wbraid, never both',
      clicksOf({ gbraid: 1, wbraid: 2 }),
      { wbraid: 'wbraid-value' },
    ],
    ['gbraid of the same time', clicksOf({ gbraid: 2, wbraid: 2 }), { gbraid: 'gbraid-value' }],
    ['wbraid alone', clicksOf({ wbraid: 2 }), { wbraid: 'wbraid-value' }],
    [
      'the cookie of Google’s tag',
      clicksOf({}, { _gcl_aw: `GCL.${OCCURRED / 1000 - 9}.Cj0KCQ-iA_bw` }),
      { gclid: 'Cj0KCQ-iA_bw' },
    ],
    [
      'no cookie of after the conversion',
      clicksOf({}, { _gcl_aw: `GCL.${OCCURRED / 1000 + 900}.Cj0KCQ-iA_bw` }),
      undefined,
    ],
    ['no cookie that is none', clicksOf({}, { _gcl_aw: 'Cj0KCQiA' }), undefined],
  ])('is %s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('or a person by email, phone or whole address is needed', () => {
    const bare = contextOf();
    expect(mapped({ user: null }, bare)).toEqual({ skip: 'no_identifier' });
    expect(mapped({ user: { ...PERSON, email: null, phone: null, firstName: null } }, bare)).toEqual({
      skip: 'no_identifier',
    });
    const address = mapped({ user: { ...PERSON, email: null, phone: null } }, bare);
    expect(insideOf(address)['userData']).toEqual({
      userIdentifiers: [{ address: expect.objectContaining({ regionCode: 'US', postalCode: '94043' }) }],
    });
  });
});

describe('consent', () => {
  it.each([
    ['granted', null, { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' }],
    ['unknown', null, undefined],
    ['granted', false, { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' }],
    ['unknown', false, { adPersonalization: 'CONSENT_DENIED' }],
  ] as const)('%s, sale %s, is said once per request', (advertising, sale, consent) => {
    const outcome = mapped({}, contextOf(CLICK, {}, consentOf(advertising, sale)));
    const request = googleAds.build([eventOf(outcome)], CONFIG, authOf({}, 'token'));
    expect(JSON.parse(request.body ?? '')['consent']).toEqual(consent);
  });

  it('of different kinds, and different actions, never share a request', () => {
    const groups = [
      mapped(),
      mapped({}, contextOf(CLICK, {}, consentOf('unknown'))),
      mapped({}, contextOf(CLICK, {}, consentOf('granted', false))),
      mapped({}, contextOf(CLICK, {}, consentOf('unknown', false))),
      googleAds.map(conversionOf(), contextOf(CLICK), CONFIG, '999'),
    ].map((outcome) => ('group' in outcome ? outcome.group : null));
    expect(new Set(groups).size).toBe(5);
    expect(mapped({ conversionId: 'another' })).toMatchObject({ group: groups[0] });
  });
});

describe('a refund', () => {
  const refund = (original: Partial<typeof ORIGINAL> | null, changes = {}) =>
    mapped(
      { topic: 'refund', conversionId: 'ord_1001', refundId: 'r-1', value: '10', user: null, ...changes },
      contextOf(CLICK, {}, { original: original && { ...ORIGINAL, ...original } }),
    );

  it('restates the purchase with what remains of it, at the purchase’s own time', () => {
    expect(insideOf(refund({}))).toMatchObject({
      transactionId: 'ord_1001',
      eventTimestamp: new Date(ORIGINAL.occurredAt).toISOString(),
      conversionValue: 49.95,
      currency: 'USD',
    });
    expect(insideOf(refund({ remaining: '0' }))['conversionValue']).toBe(0);
  });

  it.each([
    ['of a purchase that this destination never got', refund({ forwarded: false }), 'original_not_forwarded'],
    ['of nothing that is known', refund(null), 'original_not_forwarded'],
    ['of a purchase without value', refund({ remaining: null }), 'missing_value'],
    ['after 90 days', refund({ occurredAt: OCCURRED - 90 * DAY_MS - 1 }), 'too_old'],
  ])('%s is not sent: it would count as a conversion', (_what, outcome, skip) => {
    expect(outcome).toMatchObject({ skip });
  });

  it('of exactly 90 days is', () => {
    expect(refund({ occurredAt: OCCURRED - 90 * DAY_MS })).toHaveProperty('event');
  });

  it('goes to the action of the purchase, whatever else is mapped', () => {
    const context = contextOf(CLICK, {}, { original: ORIGINAL });
    const outcome = (events: Record<string, string | null>) =>
      decide(
        define(googleAds),
        { config: CONFIG, events },
        conversionOf({ topic: 'refund' }),
        context,
        OCCURRED,
      );
    expect(outcome({ purchase: '456789', refund: '999' })).toMatchObject({ name: '456789' });
    expect(outcome({})).toEqual({ skip: 'no_mapping' });
    expect(outcome({ purchase: '456789', refund: null })).toEqual({ skip: 'turned_off' });
  });
});

describe('a request', () => {
  it('is of one action and one account, in digits', () => {
    const given = { ...CONFIG, login_customer_id: undefined };
    const request = googleAds.build(
      [eventOf(mapped()), eventOf(mapped({ conversionId: 'b' }))],
      given,
      authOf({}, 'tok'),
    );
    expect(request.headers).toMatchObject({ authorization: 'Bearer tok' });
    expect(JSON.parse(request.body ?? '')).toMatchObject({
      destinations: [
        {
          reference: 'action',
          operatingAccount: { accountType: 'GOOGLE_ADS', accountId: '1234567890' },
          productDestinationId: '456789',
        },
      ],
      encoding: 'HEX',
      validateOnly: false,
      events: [{ destinationReferences: ['action'], transactionId: 'ord_1001' }, { transactionId: 'b' }],
    });
    expect(request.body).not.toContain('loginAccount');
    expect(googleAds.build([eventOf(mapped())], CONFIG, authOf({}, 'tok')).body).toContain('"9876543210"');
  });

  it('is only validated in a test', () => {
    const request = googleAds.buildTest(eventOf(mapped()), CONFIG, authOf({}, 'tok'), null);
    expect(JSON.parse(request.body ?? '')).toMatchObject({ validateOnly: true });
  });

  it('names products by the feed where they are the feed’s, and whole quantities alone', () => {
    const products = [
      { id: 'a', name: null, sku: null, quantity: '1.5', price: '2', discount: null, extra: {} },
      { id: null, name: 'Nameless', sku: null, quantity: '1', price: null, discount: null, extra: {} },
      { id: null, name: null, sku: 's', quantity: '3', price: null, discount: null, extra: {} },
    ];
    const items = (given: typeof CONFIG) =>
      (insideOf(mapped({ products }, contextOf(CLICK), given))['cartData'] as { items: unknown }).items;
    expect(items({ ...CONFIG, merchant_center: false })).toEqual([
      { itemId: 'a', unitPrice: 2 },
      { itemId: 's', quantity: '3' },
    ]);
    expect(items({ ...CONFIG, merchant_center: true })).toMatchObject([
      { merchantProductId: 'a' },
      { merchantProductId: 's' },
    ]);
  });
});
