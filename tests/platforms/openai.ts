/** OpenAI's Conversions API: `POST bzr.openai.com/v1/events?pid=`. If one event of a batch fails, the batch fails. */
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
  clickId,
  currency,
  flag,
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

export const OPENAI = { pixel: '134534000000', token: 'sk-conv-fakeOpenAiKey0123456789' };

/** Event type → type of its data. */
const TYPES: Readonly<Record<string, string>> = {
  order_created: 'contents',
  checkout_started: 'contents',
  contents_viewed: 'contents',
  items_added: 'contents',
  page_viewed: 'contents',
  lead_created: 'customer_action',
  registration_completed: 'customer_action',
  appointment_scheduled: 'customer_action',
  subscription_created: 'plan_enrollment',
  trial_started: 'plan_enrollment',
  custom: 'custom',
};
const CONTENT = object(
  {},
  { id: text(), name: text(), quantity: whole(0), amount: whole(0), currency, content_type: text() },
);
const form = (now: number) =>
  object(
    {
      id: text(),
      type: oneOf(...Object.keys(TYPES)),
      timestamp_ms: instant(1, now, 7 * DAY, 10 * MINUTE),
      action_source: oneOf('web', 'mobile_app', 'offline', 'physical_store', 'phone_call', 'email', 'other'),
      data: object(
        { type: oneOf(...Object.values(TYPES)) },
        { amount: whole(0), currency, contents: list(CONTENT, 1), plan_id: text(), value: number() },
      ),
    },
    {
      source_url: url,
      oppref: clickId,
      obref: text(),
      custom_event_name: text(/^[a-z0-9_-]{1,64}$/),
      opt_out: flag,
      user: object(
        {},
        {
          email_sha256: hash,
          external_id_sha256: hash,
          obref: text(),
          country: text(/^[A-Z]{2}$/),
          city: text(),
          zip_code: text(),
          ip_address: address,
          user_agent: userAgent,
        },
      ),
    },
  );

export function createOpenAi({ now = Date.now }: FakeOptions = {}): Fake {
  const ledger = new Ledger();
  const secrets = { ...OPENAI };
  const error = (status: number, message: string, param: string | null = null): Reply => ({
    status,
    body: {
      error: { message, type: status === 400 ? 'invalid_request_error' : 'api_error', param, code: null },
    },
  });

  const each: Check = (event, path) => {
    const problems = form(now())(event, path);
    if (!isObject(event) || problems.length > 0) return problems;
    const user = isObject(event['user']) ? event['user'] : {};
    const data = event['data'] as Json;
    if (
      (event['oppref'] ??
        event['obref'] ??
        user['obref'] ??
        user['email_sha256'] ??
        user['external_id_sha256']) === undefined
    )
      return [`${path} has no strong identifier`];
    if (event['action_source'] === 'web' && event['source_url'] === undefined)
      return [`${path}.source_url is missing`];
    if (data['type'] !== TYPES[String(event['type'])])
      return [`${path}.data.type does not go with ${event['type']}`];
    if ((event['type'] === 'custom') !== (event['custom_event_name'] !== undefined))
      return [`${path}.custom_event_name goes with custom, and with it alone`];
    if ((data['amount'] === undefined) !== (data['currency'] === undefined))
      return [`${path}.data has one of amount and currency`];
    return ledger.poisoned.has(keyOf(event)) ? [`${path} is poisoned`] : [];
  };

  function answer(call: Call): Reply {
    if (bearer(call) !== secrets.token) return error(401, ledger.refuse('Incorrect API key provided.'));
    if (call.method !== 'POST' || call.path !== '/v1/events')
      return error(404, ledger.refuse(`no such path: ${call.path}`));
    if (call.query.get('pid') !== secrets.pixel) return error(403, ledger.refuse('No access to this pixel.'));
    const [problem] = object({ events: list(each, 1, 1_000) }, { validate_only: flag })(call.json, '');
    if (problem !== undefined) return error(400, ledger.refuse(problem), problem.split(' ')[0]);
    const body = call.json as { events: Json[]; validate_only?: boolean };
    for (const event of body.events)
      if (body.validate_only === true) ledger.tests.push({ key: keyOf(event), at: now(), event });
      else ledger.take(keyOf(event), event, now(), null);
    return { status: 200, body: { events_received: body.events.length } };
  }

  return { name: 'openai', hosts: ['bzr.openai.com'], ledger, secrets, answer, error };
}

const keyOf = (event: Json) => `${event['custom_event_name'] ?? event['type']}:${event['id']}`;
