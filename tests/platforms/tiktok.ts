/** TikTok's Events API 2.0: `POST business-api.tiktok.com/open_api/v1.3/event/track/`. The verdict is the `code` in the body of a 200. */
import {
  type Call,
  DAY,
  type Fake,
  type FakeOptions,
  HOUR,
  isObject,
  type Json,
  Ledger,
  MINUTE,
  type Reply,
} from './fake.ts';
import {
  address,
  clickId,
  currency,
  flag,
  hash,
  instant,
  list,
  number,
  object,
  oneOf,
  openObject,
  text,
  url,
  userAgent,
  whole,
} from './shape.ts';

export const TIKTOK = { pixel: 'COQDA8RC77U2TMR44LI0', token: 'fakeTikTokToken0123456789abcdef' };

/** TikTok says 28 days; no source says more. */
const OLDEST = 28 * DAY;
const BAD_TOKEN = 40_001;
const BAD_PARAMETER = 40_002;
const TOO_MANY = 40_100;

const USER = object(
  {},
  {
    email: hash,
    phone: hash,
    external_id: hash,
    first_name: hash,
    last_name: hash,
    zip_code: hash,
    city: text(),
    state: text(),
    country: text(),
    ttclid: clickId,
    ttp: text(),
    ip: address,
    user_agent: userAgent,
    locale: text(),
  },
);
const CONTENT = object(
  {},
  {
    content_id: text(),
    content_type: oneOf('product', 'product_group'),
    content_name: text(),
    content_category: text(),
    brand: text(),
    price: number(),
    quantity: whole(0),
  },
);
const PROPERTIES = openObject(
  {},
  {
    contents: list(CONTENT, 1),
    content_type: oneOf('product', 'product_group'),
    content_ids: list(text(), 1),
    value: number(),
    currency,
    order_id: text(),
    num_items: whole(0),
  },
);

export function createTikTok({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...TIKTOK };
  const reply = (code: number, message: string): Reply => ({
    status: 200,
    body: { code, message, request_id: '2026112115480001fake', data: {} },
  });
  const form = () =>
    object(
      { event_source: oneOf('web'), event_source_id: oneOf(secrets.pixel), data: list(event(), 1, 1_000) },
      { test_event_code: text(/^TEST\w+$/), partner_name: text() },
    );
  const event = () =>
    object(
      {
        event: text(/^[A-Za-z0-9_ -]{1,50}$/),
        event_time: instant(1_000, now(), OLDEST, MINUTE),
        user: USER,
      },
      {
        event_id: text(),
        properties: PROPERTIES,
        page: object({}, { url, referrer: url }),
        limited_data_use: flag,
      },
    );

  function answer(call: Call): Reply {
    if (call.headers['access-token'] !== secrets.token)
      return reply(BAD_TOKEN, ledger.refuse('Access token is incorrect or has been revoked.'));
    if (call.method !== 'POST' || call.path !== '/open_api/v1.3/event/track/')
      return { status: 404, body: ledger.refuse(`no such path: ${call.method} ${call.path}`) };
    const [problem] = form()(call.json, '');
    if (problem !== undefined) return reply(BAD_PARAMETER, ledger.refuse(problem));
    const body = call.json as { data: Json[]; test_event_code?: string };
    if (body.test_event_code !== undefined && body.data.length > 1)
      return reply(BAD_PARAMETER, ledger.refuse('a test is sent alone'));
    for (const [index, one] of body.data.entries()) {
      if (isObject(one['user']) && Object.keys(one['user']).length === 0)
        return reply(BAD_PARAMETER, ledger.refuse(`data[${index}].user is empty`));
      if (ledger.poisoned.has(keyOf(one)))
        return reply(BAD_PARAMETER, ledger.refuse(`data[${index}] is poisoned`));
    }
    for (const one of body.data)
      if (body.test_event_code !== undefined) ledger.tests.push({ key: keyOf(one), at: now(), event: one });
      else ledger.take(keyOf(one), one, now(), 48 * HOUR);
    return reply(0, 'OK');
  }

  return {
    name: 'tiktok',
    hosts: ['business-api.tiktok.com'],
    ledger,
    secrets,
    answer,
    error: (status, message) =>
      status === 429
        ? reply(TOO_MANY, 'Requests made too frequently.')
        : { status, body: { code: 50_000, message } },
  };
}

const keyOf = (event: Json) => `${event['event']}:${event['event_id'] ?? Math.random()}`;
