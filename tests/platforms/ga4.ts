/**
 * GA4's Measurement Protocol: `POST www.google-analytics.com/mp/collect` answers 204 to everything, whatever becomes of it; purchases are kept
 * once for each transaction, every other event each time. `/debug/mp/collect` says what is wrong with the form, and not whether the secret holds.
 */
import {
  type Call,
  DAY,
  type Fake,
  type FakeOptions,
  isObject,
  type Json,
  Ledger,
  MINUTE,
  type Reply,
} from './fake.ts';
import { type Check, currency, hashOrHashes, list, number, object, oneOf, text, whole } from './shape.ts';

export const GA4 = { measurementId: 'G-FAKE12345', apiSecret: 'fakeGa4Secret_0123456' };

const MAX_BYTES = 130_000;
const OLDEST = 3 * DAY;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const RESERVED_NAME =
  /^(ga_|google_|firebase_|_)|^(ad_|app_|error$|first_|in_app_purchase$|session_start$|user_engagement$|screen_view$|notification_|os_update$)/;
const LONGER: Readonly<Record<string, number>> = {
  page_location: 1_000,
  page_title: 300,
  page_referrer: 420,
};
const CONSENT = oneOf('GRANTED', 'DENIED');

const ADDRESS = object(
  {},
  {
    sha256_first_name: hashOrHashes,
    sha256_last_name: hashOrHashes,
    sha256_street: hashOrHashes,
    city: text(),
    region: text(),
    postal_code: text(),
    country: text(/^[A-Z]{2}$/),
  },
);
const FORM = object(
  { client_id: text(/^\d+\.\d+$/), events: list(isEvent, 1, 25) },
  {
    user_id: text(null, 256),
    timestamp_micros: (value, path) =>
      /^\d{16}$/.test(String(value)) ? [] : [`${path} must be microseconds in 16 digits`],
    user_properties: object({}),
    consent: object({}, { ad_user_data: CONSENT, ad_personalization: CONSENT }),
    user_data: object(
      {},
      { sha256_email_address: hashOrHashes, sha256_phone_number: hashOrHashes, address: list(ADDRESS, 1, 2) },
    ),
    non_personalized_ads: oneOf(true, false),
    ip_override: text(),
    user_agent: text(),
  },
);
const ITEM: Check = (value, path) => [
  ...object(
    {},
    {
      item_id: text(null, 100),
      item_name: text(null, 100),
      quantity: whole(0),
      price: number(),
      item_brand: text(null, 100),
      item_category: text(null, 100),
      item_variant: text(null, 100),
      coupon: text(null, 100),
      discount: number(),
      index: whole(),
    },
  )(value, path),
  ...(isObject(value) && (value['item_id'] ?? value['item_name']) === undefined
    ? [`${path} has neither item_id nor item_name`]
    : []),
];
/** Members of events that have a form of their own. */
const PARAMS: Readonly<Record<string, Check>> = {
  value: number(),
  tax: number(),
  shipping: number(),
  currency,
  items: list(ITEM, 0, 200),
  engagement_time_msec: whole(1),
  session_id: text(/^\d+$/),
};

function isEvent(value: unknown, path: string): string[] {
  const problems = object({ name: text(NAME) }, { params: (params, at) => judgeParams(params, at) })(
    value,
    path,
  );
  if (!isObject(value) || problems.length > 0) return problems;
  const params = isObject(value['params']) ? value['params'] : {};
  if (RESERVED_NAME.test(String(value['name']))) return [`${path}.name is reserved`];
  if (params['value'] !== undefined && params['currency'] === undefined)
    return [`${path} has a value without currency`];
  if (['purchase', 'refund'].includes(String(value['name'])) && params['transaction_id'] === undefined)
    return [`${path} has no transaction_id`];
  return [];
}

function judgeParams(value: unknown, path: string): string[] {
  if (!isObject(value)) return [`${path} must be an object`];
  if (Object.keys(value).length > 25) return [`${path} has more than 25 members`];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    if (!NAME.test(name) || /^(ga_|google_|firebase_)/.test(name))
      return [`${at} has a name that is not allowed`];
    const own = PARAMS[name];
    if (own !== undefined) return own(member, at);
    if (typeof member === 'number') return [];
    return text(null, LONGER[name] ?? 100)(member, at);
  });
}

export function createGa4({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...GA4 };

  function problemsOf(call: Call): string[] {
    if (Buffer.byteLength(call.text) > MAX_BYTES) return [`the body is larger than ${MAX_BYTES} bytes`];
    if (call.json === undefined) return ['the body is no JSON'];
    return FORM(call.json, '');
  }

  function collect(call: Call): Reply {
    const [problem] = problemsOf(call);
    const body = call.json as { events: Json[]; timestamp_micros?: string | number };
    if (problem !== undefined) ledger.refuse(problem);
    else if (
      call.query.get('measurement_id') !== secrets.measurementId ||
      call.query.get('api_secret') !== secrets.apiSecret
    )
      ledger.refuse('another stream, or the secret does not hold');
    else for (const event of body.events) keep(event, Number(body.timestamp_micros ?? now() * 1_000) / 1_000);
    return { status: 204 };
  }

  function keep(event: Json, at: number): void {
    const params = isObject(event['params']) ? event['params'] : {};
    const key = `${event['name']}:${params['transaction_id'] ?? params['conversion_id'] ?? ''}`;
    if (at < now() - OLDEST) ledger.refuse(`${key} is too old`);
    else if (at > now() + 15 * MINUTE) ledger.refuse(`${key} lies in the future`);
    else if (ledger.poisoned.has(key)) ledger.refuse(`${key} is poisoned`);
    else ledger.take(key, event, now(), event['name'] === 'purchase' ? null : 0);
  }

  function validate(call: Call): Reply {
    const problems = problemsOf(call);
    if (problems.length === 0) ledger.tests.push({ key: 'debug', at: now(), event: call.json as Json });
    return {
      status: 200,
      body: {
        validationMessages: problems.map((description) => ({
          fieldPath: description.split(' ')[0],
          description: ledger.refuse(description),
          validationCode: 'VALUE_INVALID',
        })),
      },
    };
  }

  return {
    name: 'ga4',
    hosts: ['www.google-analytics.com', 'region1.google-analytics.com'],
    ledger,
    secrets,
    answer: (call) => {
      if (call.method === 'POST' && call.path === '/mp/collect') return collect(call);
      if (call.method === 'POST' && call.path === '/debug/mp/collect') return validate(call);
      return { status: 404, body: ledger.refuse(`no such path: ${call.method} ${call.path}`) };
    },
    error: (status, message) => ({ status, body: status < 300 ? undefined : message }),
  };
}
