/** What the product makes of a conversion, and what each platform says to it, without a network between them. */
import { CONVERSION_LIMITS, TOPICS, type Topic, type UserData } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnyDestination,
  DESTINATIONS,
  decide,
  type ForwardedConversion,
  type HttpRequest,
  type MatchContext,
} from '../../packages/server/src/destinations/index.ts';
import { ask, NOW } from './asking.ts';
import { type Fake, HOUR, MINUTE } from './fake.ts';
import { fakes, type PlatformName } from './index.ts';
import { settingsFor } from './settings.ts';

const PERSON: UserData = {
  email: 'Jane.Doe+shop@Mail.Example',
  phone: '+49 30 901820',
  firstName: 'Jané',
  lastName: "O'Neil-Doe",
  address: { street: 'Allee 1', city: 'Köln', region: 'NW', postalCode: '50667', country: 'DE', extra: {} },
  extra: {},
};
const PRODUCTS = [
  {
    id: 'sku-1',
    name: 'Lampe „Nord“ 💡',
    sku: null,
    quantity: '2',
    price: '49.95',
    discount: null,
    extra: {},
  },
  { id: null, name: 'Bulb', sku: 'b-2', quantity: null, price: null, discount: '1', extra: {} },
];
const FULL: ForwardedConversion = {
  id: 'cnv_0123456789abcdef0123456789abcdef',
  attributionId: '6a0f8d52-91c7-4e0b-8a55-3c1f0e2d7b44',
  topic: 'purchase',
  conversionId: 'order-1001',
  refundId: null,
  eventName: null,
  occurredAt: NOW - HOUR,
  receivedAt: NOW - HOUR,
  value: '99.9',
  currency: 'EUR',
  tax: '15.95',
  shipping: '4.9',
  discountCode: 'SAVE10',
  leadType: 'demo',
  products: PRODUCTS,
  user: PERSON,
};
const BARE = {
  ...FULL,
  tax: null,
  shipping: null,
  discountCode: null,
  leadType: null,
  products: [],
  user: null,
};

const CLICKED = NOW - 2 * HOUR;
const CLICKS = ['fbclid', 'gclid', 'ttclid', 'li_fat_id', 'msclkid', 'epik', 'sccid', 'rdt_cid', 'oppref'];
const COOKIES = {
  _fbp: `fb.1.${CLICKED}.1098115397`,
  _ga: 'GA1.1.1234567890.1796000000',
  _ga_FAKE12345: 'GS2.1.s1796000000$o3$g1$t1796000100$j60$l0$h0',
  _ttp: '2F7h37Yk',
  li_fat_id: 'df5gf5-gh6t7',
  _epik: 'dj0yJnU9',
  _scid: '3fa85f64-5717',
  _rdt_uuid: '1796000000000.3fa85f64',
  __obref: 'obref_1',
  _uetvid: 'abc123def456',
};
const TOUCH: MatchContext['touch'] = {
  id: 'touch-1',
  at: CLICKED,
  sessionId: 'session-1',
  browserIds: COOKIES,
  landing: { host: 'shop.example', path: '/lamps' },
  referrerHost: 'chatgpt.com',
  utm: { source: 'google', campaign: 'spring' },
  clickIds: {},
  channel: 'paid_search',
  platform: 'google',
  paid: true,
  source: 'google',
  medium: 'cpc',
  campaign: 'spring',
  conflict: false,
};
const KNOWN: MatchContext = {
  visitorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  firstSeen: CLICKED,
  touch: TOUCH,
  clickIds: Object.fromEntries(CLICKS.map((name) => [name, { value: `${name}_Abc-123`, at: CLICKED }])),
  browserIds: COOKIES,
  client: { ip: '203.0.113.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/153.0.0.0' },
  pageUrl: 'https://shop.example/lamps',
  referrer: 'https://chatgpt.com/',
  consent: { advertising: 'granted', analytics: 'granted', saleOfData: null },
  original: null,
};
const STRANGER: MatchContext = { ...KNOWN, clickIds: {}, browserIds: {}, client: null, referrer: null };
const ORIGINAL = {
  conversionId: FULL.conversionId,
  occurredAt: FULL.occurredAt - HOUR,
  value: '99.9',
  currency: 'EUR',
  remaining: '49.95',
  forwarded: true,
};

