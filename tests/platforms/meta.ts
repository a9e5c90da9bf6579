/** Meta's Conversions API: `POST graph.facebook.com/v25.0/{pixel}/events`. One event that is too old, or lacks what it needs, fails the whole request. */
import {
  bearer,
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
  currency,
  flag,
  hashOrHashes,
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

export const META = { pixel: '1234567890123456', token: 'EAAfakeMetaToken0123456789' };

const TOO_OLD = 2_804_003;
const NO_VALUE = 2_804_009;
const NO_OBJECT = 33;

const HASHED = ['em', 'ph', 'ge', 'db', 'ln', 'fn', 'st', 'ct', 'zp', 'country', 'external_id'];
const USER = object(
  {},
  {
    ...Object.fromEntries(HASHED.map((name) => [name, hashOrHashes])),
    client_ip_address: address,
    client_user_agent: userAgent,
    fbc: text(/^fb\.[0-2]\.\d{13}\.[A-Za-z0-9._~-]+$/),
    fbp: text(/^fb\.[0-2]\.\d{13}\.\d+[A-Za-z0-9._~-]*$/),
    subscription_id: text(),
    lead_id: text(),
  },
);
const CONTENT = object({ id: text() }, { quantity: whole(0), item_price: number(), title: text() });
const CUSTOM = openObject(
  {},
  {
    value: number(),
    currency,
    contents: list(CONTENT, 1),
    content_ids: list(text(), 1),
    content_type: oneOf('product', 'product_group'),
    order_id: text(),
    num_items: whole(0),
  },
);
const ACTION_SOURCES = [
  'email',
  'website',
  'app',
  'phone_call',
  'chat',
  'physical_store',
  'system_generated',
  'business_messaging',
  'other',
];

function form(now: number) {
  return object(
    {
      event_name: text(/^[^\s].{0,49}$/),
      event_time: instant(1_000, now, 3_650 * DAY, MINUTE),
      action_source: oneOf(...ACTION_SOURCES),
      user_data: USER,
    },
    {
      event_id: text(),
      event_source_url: url,
      referrer_url: url,
      opt_out: flag,
      custom_data: CUSTOM,
      data_processing_options: list(oneOf('LDU'), 0, 1),
      data_processing_options_country: oneOf(0, 1),
      data_processing_options_state: whole(0),
    },
  );
}

export function createMeta({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...META };

  const error = (status: number, message: string, code = 2, subcode?: number): Reply => ({
    status,
    body: {
      error: {
        message,
        type: code === 190 ? 'OAuthException' : 'GraphMethodException',
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        is_transient: code === 2,
        fbtrace_id: 'AFakeTrace',
      },
    },
  });
  const invalid = (reason: string, subcode?: number): Reply =>
    error(400, `(#100) Invalid parameter: ${ledger.refuse(reason)}`, 100, subcode);

  /** What is wrong with one event, and Meta's number for it. */
  function fault(event: unknown, path: string): { reason: string; subcode?: number } | null {
    const [problem] = form(now())(event, path);
    if (problem !== undefined) return { reason: problem };
    const one = event as Json;
    const user = one['user_data'] as Json;
    const custom = isObject(one['custom_data']) ? one['custom_data'] : {};
    const oldest = one['action_source'] === 'physical_store' ? 62 * DAY : 7 * DAY;
    if (Number(one['event_time']) * 1_000 < now() - oldest)
      return { reason: `${path}.event_time is too old`, subcode: TOO_OLD };
    if (
      one['event_name'] === 'Purchase' &&
      (custom['value'] === undefined || custom['currency'] === undefined)
    )
      return { reason: `${path} is a Purchase without value or currency`, subcode: NO_VALUE };
    if (Object.keys(user).length === 0) return { reason: `${path}.user_data is empty` };
    if (one['action_source'] === 'website')
      for (const [where, name] of [
        [user, 'client_user_agent'],
        [one, 'event_source_url'],
      ] as const)
        if (where[name] === undefined) return { reason: `${path} is of a website and has no ${name}` };
    const click = /^fb\.\d\.(\d{13})\./.exec(String(user['fbc'] ?? ''))?.[1];
    if (click !== undefined && Number(click) > now() + MINUTE)
      return { reason: `${path}.user_data.fbc was made in the future` };
    if (ledger.poisoned.has(keyOf(one))) return { reason: `${path} is poisoned`, subcode: NO_VALUE };
    return null;
  }

  function answer(call: Call): Reply {
    const body = isObject(call.json) ? call.json : {};
    const token = call.query.get('access_token') ?? body['access_token'] ?? bearer(call);
    if (token !== secrets.token) return error(400, ledger.refuse('Error validating access token.'), 190, 463);
    const pixel = /^\/v2[45]\.0\/(\d+)\/events$/.exec(call.path)?.[1];
    if (call.method !== 'POST' || pixel !== secrets.pixel)
      return invalid(`no such object: ${call.method} ${call.path}`, NO_OBJECT);
    const [problem] = object(
      { data: list(isObjectCheck, 1, 1_000) },
      {
        test_event_code: text(/^TEST\w+$/),
        access_token: text(),
        appsecret_proof: text(/^[0-9a-f]{64}$/),
        partner_agent: text(),
      },
    )(call.json, '');
    if (problem !== undefined) return invalid(problem);
    const events = body['data'] as Json[];
    for (const [index, event] of events.entries()) {
      const found = fault(event, `data[${index}]`);
      if (found !== null) return invalid(found.reason, found.subcode);
    }
    for (const event of events)
      if (body['test_event_code'] !== undefined) ledger.tests.push({ key: keyOf(event), at: now(), event });
      else ledger.take(keyOf(event), event, now(), 48 * HOUR);
    return { status: 200, body: { events_received: events.length, messages: [], fbtrace_id: 'AFakeTrace' } };
  }
  return {
    name: 'meta',
    hosts: ['graph.facebook.com'],
    ledger,
    secrets,
    answer,
    error: (status, message) => error(status, message, status === 429 ? 4 : 2),
  };
}

const isObjectCheck = (value: unknown, path: string) =>
  isObject(value) ? [] : [`${path} must be an object`];
/** An event without an id never repeats another. */
const keyOf = (event: Json) => `${event['event_name']}:${event['event_id'] ?? Math.random()}`;
