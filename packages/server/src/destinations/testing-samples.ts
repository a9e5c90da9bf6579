/** For the tests that hold every platform of the register to the same promises. */
import { CONVERSION_LIMITS, type JsonObject, type JsonValue, TOPICS, type UserData } from '@ghostlight/core';
import fc from 'fast-check';
import { z } from 'zod';
import type { AnyDestination } from './define.ts';
import type { Auth, EventMapping, ForwardedConversion, HttpRequest, MatchContext } from './port.ts';
import { authOf, contextOf, conversionOf, OCCURRED, PERSON } from './testing.ts';

export interface FormField {
  readonly type?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** The members of a schema as the form gets them. */
export function fieldsOf(schema: z.ZodObject): Readonly<Record<string, FormField>> {
  return (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Readonly<Record<string, FormField>>;
}

/** Every member's first example: what a person would enter who copies the form. */
export function exampleOf(schema: z.ZodObject): Record<string, unknown> {
  const fields = Object.entries(fieldsOf(schema)).filter(([, { examples }]) => examples !== undefined);
  return Object.fromEntries(fields.map(([name, { examples }]) => [name, examples?.[0]]));
}

export interface Sample {
  readonly config: unknown;
  readonly auth: Auth;
  /** Every topic that needs one is mapped to the platform's example. */
  readonly events: EventMapping;
}

export function sampleOf({ config, credentials, events, oauth }: AnyDestination): Sample {
  const unmapped = TOPICS.filter((topic) => events.defaults[topic] === 'needs_mapping');
  return {
    config: config.parse(exampleOf(config)),
    auth: authOf(
      credentials.parse(exampleOf(credentials)) as Auth['credentials'],
      oauth === undefined ? null : 'access-token-0123456789',
    ),
    events: Object.fromEntries(unmapped.map((topic) => [topic, events.example])),
  };
}

const CLICKED = OCCURRED - 2 * 24 * 60 * 60 * 1000;
export const CLICKS = {
  fbclid: 'IwAR2abc',
  gclid: 'Cj0KCQiA',
  ttclid: 'E.C.P.abc',
  li_fat_id: 'df5gf5-gh6t7',
  msclkid: 'abc123',
  epik: 'dj0yJnU9',
  sccid: 'snap-click',
  rdt_cid: 'reddit-click',
  oppref: 'openai-click',
};
export const COOKIES = {
  _fbp: `fb.1.${CLICKED}.1098115397`,
  _ga: 'GA1.1.1234567890.1796000000',
  _ga_ABC1234567: 'GS2.1.s1796000000$o3$g1$t1796000100$j60$l0$h0',
  _ttp: '2F7h37Yk',
  _epik: 'dj0yJnU9',
  _scid: '3fa85f64-5717',
  _rdt_uuid: '1796000000000.3fa85f64',
  __obref: 'obref_1',
  _uetvid: 'abc123def456',
};
export const ORIGINAL: NonNullable<MatchContext['original']> = {
  conversionId: 'ord_1001',
  occurredAt: OCCURRED - 60_000,
  value: '99.9',
  currency: 'USD',
  remaining: '49.95',
  forwarded: true,
};

const TOUCH: NonNullable<MatchContext['touch']> = {
  id: 'touch-1',
  at: CLICKED,
  sessionId: 'session-1',
  browserIds: COOKIES,
  landing: { host: 'shop.example', path: '/thanks' },
  referrerHost: 'chatgpt.com',
  utm: { source: 'google', campaign: 'spring' },
  clickIds: CLICKS,
  channel: 'paid_search',
  platform: 'google',
  paid: true,
  source: 'google',
  medium: 'cpc',
  campaign: 'spring',
  conflict: false,
};
/** A visit of which everything is known, and the purchase before it. */
export const FULL_CONTEXT = contextOf(CLICKS, COOKIES, { touch: TOUCH, original: ORIGINAL });

/** What may be known of a conversion, from everything to nothing. */
export const VARIANTS: Readonly<
  Record<string, { readonly conversion: Partial<ForwardedConversion>; readonly context: MatchContext }>
> = {
  full: { conversion: {}, context: FULL_CONTEXT },
  'no user data': { conversion: { user: null }, context: FULL_CONTEXT },
  'no click id': { conversion: {}, context: contextOf({}, {}, { client: null, original: ORIGINAL }) },
  minimal: {
    conversion: {
      user: null,
      value: null,
      currency: null,
      tax: null,
      shipping: null,
      discountCode: null,
      products: [],
    },
    context: contextOf({}, {}, { client: null, pageUrl: null, referrer: null, firstSeen: null }),
  },
  nobody: {
    conversion: { user: null },
    context: contextOf(
      {},
      {},
      { visitorId: null, client: null, original: { ...ORIGINAL, forwarded: false } },
    ),
  },
};

const limited = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.string({
      unit: fc.constantFrom('a', '/', '?', '#', '&', '%', '\\', '\u0000', '\n', '"', '\ud83d', 'é'),
      maxLength,
    }),
    fc.constant('x'.repeat(maxLength)),
  );
const money = fc.option(
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.nat(9_999))
    .map(([whole, part]) =>
      part === 0 ? String(whole) : `${whole}.${String(part).padStart(4, '0')}`.replace(/0+$/, ''),
    ),
);
const product = fc.record({
  id: fc.option(limited(CONVERSION_LIMITS.id)),
  name: fc.option(limited(CONVERSION_LIMITS.productName)),
  sku: fc.option(limited(CONVERSION_LIMITS.text)),
  quantity: fc.option(
    fc.oneof(fc.nat(1_000_000).map(String), fc.constantFrom('1.25', '99999999999999999999')),
  ),
  price: money,
  discount: money,
  extra: fc.constant({}),
});
const hostilePerson: fc.Arbitrary<UserData> = fc.record({
  email: fc.option(limited(CONVERSION_LIMITS.email)),
  phone: fc.option(limited(CONVERSION_LIMITS.phone)),
  firstName: fc.option(limited(CONVERSION_LIMITS.text)),
  lastName: fc.option(limited(CONVERSION_LIMITS.text)),
  address: fc.constant(PERSON.address),
  extra: fc.constant({}),
});