const platforms = DESTINATIONS.map(
  (destination) => [destination.platform as PlatformName, destination] as const,
);

interface Changes {
  readonly config?: object;
  readonly events?: Readonly<Record<string, string>>;
}

function meet(name: PlatformName, destination: AnyDestination, more: Changes = {}) {
  const fake: Fake = fakes({ now: () => NOW })[name];
  const settings = settingsFor(name, fake.secrets);
  const { credentials } = settings;
  const config = { ...settings.config, ...more.config };
  const events = { ...settings.events, ...more.events };
  const auth = { credentials, accessToken: fake.secrets['access_token'] ?? null, now: NOW };
  const offer = (request: HttpRequest) => {
    const { host, pathname, search } = new URL(request.url);
    expect(fake.hosts).toContain(host);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const {
      status,
      body,
      headers: answered = {},
    } = ask(fake, {
      method: request.method,
      target: pathname + search,
      headers,
      body: request.body ?? '',
    });
    return { status, headers: answered, body: typeof body === 'string' ? body : JSON.stringify(body ?? '') };
  };
  const judge = (conversion: ForwardedConversion, context: MatchContext) => {
    const mapped = decide(destination, { config, events }, conversion, context, NOW);
    if ('skip' in mapped) return { skip: mapped.skip };
    const request = destination.build([mapped.event], config, auth);
    const [verdict] = destination.classify(offer(request), [mapped.event], config);
    return { verdict, request, refusals: fake.ledger.refusals.splice(0) };
  };
  return { fake, judge, config, credentials, events, auth, offer };
}

