/** Reddit's Conversions API v3: `POST ads-api.reddit.com/api/v3/pixels/{pixel}/conversion_events`. One bad event fails the request. */
import {
  bearer,
  type Call,
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
  instant,
  list,
  number,
  object,
  oneOf,
  text,
  url,
  userAgent,
  whole,
} from './shape.ts';

export const REDDIT = { pixel: 'a2_fakereddit', token: 'fakeRedditToken.eyJhbGciOiJSUzI1NiIs' };

const TYPES = [
  'PAGE_VISIT',
  'VIEW_CONTENT',
  'SEARCH',
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'PURCHASE',
  'LEAD',
  'SIGN_UP',
  'CUSTOM',
];
const PRODUCT_MEMBERS = object(
  {},
  { id: text(), name: text(), category: text(), item_price: number(), quantity: whole(0) },
);
const PRODUCT: Check = (value, path) => [
  ...PRODUCT_MEMBERS(value, path),
  ...(isObject(value) && (value['id'] ?? value['name']) === undefined
    ? [`${path} has neither id nor name`]
    : []),
];
const form = (now: number) =>
  object(
    {
      event_at: instant(1, now, 168 * HOUR, 5 * MINUTE),
      action_source: oneOf('WEBSITE', 'APP', 'PHYSICAL_STORE'),
      type: object({ tracking_type: oneOf(...TYPES) }, { custom_event_name: text(null, 64) }),
    },
    {
      event_source_url: url,
      click_id: clickId,
      metadata: object(
        {},
        {
          conversion_id: text(),
          currency,
          value: number(),
          item_count: whole(0),
          products: list(PRODUCT, 1),
        },
      ),
      user: object(
        {},
        {
          email: hash,
          phone_number: hash,
          external_id: hash,
          ip_address: address,
          user_agent: userAgent,
          uuid: text(),
          data_processing_options: object(
            { modes: list(oneOf('LDU'), 1, 1) },
            { country: text(), region: text() },
          ),
          screen_dimensions: object({}, { height: whole(), width: whole() }),
        },
      ),
    },
  );

export function createReddit({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...REDDIT };
  const error = (status: number, message: string): Reply => ({
    status,
    body: { error: { code: status, message } },
  });

  const each: Check = (event, path) => {
    const problems = form(now())(event, path);
    if (!isObject(event) || problems.length > 0) return problems;
    const type = event['type'] as Json;
    const user = isObject(event['user']) ? event['user'] : {};
    const known = ['email', 'phone_number', 'external_id', 'ip_address', 'uuid'].some(
      (name) => user[name] !== undefined,
    );
    if (!known && event['click_id'] === undefined)
      return [`${path} has neither click_id nor anything of the user`];
    if ((type['tracking_type'] === 'CUSTOM') !== (type['custom_event_name'] !== undefined))
      return [`${path}.type.custom_event_name goes with CUSTOM, and with it alone`];
    return ledger.poisoned.has(keyOf(event)) ? [`${path} is poisoned`] : [];
  };

  function answer(call: Call): Reply {
    if (bearer(call) !== secrets.token) return error(401, ledger.refuse('Invalid authorization token.'));
    if (call.method !== 'POST' || call.path !== `/api/v3/pixels/${secrets.pixel}/conversion_events`)
      return error(403, ledger.refuse(`no access to ${call.path}`));
    const [problem] = object({
      data: object({ events: list(each, 1, 1_000) }, { test_id: text(), partner: text() }),
    })(call.json, '');
    if (problem !== undefined) return error(400, ledger.refuse(problem));
    const { data } = call.json as { data: { events: Json[]; test_id?: string } };
    if (data.test_id !== undefined && data.events.length > 1)
      return error(400, ledger.refuse('a test is sent alone'));
    for (const event of data.events)
      if (data.test_id !== undefined) ledger.tests.push({ key: keyOf(event), at: now(), event });
      else ledger.take(keyOf(event), event, now(), null);
    return {
      status: 200,
      body: { data: { message: `Successfully processed ${data.events.length} conversion events.` } },
    };
  }

  return { name: 'reddit', hosts: ['ads-api.reddit.com'], ledger, secrets, answer, error };
}

function keyOf(event: Json): string {
  const type = event['type'] as Json;
  const metadata = isObject(event['metadata']) ? event['metadata'] : {};
  return `${type['custom_event_name'] ?? type['tracking_type']}:${metadata['conversion_id'] ?? Math.random()}`;
}
