/** Pinterest's conversions API v5: `POST api.pinterest.com/v5/ad_accounts/{id}/events`. Its OpenAPI document knows no member besides the named. */
import {
  bearer,
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
import {
  address,
  type Check,
  currency,
  decimal,
  flag,
  hashes,
  instant,
  list,
  object,
  oneOf,
  openObject,
  text,
  url,
  userAgent,
  whole,
} from './shape.ts';

export const PINTEREST = { account: '549755885175', token: 'pina_fakePinterestToken0123456789' };

/** None is documented; a year shows a wrong unit. */
const OLDEST = 365 * DAY;
const NAMES = [
  'add_payment_info',
  'add_to_cart',
  'add_to_wishlist',
  'app_install',
  'app_open',
  'checkout',
  'contact',
  'custom',
  'customize_product',
  'find_location',
  'initiate_checkout',
  'lead',
  'page_visit',
  'schedule',
  'search',
  'signup',
  'start_trial',
  'submit_application',
  'subscribe',
  'view_category',
  'view_content',
  'watch_video',
];
const HASHED = [
  'em',
  'hashed_maids',
  'ph',
  'ge',
  'db',
  'ln',
  'fn',
  'ct',
  'st',
  'zp',
  'country',
  'external_id',
];

const USER: Check = (value, path) => [
  ...openObject(
    {},
    {
      ...Object.fromEntries(HASHED.map((name) => [name, hashes])),
      client_ip_address: address,
      client_user_agent: userAgent,
      click_id: text(),
      partner_id: text(),
    },
  )(value, path),
  ...(isObject(value) &&
  (value['em'] ?? value['hashed_maids'] ?? (value['client_ip_address'] && value['client_user_agent'])) ===
    undefined
    ? [`${path} has neither em nor hashed_maids nor both client_ip_address and client_user_agent`]
    : []),
];
const CONTENT = object(
  {},
  {
    id: text(),
    item_name: text(),
    item_price: decimal,
    quantity: whole(0),
    item_category: text(),
    item_brand: text(),
  },
);
const CUSTOM = object(
  {},
  {
    currency,
    value: decimal,
    content_ids: list(text(), 1),
    content_name: text(),
    content_category: text(),
    content_brand: text(),
    contents: list(CONTENT, 1),
    num_items: whole(0),
    order_id: text(),
    search_string: text(),
    opt_out_type: oneOf('LDP'),
    predicted_ltv: decimal,
    np: text(),
  },
);
const form = (now: number) =>
  object(
    {
      event_name: oneOf(...NAMES),
      action_source: oneOf('app_android', 'app_ios', 'web', 'offline'),
      event_time: instant(1_000, now, OLDEST, MINUTE),
      event_id: text(),
      user_data: USER,
    },
    {
      event_source_url: url,
      opt_out: flag,
      partner_name: text(),
      custom_data: CUSTOM,
      language: text(/^[a-z]{2}$/),
    },
  );

export function createPinterest({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...PINTEREST };
  const error = (status: number, code: number, message: string): Reply => ({
    status,
    body: { code, message },
  });

  function answer(call: Call): Reply {
    if (bearer(call) !== secrets.token) return error(401, 2, ledger.refuse('Authentication failed.'));
    const account = /^\/v5\/ad_accounts\/(\d+)\/events$/.exec(call.path)?.[1];
    if (call.method !== 'POST' || account !== secrets.account)
      return error(403, 29, ledger.refuse('You are not permitted to access that resource.'));
    const [problem] = object({ data: list((value, path) => (isObject(value) ? [] : [path]), 1, 1_000) })(
      call.json,
      '',
    );
    if (problem !== undefined) return error(400, 1, ledger.refuse(problem));
    const { data } = call.json as { data: Json[] };
    const judged = data.map((event, index) => {
      const [wrong] = [
        ...form(now())(event, `data[${index}]`),
        ...(ledger.poisoned.has(keyOf(event)) ? [`data[${index}] is poisoned`] : []),
      ];
      if (wrong !== undefined)
        return { status: 'failed', error_message: ledger.refuse(wrong), warning_message: '' };
      if (call.query.get('test') === 'true') ledger.tests.push({ key: keyOf(event), at: now(), event });
      else ledger.take(keyOf(event), event, now(), null);
      return { status: 'processed', error_message: '', warning_message: '' };
    });
    const processed = judged.filter(({ status }) => status === 'processed').length;
    return {
      status: processed === data.length ? 200 : 422,
      body: { num_events_received: data.length, num_events_processed: processed, events: judged },
    };
  }

  return {
    name: 'pinterest',
    hosts: ['api.pinterest.com'],
    ledger,
    secrets,
    answer,
    error: (status, message) => error(status, status === 429 ? 8 : 12, message),
  };
}

const keyOf = (event: Json) => `${event['event_name']}:${event['event_id']}`;