describe.each(platforms)('%s', (name, destination) => {
  const taken = (topic: Topic) => destination.events.defaults[topic] !== null;
  const states = ['granted', 'unknown'] as const;

  it('takes every event that is made for it', () => {
    const { fake, judge } = meet(name, destination);
    for (const topic of TOPICS)
      for (const conversion of [FULL, BARE, { ...FULL, products: [], value: '0' }])
        for (const context of [KNOWN, { ...STRANGER, client: KNOWN.client }, STRANGER])
          for (const advertising of states) {
            const made = {
              ...conversion,
              topic,
              id: `cnv_${fake.ledger.accepted.length}`,
              conversionId: `order-${fake.ledger.accepted.length}`,
              eventName: topic === 'custom' ? 'Demo booked' : null,
              refundId: topic === 'refund' ? 'r-1' : null,
            };
            const consent = { ...KNOWN.consent, advertising };
            const outcome = judge(made, {
              ...context,
              consent,
              original: topic === 'refund' ? { ...ORIGINAL, conversionId: made.conversionId } : null,
            });
            if ('skip' in outcome) {
              const allowed = taken(topic) ? ['no_identifier'] : ['unsupported_topic'];
              expect(allowed, `${topic} ${JSON.stringify(made)}`).toContain(outcome.skip);
            } else {
              expect(outcome.refusals, outcome.request.body ?? '').toEqual([]);
              expect(outcome.verdict?.kind).toMatch(/^(delivered|accepted)$/);
            }
          }
    expect(fake.ledger.accepted.length).toBeGreaterThan(5);
    expect(fake.ledger.absorbed).toEqual([]);
  });

  it('takes each of its own events for a topic that is mapped to it, with a value and without', () => {
    for (const choice of destination.events.choices) {
      const { judge } = meet(name, destination, { events: { lead: choice } });
      for (const money of [{}, { value: null, currency: null }]) {
        const lead = {
          ...FULL,
          ...money,
          topic: 'lead' as const,
          conversionId: `${choice}-${Object.keys(money).length}`,
        };
        const outcome = judge(lead, KNOWN);
        if ('skip' in outcome) expect(outcome.skip, choice).toBe('missing_value');
        else expect(outcome.refusals, `${choice} ${outcome.request.body}`).toEqual([]);
      }
    }
  });

  it('accepts events of a person who refused only on request, and then without personal data', () => {
    const denied: MatchContext = {
      ...KNOWN,
      client: null,
      consent: { advertising: 'denied', analytics: 'denied', saleOfData: null },
    };
    expect(meet(name, destination).judge(FULL, denied)).toEqual({ skip: 'consent_denied' });
    if (!('send_denied' in destination.config.shape)) return;
    const outcome = meet(name, destination, { config: { send_denied: true } }).judge(FULL, denied);
    if ('skip' in outcome) throw new Error(outcome.skip);
    expect(outcome.refusals).toEqual([]);
    expect(outcome.verdict?.kind).toBe('delivered');
    expect(outcome.request.body).not.toMatch(/[0-9a-f]{64}/);
    expect(outcome.request.body).not.toContain(KNOWN.visitorId);
  });

  it('takes what happened at the very limits of its window', () => {
    const { judge, config } = meet(name, destination);
    const { maxAgeMs, maxFutureMs } = destination.limits(config);
    for (const occurredAt of [NOW - (maxAgeMs ?? HOUR), NOW + maxFutureMs])
      expect(judge({ ...FULL, occurredAt, conversionId: `at-${occurredAt}` }, KNOWN)).toMatchObject({
        refusals: [],
      });
    if (maxAgeMs !== null)
      expect(judge({ ...FULL, occurredAt: NOW - maxAgeMs - 1 }, KNOWN)).toEqual({ skip: 'too_old' });
  });

  it('takes the largest order that a shop can send, and names in any script', () => {
    const { judge } = meet(name, destination);
    // As much as fits into the 256 KiB that a webhook takes.
    const largest = Array.from({ length: CONVERSION_LIMITS.products }, (_, index) => ({
      id: `${index}-`.padEnd(100, '品'),
      name: '灯'.repeat(200),
      sku: '号'.repeat(90),
      quantity: '1',
      price: '123456789.99',
      discount: '1.5',
      extra: {},
    }));
    const outcome = judge(
      { ...FULL, products: largest, discountCode: '割'.repeat(CONVERSION_LIMITS.text) },
      KNOWN,
    );
    expect(outcome).toMatchObject({ refusals: [] });
    const bytes = 'request' in outcome ? Buffer.byteLength(outcome.request.body ?? '') : 0;
    expect(bytes).toBeLessThanOrEqual(destination.usualLimits().maxBytes);
  });

  it('takes a full batch', () => {
    const { config, auth, offer, fake, events } = meet(name, destination);
    const { maxBatch, maxBytes } = destination.limits(config);
    const fits = (length: number) =>
      Buffer.byteLength(destination.build(all.slice(0, length), config, auth).body ?? '') <= maxBytes;
    const all = Array.from({ length: maxBatch }, (_, index) => {
      const conversion = { ...FULL, id: `cnv_${index}`, conversionId: `order-${index}` };
      const made = decide(destination, { config, events }, conversion, KNOWN, NOW);
      if ('skip' in made) throw new Error(made.skip);
      return made.event;
    });
    const batch = fits(maxBatch) ? all : all.slice(0, 100);
    const verdicts = destination.classify(offer(destination.build(batch, config, auth)), batch, config);
    expect(fake.ledger.refusals).toEqual([]);
    expect(verdicts).toHaveLength(batch.length);
    expect(fake.ledger.accepted).toHaveLength(batch.length);
  });

  it('says of a wrong credential that it needs a fix', () => {
    const { judge, fake } = meet(name, destination);
    for (const secret of ['token', 'access_token', 'secret'])
      if (fake.secrets[secret] !== undefined) fake.secrets[secret] = 'changed';
    const outcome = judge(FULL, KNOWN);
    // Google Analytics answers the same to everything.
    expect('verdict' in outcome && outcome.verdict?.kind).toBe(name === 'ga4' ? 'delivered' : 'auth');
  });

  it('comes again after a failure of the platform, and slower after a 429', () => {
    const { config, fake, events } = meet(name, destination);
    const made = decide(destination, { config, events }, FULL, KNOWN, NOW);
    if ('skip' in made) throw new Error(made.skip);
    const kind = (status: number) => {
      const { body, ...rest } = fake.error(status, 'It failed.');
      const response = {
        status: rest.status,
        headers: {},
        body: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
      };
      return destination.classify(response, [made.event], config)[0]?.kind;
    };
    expect([kind(500), kind(502), kind(503)]).toEqual(['retry', 'retry', 'retry']);
    expect(kind(429)).toMatch(/^(retry|throttled)$/);
  });

  it('refuses a poisoned event alone, and all verdicts of a batch lead to the others being sent', () => {
    const { config, auth, offer, fake, events } = meet(name, destination);
    const made = [0, 1, 2].map((index) => {
      const mapped = decide(
        destination,
        { config, events },
        { ...FULL, conversionId: `order-${index}` },
        KNOWN,
        NOW,
      );
      if ('skip' in mapped) throw new Error(mapped.skip);
      return mapped.event;
    });
    const one = (batch: typeof made) =>
      destination.classify(offer(destination.build(batch, config, auth)), batch, config);
    if (destination.limits(config).maxBatch === 1) {
      one(made.slice(0, 1));
      fake.ledger.poisoned.add(fake.ledger.keys()[0] ?? '');
      expect(one(made.slice(0, 1))[0]?.kind).toMatch(/^(refused|bisect|delivered)$/);
      return;
    }
    one([...made]);
    const poison = fake.ledger.accepted[1]?.key ?? '';
    fake.ledger.poisoned.add(poison);
    const kinds = one(made).map(({ kind }) => kind);
    expect(['refused', 'bisect']).toContain(kinds[1]);
    for (const kind of [kinds[0], kinds[2]]) expect(['delivered', 'bisect', 'retry']).toContain(kind);
    expect(one(made.slice(1, 2))[0]?.kind).toMatch(/^(refused|bisect)$/);
  });

  it('gets no personal data in plain text except for what it documents', () => {
    const { judge } = meet(name, destination);
    const secret = {
      email: 'Xavier.Quux+tag@Private.Example',
      phone: '+49 171 5550123',
      firstName: 'Xaverine',
      lastName: 'Quuxenburg',
      street: 'Geheimgasse 77',
    };
    const user = {
      ...PERSON,
      ...secret,
      address: { ...PERSON.address, street: secret.street, extra: {} },
    } as UserData;
    const outcome = judge({ ...FULL, user }, KNOWN);
    const sent = 'request' in outcome ? `${outcome.request.url} ${JSON.stringify(outcome.request)}` : '';
    const forms = [
      'quux+tag',
      'xavier.quux',
      'private.example',
      '5550123',
      'xaverine',
      'quuxenburg',
      'geheimgasse',
      KNOWN.visitorId ?? '',
    ];
    const found = forms.filter((form) => sent.toLowerCase().includes(form));
    const plain: Partial<Record<PlatformName, string[]>> = {
      linkedin: ['xaverine', 'quuxenburg', KNOWN.visitorId ?? ''],
      microsoft: [KNOWN.visitorId ?? ''],
      webhook: [KNOWN.visitorId ?? ''],
    };
    expect(sent).not.toBe('');
    expect(plain[name] ?? []).toEqual(expect.arrayContaining(found));
  });

  it('takes whatever a shop may have sent', () => {
    const { judge, fake } = meet(name, destination);
    fc.assert(
      fc.property(conversions, contexts, (conversion, context) => {
        const outcome = judge(conversion, context);
        if (!('skip' in outcome)) expect(outcome.refusals, outcome.request.body ?? '').toEqual([]);
      }),
      { numRuns: 150 },
    );
    expect(fake.ledger.accepted.length).toBeGreaterThan(10);
  });
});