/** Anything that core's reader lets through, and worse. */
export const anyConversion: fc.Arbitrary<ForwardedConversion> = fc
  .record({
    topic: fc.constantFrom(...TOPICS),
    conversionId: limited(CONVERSION_LIMITS.id),
    eventName: fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '_', '-', ' '),
      minLength: 1,
      maxLength: 64,
    }),
    value: money,
    tax: money,
    shipping: money,
    discountCode: fc.option(limited(CONVERSION_LIMITS.text)),
    leadType: fc.option(limited(CONVERSION_LIMITS.text)),
    products: fc.array(product, { maxLength: 5 }),
    user: fc.option(hostilePerson),
  })
  .map(({ eventName, ...said }) =>
    conversionOf({
      ...said,
      eventName: said.topic === 'custom' ? eventName : null,
      currency: said.value === null ? null : 'KWD',
    }),
  );

export interface Distinct {
  readonly user: UserData;
  /** What must not be found anywhere, in lower case. */
  readonly traces: readonly string[];
}

const letters = fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'), minLength: 6, maxLength: 12 });
const digits = fc.string({ unit: fc.constantFrom(...'123456789'), minLength: 8, maxLength: 8 });

/** A person whose name, address and number occur nowhere by chance. */
export const distinctPerson: fc.Arbitrary<Distinct> = fc
  .record({ first: letters, last: letters, local: letters, host: letters, street: letters, number: digits })
  .map(({ first, last, local, host, street, number }) => ({
    user: {
      email: ` ${local.toUpperCase()}.${last}+tag@${host}.Example `,
      phone: `+49 30 ${number.slice(0, 4)}-${number.slice(4)}`,
      firstName: first.toUpperCase(),
      lastName: ` ${last}`,
      address: {
        street: `${street} 77`,
        city: 'Köln',
        region: 'NW',
        postalCode: '50667',
        country: 'DE',
        extra: {},
      },
      extra: { nickname: first },
    },
    traces: [first, last, local, host, street, number, `${number.slice(0, 4)}-${number.slice(4)}`],
  }));

/** Address, headers and body of a request as one text in lower case, without members that may carry plain data. */
export function everythingIn(request: HttpRequest, plainFields: readonly string[]): string {
  const body = bodyOf(request);
  const rest = typeof body === 'string' ? body : JSON.stringify(without(body, plainFields));
  return `${request.url} ${decodeURIComponent(request.url)} ${JSON.stringify(request.headers)} ${rest}`.toLowerCase();
}

export function bodyOf({ body }: HttpRequest): JsonValue {
  try {
    return JSON.parse(body ?? 'null') as JsonValue;
  } catch {
    return body;
  }
}

function without(value: JsonValue, names: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => without(one, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonObject).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, names)]));
}
