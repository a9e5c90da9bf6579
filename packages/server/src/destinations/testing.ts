/** For the tests of platforms: an order with everything, and ways to take things away from it. */
import type { JsonObject, UserData } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import type { AnyDestination } from './define.ts';
import type { Auth, ForwardedConversion, HttpResponse, Mapped, MatchContext, Skip } from './port.ts';

/** 2026-12-02T00:00:00Z */
export const OCCURRED = 1_796_169_600_000;
const CLICKED = OCCURRED - 2 * DAY_MS;

export const PERSON: UserData = {
  email: 'John_Smith@gmail.com',
  phone: '(650)555-1212',
  firstName: 'John',
  lastName: 'Smith',
  address: {
    street: '1600 Amphitheatre Pkwy',
    city: 'Mountain View',
    region: 'California',
    postalCode: '94043',
    country: 'US',
    extra: {},
  },
  extra: {},
};

export const sha = {
  email: '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
  /** `16505551212` */
  digits: 'e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176',
} as const;

export const conversionOf = (changes: Partial<ForwardedConversion> = {}): ForwardedConversion => ({
  id: 'cnv_0123456789abcdef0123456789abcdef',
  attributionId: '6a0f8d52-91c7-4e0b-8a55-3c1f0e2d7b44',
  topic: 'purchase',
  conversionId: 'ord_1001',
  refundId: null,
  eventName: null,
  occurredAt: OCCURRED,
  receivedAt: OCCURRED,
  value: '99.9',
  currency: 'USD',
  tax: '8.1',
  shipping: '5',
  discountCode: 'SAVE10',
  leadType: null,
  products: [
    { id: 'sku1', name: 'Shirt', sku: null, quantity: '2', price: '49.95', discount: null, extra: {} },
  ],
  user: PERSON,
  ...changes,
});

/** What every sender has to say, and nothing else. */
export const bareConversion = (changes: Partial<ForwardedConversion> = {}): ForwardedConversion =>
  conversionOf({
    tax: null,
    shipping: null,
    discountCode: null,
    products: [],
    user: { ...PERSON, phone: null, firstName: null, lastName: null, address: null },
    ...changes,
  });

export const VISITOR = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

/** @param clickIds by name @param browserIds by cookie */
export const contextOf = (
  clickIds: Readonly<Record<string, string>> = {},
  browserIds: Readonly<Record<string, string>> = {},
  changes: Partial<MatchContext> = {},
): MatchContext => ({
  visitorId: VISITOR,
  firstSeen: CLICKED,
  touch: null,
  clickIds: Object.fromEntries(
    Object.entries(clickIds).map(([name, value]) => [name, { value, at: CLICKED }]),
  ),
  browserIds,
  client: { ip: '203.0.113.7', userAgent: 'Mozilla/5.0' },
  pageUrl: 'https://shop.example/thanks',
  referrer: 'https://chatgpt.com/',
  consent: { advertising: 'granted', analytics: 'granted', saleOfData: null },
  original: null,
  ...changes,
});

/** Matched, but nothing of the visit may be kept. */
export const strangerContext = (changes: Partial<MatchContext> = {}): MatchContext =>
  contextOf({}, {}, { visitorId: null, client: null, ...changes });

export const consentOf = (
  advertising: MatchContext['consent']['advertising'],
  saleOfData: boolean | null = null,
): Pick<MatchContext, 'consent'> => ({ consent: { advertising, analytics: advertising, saleOfData } });

export const answerOf = (status: number, body: unknown = ''): HttpResponse => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const authOf = (credentials: Auth['credentials'], accessToken: string | null = null): Auth => ({
  credentials,
  accessToken,
  now: OCCURRED,
});

/** @returns the event; fails where there is none */
export function eventOf(mapped: Mapped | Skip): JsonObject {
  if ('skip' in mapped) throw new Error(`skipped: ${mapped.skip}`);
  return mapped.event;
}

/** What no platform says: pages of proxies, other JSON, nothing. Whatever the status, a classifier has to come through. */
export const GARBAGE: readonly string[] = [
  '',
  '<html><body>502 Bad Gateway</body></html>',
  'null',
  '[]',
  '"text"',
  '42',
  '{"code":{}}',
  '{"elements":{"0":1},"events":7,"error":[],"data":"x"}',
  '{"events":[null,1],"elements":[null],"error":{"details":[null,{"index":-1},{"index":"0"}]}}',
  '{"invalid_events":[null,{"event":{"metadata":1}}],"status":[],"message":{}}',
];
const STATUSES = [
  200, 201, 204, 301, 400, 401, 403, 404, 408, 409, 418, 422, 423, 426, 429, 500, 502, 503, 599,
];

/** @returns a line for every answer that does not get exactly one verdict per event, in words that may be shown */
export function badlyClassified(destination: AnyDestination, config: unknown): readonly string[] {
  const events: readonly JsonObject[] = [{ a: 1 }, { b: 2 }];
  return STATUSES.flatMap((status) =>
    GARBAGE.flatMap((body) => {
      const verdicts = destination.classify(answerOf(status, body), events, config);
      const isShown = verdicts.every(
        (verdict) => verdict.kind === 'accepted' || !('message' in verdict) || verdict.message !== '',
      );
      const isTaken = verdicts.some(({ kind }) => kind === 'delivered');
      const isPlausible = !isTaken || (status < 300 && !body.startsWith('<'));
      return verdicts.length === events.length && isShown && isPlausible ? [] : [`${status} ${body}`];
    }),
  );
}
