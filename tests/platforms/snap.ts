/** Snap's Conversions API v3: `POST tr.snapchat.com/v3/{pixel}/events`. */
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
  type Check,
  clickId,
  currency,
  hash,
  hashes,
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

export const SNAP = { pixel: '3fa85f64-5717-4562-b3fc-2c963f66afa6', token: 'fakeSnapToken.eyJhbGciOi' };

const OLDEST = 37 * DAY;
const NAMES = [
  'PURCHASE',
  'SAVE',
  'START_CHECKOUT',
  'ADD_CART',
  'VIEW_CONTENT',
  'ADD_BILLING',
  'SIGN_UP',
  'SEARCH',
  'PAGE_VIEW',
  'SUBSCRIBE',
  'AD_CLICK',
  'AD_VIEW',
  'COMPLETE_TUTORIAL',
  'LEVEL_COMPLETE',
  'INVITE',
  'LOGIN',
  'SHARE',
  'RESERVE',
  'ACHIEVEMENT_UNLOCKED',
  'ADD_TO_WISHLIST',
  'SPENT_CREDITS',
  'RATE',
  'START_TRIAL',
  'LIST_VIEW',
  'APP_INSTALL',
  'APP_OPEN',
  'CUSTOM_EVENT_1',
  'CUSTOM_EVENT_2',
  'CUSTOM_EVENT_3',
  'CUSTOM_EVENT_4',
  'CUSTOM_EVENT_5',
];
const HASHED = ['em', 'ph', 'fn', 'ln', 'ct', 'st', 'zp', 'country', 'ge', 'db', 'external_id'];
const USER: Check = (value, path) => [
  ...object(
    {},
    {
      ...Object.fromEntries(HASHED.map((name) => [name, hashes])),
      madid: hash,
      client_ip_address: address,
      client_user_agent: userAgent,
      sc_click_id: clickId,
      sc_cookie1: text(),
    },
  )(value, path),
  ...(isObject(value) &&
  (value['em'] ??
    value['ph'] ??
    value['madid'] ??
    (value['client_ip_address'] && value['client_user_agent'])) === undefined
    ? [`${path} has none of em, ph, madid, and not both client_ip_address and client_user_agent`]
    : []),
];
const CUSTOM = openObject(
  {},
  {
    value: number(),
    currency,
    order_id: text(),
    num_items: whole(0),
    content_ids: list(text(), 1),
    contents: list(
      object(
        {},
        { id: text(), quantity: whole(0), item_price: number(), delivery_category: text(), brand: text() },
      ),
      1,
    ),
  },
);
/** Seconds, or milliseconds. */
const when =
  (now: number): Check =>
  (value, path) =>
    instant(Number(value) < 1e11 ? 1_000 : 1, now, OLDEST, MINUTE)(value, path);
const form = (now: number) =>
  object(
    {
      event_name: oneOf(...NAMES),
      event_time: when(now),
      action_source: oneOf('WEB', 'OFFLINE', 'MOBILE_APP'),
      user_data: USER,
    },
    {
      event_id: text(),
      event_source_url: url,
      custom_data: CUSTOM,
      data_processing_options: list(oneOf('LMU'), 0, 1),
      data_processing_options_country: whole(0),
      data_processing_options_state: whole(0),
    },
  );

export function createSnap({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...SNAP };
  const refuse = (status: number, reason: string): Reply => ({ status, body: { status: 'INVALID', reason } });

  function answer(call: Call): Reply {
    if (call.query.get('access_token') !== secrets.token)
      return refuse(401, ledger.refuse('The access token is not valid for this pixel.'));
    const [, pixel, validate] = /^\/v3\/([0-9a-f-]+)\/events(\/validate)?$/.exec(call.path) ?? [];
    if (call.method !== 'POST' || pixel !== secrets.pixel)
      return refuse(403, ledger.refuse(`no such pixel: ${call.path}`));
    const each: Check = (event, path) => [
      ...form(now())(event, path),
      ...(isObject(event) && ledger.poisoned.has(keyOf(event)) ? [`${path} is poisoned`] : []),
    ];
    const [problem] = object({ data: list(each, 1, 2_000) })(call.json, '');
    if (problem !== undefined) return refuse(400, ledger.refuse(problem));
    for (const event of (call.json as { data: Json[] }).data)
      if (validate !== undefined) ledger.tests.push({ key: keyOf(event), at: now(), event });
      else ledger.take(keyOf(event), event, now(), 48 * HOUR);
    return { status: 200, body: { status: 'VALID' } };
  }

  return { name: 'snap', hosts: ['tr.snapchat.com'], ledger, secrets, answer, error: refuse };
}

const keyOf = (event: Json) => `${event['event_name']}:${event['event_id'] ?? Math.random()}`;