const words = (max: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: max }).map((text) => text.trim() || 'x');
const money = fc
  .tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 0, max: 9_999 }))
  .map(([whole, part]) => `${whole}.${part}`.replace(/\.?0+$/, '') || '0');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const people = fc.record({
  email: maybe(
    fc.oneof(fc.emailAddress(), fc.constantFrom('a@b.example', ' JANE@Gmail.com ', 'b'.repeat(64), '')),
  ),
  phone: maybe(
    fc.oneof(
      fc.constantFrom('+1 (650) 555-1212', '07911 123456', 'call me', '٠١٢٣', '1'.repeat(60)),
      words(64),
    ),
  ),
  firstName: maybe(words(255)),
  lastName: maybe(words(255)),
  address: maybe(
    fc.record({
      street: maybe(words(255)),
      city: maybe(words(255)),
      region: maybe(words(255)),
      postalCode: maybe(words(255)),
      country: maybe(fc.oneof(fc.constantFrom('DE', 'us', 'Germany', 'Deutschland', 'XX'), words(30))),
      extra: fc.constant({}),
    }),
  ),
  extra: fc.constant({}),
});
const products = fc.record({
  id: maybe(words(CONVERSION_LIMITS.text)),
  name: maybe(words(CONVERSION_LIMITS.productName)),
  sku: maybe(words(CONVERSION_LIMITS.text)),
  quantity: maybe(fc.oneof(fc.integer({ min: 0, max: 10_000 }).map(String), fc.constant('0.75'))),
  price: maybe(money),
  discount: maybe(money),
  extra: fc.constant({}),
});
const conversions: fc.Arbitrary<ForwardedConversion> = fc
  .record({
    id: fc.stringMatching(/^cnv_[0-9a-f]{32}$/),
    topic: fc.constantFrom(...TOPICS.filter((topic) => topic !== 'refund')),
    conversionId: fc
      .tuple(words(CONVERSION_LIMITS.id - 40), fc.uuid())
      .map(([word, id]) => `${word}${id}`.replaceAll('@', '')),
    eventName: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_ -]{0,62}$/),
    ago: fc.integer({ min: 0, max: 24 * 60 }),
    money: maybe(fc.record({ value: money, currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD', 'IQD') })),
    tax: maybe(money),
    shipping: maybe(money),
    discountCode: maybe(words(CONVERSION_LIMITS.text)),
    leadType: maybe(words(CONVERSION_LIMITS.text)),
    products: fc.array(products, { maxLength: 8 }),
    user: maybe(people),
  })
  .map(({ ago, money: sum, eventName, topic, ...rest }) => ({
    ...FULL,
    ...rest,
    topic,
    eventName: topic === 'custom' ? eventName : null,
    occurredAt: NOW - ago * MINUTE,
    value: sum?.value ?? (topic === 'purchase' ? '1' : null),
    currency: sum?.currency ?? (topic === 'purchase' ? 'EUR' : null),
  }));
const contexts: fc.Arbitrary<MatchContext> = fc
  .record({
    known: fc.boolean(),
    ip: fc.oneof(fc.ipV4(), fc.ipV6()),
    client: fc.boolean(),
    state: fc.constantFrom('granted', 'unknown' as const),
    saleOfData: fc.constantFrom(null, true, false),
    visitorId: maybe(fc.stringMatching(/^[A-Za-z0-9_.-]{1,128}$/)),
    pageUrl: maybe(fc.webUrl()),
    firstSeen: maybe(fc.integer({ min: NOW - 90 * 24 * HOUR, max: NOW })),
  })
  .map(({ known, ip, client, state, saleOfData, ...rest }) => ({
    ...(known ? KNOWN : STRANGER),
    ...rest,
    client: client ? { ip, userAgent: 'Mozilla/5.0' } : null,
    consent: { advertising: state, analytics: state, saleOfData } as MatchContext['consent'],
  }));
