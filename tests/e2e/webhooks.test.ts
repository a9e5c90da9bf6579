/** Conversions by webhook on the real service: the order of the checks, limits, hostile and clumsy senders, and what the log says of them. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, TestService } from '../harness/service.ts';

interface Key {
  id: string;
  key: string;
  prefix: string;
}

const service = new TestService({ TRUST_PROXY: '1', LOG_LEVEL: 'debug' });
let property: { id: string };
let key: Key;
const order = (more: object = {}) => ({
  conversion_id: randomUUID(),
  value: 99.9,
  currency: 'EUR',
  ...more,
});

beforeAll(async () => {
  await service.start();
  property = await service.property();
  key = await issue({ rate_limit: 100_000 });
});
afterAll(async () => {
  await service.dispose();
});

async function issue(more: object = {}, id = property.id): Promise<Key> {
  const { status, body } = await service.api('POST', `/api/v1/properties/${id}/webhook-keys`, {
    name: 'Shop',
    ...more,
  });
  expect(status).toBe(201);
  return body as Key;
}

const enable = (enabled: boolean, id = property.id) =>
  service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled });

/** @param body text and bytes as they are, everything else as JSON */
async function post(
  topic: string,
  body: unknown,
  {
    auth = `Bearer ${key.key}`,
    id = property.id,
    headers = {},
  }: {
    auth?: string | null;
    id?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  return await service.call('POST', `/webhooks/custom/${id}/${topic}`, {
    headers: { ...(auth === null ? {} : { Authorization: auth }), ...headers },
    body: raw ? (body as string) : JSON.stringify(body),
  });
}

async function activity(): Promise<Record<string, unknown>[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${property.id}/webhooks/activity`);
  return (body as { items: Record<string, unknown>[] }).items;
}

describe('the endpoint', () => {
  it('is not there before receiving is enabled, and not after it is disabled', async () => {
    expect((await post('purchase', order())).status).toBe(404);
    const path = `/api/v1/properties/${property.id}/webhooks`;
    expect((await service.api('GET', path)).body).toMatchObject({ enabled: false, lookback_days: 30 });
    expect(await enable(true)).toMatchObject({
      status: 200,
      body: { enabled: true, endpoint: `${service.address}/webhooks/custom/${property.id}` },
    });
    expect((await post('purchase', order())).status).toBe(200);
    await enable(false);
    expect((await post('purchase', order())).status).toBe(404);
    await enable(true);
    expect((await service.api('PUT', path, { lookback_days: 91 })).status).toBe(422);
    expect((await service.api('PUT', path, { lookback_days: 60 })).body).toMatchObject({
      enabled: true,
      lookback_days: 60,
    });
  });

  it('checks in one order: 404, 401, 429, then the body', async () => {
    const once = await issue({ rate_limit: 1 });
    const other = await service.property('Other', 'other.example');
    const foreign = await issue({}, other.id);
    const bad = 'x'.repeat(300 * 1024);
    const status = async (...args: Parameters<typeof post>) => (await post(...args)).status;
    // Everything is wrong.
    expect(await status('nonsense', bad, { id: randomUUID(), auth: null })).toBe(404);
    expect(await status('nonsense', bad, { id: other.id, auth: `Bearer ${foreign.key}` })).toBe(404);
    expect(await status('nonsense', bad, { id: 'x' })).toBe(404);
    for (const auth of [
      null,
      'Bearer',
      key.key,
      `bearer ${key.key}`,
      `Bearer  ${key.key}`,
      `Bearer ${key.key} x`,
      `Bearer ${foreign.key}`,
      `Bearer ${once.prefix}`,
    ])
      expect(await status('nonsense', bad, { auth }), String(auth)).toBe(401);
    const auth = `Bearer ${once.key}`;
    // A refused body counts against the limit.
    const began = performance.now();
    expect(await status('nonsense', bad, { auth })).toBe(413);
    const limited = await post('nonsense', bad, { auth });
    expect(limited.status).toBe(429);
    const passedSeconds = (performance.now() - began) / 1_000;
    const waitSeconds = Number(limited.headers.get('retry-after'));
    expect(waitSeconds).toBeLessThanOrEqual(60);
    expect(waitSeconds).toBeGreaterThanOrEqual(60 - Math.ceil(passedSeconds));
    expect(await status('nonsense', 'x')).toBe(400);
    expect(await status('nonsense', order())).toBe(422);
    expect(await status('purchase', order(), { id: property.id.toUpperCase() })).toBe(200);
    const get = await service.call('GET', `/webhooks/custom/${property.id}/purchase`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    await service.api('DELETE', `/api/v1/properties/${property.id}/webhook-keys/${once.id}`);
    expect(await status('purchase', order(), { auth })).toBe(401);
  });

  it('lets sixty a minute pass and the sixty-first not, and says when', async () => {
    const sixty = await issue();
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => post('lead', {}, { auth: `Bearer ${sixty.key}` })),
    );
    const tookSeconds = (performance.now() - began) / 1_000;
    const passed = answers.filter(({ status }) => status === 200);
    // One more for each second that all of them took.
    expect(passed.length).toBeGreaterThanOrEqual(60);
    expect(passed.length).toBeLessThanOrEqual(60 + Math.ceil(tookSeconds));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('ratelimit-policy')).toBe('"webhook";q=60;w=60');
    expect(refused?.headers.get('ratelimit')).toMatch(/^"webhook";r=0;t=1$/);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.body).toMatchObject({ status: 429, type: '/problems/rate_limited' });
    const path = `/api/v1/properties/${property.id}/webhook-keys/${sixty.id}`;
    expect((await service.api('PATCH', path, { rate_limit: 6_000 })).body).toMatchObject({
      rate_limit: 6_000,
    });
    await expect.poll(async () => (await post('lead', {}, { auth: `Bearer ${sixty.key}` })).status).toBe(200);
  });

  it('makes one conversion of a hundred at once', async () => {
    const body = order();
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('purchase', body)));
    expect(
      new Set(answers.map((answer) => JSON.stringify([answer.status, (answer.body as Key).id]))).size,
    ).toBe(1);
    expect(answers.filter((answer) => !(answer.body as { duplicate: boolean }).duplicate)).toHaveLength(1);
    const { body: found } = await service.api(
      'GET',
      `/api/v1/properties/${property.id}/conversions?q=${body.conversion_id}`,
    );
    expect((found as { items: unknown[] }).items).toHaveLength(1);
  });

  it('takes an order as a PHP shop writes it', async () => {
    const woo = {
      conversion_id: 1042,
      visitor_id: '',
      value: '149.80',
      currency: 'eur',
      tax: '23.92',
      shipping: '',
      discount_code: null,
      user_data: {
        email: 'Kunde@Mail.Example',
        phone: '',
        first_name: 'Jörg',
        last_name: 'Müller 👕',
        address: { city: 'Köln', region: '', postal_code: 50667, country: 'DE' },
      },
      products: [
        { id: 77, name: 'Lampe „Nord“', quantity: '2', price: '74.90', variation: [] },
        { product_id: 78, product_name: 'Birne', quantity: 1, price: 0 },
      ],
      consent: [],
    };
    const { status, body } = await post('purchase', woo, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^cnv_/),
        status: 'success',
        topic: 'purchase',
        session_matched: false,
        duplicate: false,
        warnings: [],
      },
    ]);
    const zipped = await post('purchase', gzipSync(JSON.stringify(woo)));
    expect(zipped.body).toMatchObject({ id: (body as Key).id, duplicate: true });
    const detail = await service.api(
      'GET',
      `/api/v1/properties/${property.id}/conversions/${(body as Key).id}`,
    );
    expect(detail.body).toMatchObject({
      conversion_id: '1042',
      value: '149.8',
      currency: 'EUR',
      match_reason: 'no_visitor_id',
      personal: { email: 'K***@M***.Example', last_name: 'M***', address: { city: 'Köln' } },
      products: [{ id: '77', quantity: '2', price: '74.9' }, { id: '78' }],
    });
  });

  it.each([
    ['nothing', '', 400],
    ['no JSON', 'value=1', 400],
    ['NaN', '{"conversion_id":"1","value":NaN,"currency":"EUR"}', 400],
    ['half a character', new Uint8Array([0x7b, 0xff, 0x7d]), 400],
    ['damaged gzip', gzipSync('{}').subarray(0, 12), 400],
    ['an array', '[]', 422],
    ['a list of orders', '[{"conversion_id":"1"}]', 422],
    ['a number', '7', 422],
    ['null', 'null', 422],
    ['a thing too large for a number', '{"conversion_id":"1","value":1e400,"currency":"EUR"}', 422],
    ['a negative value', '{"conversion_id":"1","value":-1,"currency":"EUR"}', 422],
    ['forty digits', `{"conversion_id":"1","value":"${'9'.repeat(40)}","currency":"EUR"}`, 422],
    ['no currency', '{"conversion_id":"1","value":1}', 422],
    ['a currency that is none', '{"conversion_id":"1","value":1,"currency":"EURO"}', 422],
    ['depth', `{"conversion_id":"1","a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 422],
    ['256 KiB and a byte', `"${'x'.repeat(256 * 1024 - 1)}"`, 413],
    ['a bomb', gzipSync(`"${'x'.repeat(8 * 1024 ** 2)}"`), 413],
  ])('refuses %s', async (_what, body, status) => {
    const answer = await post('purchase', body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('ratelimit')).toMatch(/^"webhook";r=\d+;t=\d+$/);
    if (status === 422)
      expect((answer.body as { errors: unknown[] }).errors).toContainEqual({
        pointer: expect.stringMatching(/^$|^\//),
        message: expect.stringMatching(/\.$/),
      });
  });

  it('takes what is odd and can be understood', async () => {
    const id = randomUUID();
    const taken = [
      `{"conversion_id":"${id}","value":1,"value":2,"currency":"EUR"}`,
      `\ufeff{"conversion_id":"${randomUUID()}","value":1,"currency":"EUR"}`,
      JSON.stringify(order({ conversion_id: '🛒'.repeat(10), extra: '💥' })),
      JSON.stringify(order({ user_data: { phone: 'call me' } })),
    ];
    for (const body of taken) expect((await post('purchase', body)).status, body).toBe(200);
    const exact = order();
    const room = 256 * 1024 - JSON.stringify({ ...exact, pad: '' }).length;
    expect((await post('purchase', { ...exact, pad: 'x'.repeat(room) })).status).toBe(200);
    const { body } = await service.api('GET', `/api/v1/properties/${property.id}/conversions?q=${id}`);
    expect(body).toMatchObject({ items: [{ value: '2' }], next: null });
  });
});

it('shows what was received, masked, its outcome, and why it did not match', async () => {
  await enable(true);
  await post('purchase', { conversion_id: 'A', value: 'much', user_data: { email: 'jane@mail.example' } });
  const item = (await activity())[0];
  expect(item).toMatchObject({
    status: 'validation_error',
    http_status: 422,
    topic: 'purchase',
    session_matched: false,
    match_reason: null,
    key_prefix: key.prefix,
    count: 1,
  });
  const detail = await service.api(
    'GET',
    `/api/v1/properties/${property.id}/webhooks/activity/${item?.['id']}`,
  );
  expect(detail.body).toMatchObject({
    received: { conversion_id: 'A', value: 'much', user_data: { email: '***' } },
    errors: expect.arrayContaining([{ pointer: '/value', message: expect.any(String) }]),
    explanation: expect.stringContaining('nothing was stored'),
  });
  expect((await activity()).length).toBeLessThanOrEqual(20);
});

it('serves a custom domain nothing but what it is for, and for its own attribution ID only', async () => {
  await enable(true);
  const domain = 't.shop.example';
  const claimed = await service.api('POST', `/api/v1/properties/${property.id}/domains`, { domain });
  expect(claimed).toMatchObject({
    status: 201,
    body: { state: 'pending', record: { type: 'TXT', name: '_ghostlight.t.shop.example' } },
  });
  const ask = (name: string) => service.call('GET', `/api/v1/domains/ask?domain=${name}`);
  expect((await ask(domain)).status).toBe(404);
  // What the proof of the record would write.
  const database = new DatabaseSync(join(service.dataDir, 'state.sqlite'), { timeout: 5_000 });
  database.prepare('update tracking_domains set verified_at = 1 where domain = ?').run(domain);
  database.close();
  await expect.poll(async () => (await ask(domain)).status).toBe(200);
  const at = async (method: string, path: string, headers: Record<string, string>, body = '') =>
    await new Promise<number>((resolve, reject) => {
      const sent = request(`${service.address}${path}`, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const other = await service.property('Third', 'third.example');
  await enable(true, other.id);
  const foreign = await issue({}, other.id);
  const purchase = (id: string) => `/webhooks/custom/${id}/purchase`;
  const [own, theirs] = [{ Authorization: `Bearer ${key.key}` }, { Authorization: `Bearer ${foreign.key}` }];
  for (const host of [{ Host: domain }, { Host: 'proxy.internal', 'X-Forwarded-Host': `${domain}:443` }]) {
    const body = JSON.stringify(order());
    expect(await at('POST', purchase(property.id), { ...own, ...host }, body)).toBe(200);
    expect(await at('POST', purchase(other.id), { ...theirs, ...host }, body)).toBe(404);
    for (const path of ['/', '/api/v1/openapi.json', '/healthz', '/v1/config/ai-bots'])
      expect(await at('GET', path, host), path).toBe(404);
    expect(await at('POST', '/v1/logs/edge_worker', host, '[]')).toBe(404);
  }
  expect(await at('POST', purchase(other.id), theirs, JSON.stringify(order()))).toBe(200);
  expect(await at('GET', '/healthz', { Host: 'elsewhere.example' })).toBe(200);
  await service.api('DELETE', `/api/v1/properties/${property.id}/domains/${domain}`);
  expect(await at('GET', '/healthz', { Host: domain })).toBe(200);
});

describe('with visits of the SDK', () => {
  beforeAll(async () => void (await enable(true)));
  const CHROME =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  /** A landing page of an ad. */
  const land = async (visitor: string, more: object = {}) => {
    const { status } = await service.call('POST', '/api/events', {
      headers: { 'Content-Type': 'text/plain', 'User-Agent': CHROME },
      body: JSON.stringify({
        event_name: 'page_view',
        event_id: randomUUID(),
        attribution_id: property.id,
        visitor_id: visitor,
        session_id: randomUUID(),
        session_start: true,
        page_location:
          'https://shop.example/lamps?utm_source=google&utm_medium=cpc&utm_campaign=autumn&gclid=Abc123',
        page_referrer: 'https://www.google.com/',
        consent: { analytics: true, advertising: true },
        ...more,
      }),
    });
    expect(status).toBe(200);
  };
  /** Sent again until the visit is recorded; the sender's own ids make each another conversion. */
  const matched = async (visitor: string) => {
    let body: unknown;
    await expect
      .poll(async () => {
        ({ body } = await post('purchase', order({ visitor_id: visitor })));
        return (body as { session_matched: boolean }).session_matched;
      })
      .toBe(true);
    return (body as Key).id;
  };

  it('attributes an order to the ad that brought its visitor', async () => {
    const visitor = randomUUID();
    await land(visitor);
    const id = await matched(visitor);
    const path = `/api/v1/properties/${property.id}`;
    expect((await service.api('GET', `${path}/conversions/${id}`)).body).toMatchObject({
      session_matched: true,
      match_reason: 'matched',
      channel: 'paid_search',
      platform: 'google',
      campaign: 'autumn',
      touches: [{ campaign: 'autumn', click_ids: ['gclid'], winner: true }],
    });
    const report = await service.api('GET', `${path}/reports/attribution?by=campaign`);
    expect(report.body).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ key: 'autumn', platform: 'google' })]),
    });
    const shown = (await activity()).find((item) => item['session_matched'] === true);
    expect(shown).toMatchObject({ match_reason: 'matched' });
    await service.api('DELETE', `${path}/visitors/${visitor}`);
    expect((await service.api('GET', `${path}/conversions/${id}`)).body).toMatchObject({
      visitor_id: null,
      touches: [],
      campaign: 'autumn',
    });
  });

  it('matches an order late whose visit was recorded after it, and links the page’s own word of it', async () => {
    const visitor = randomUUID();
    const body = order({ visitor_id: visitor });
    const answer = await post('purchase', body);
    expect(answer.body).toMatchObject({ session_matched: false });
    await land(visitor);
    const { conversion_id, value, currency } = body;
    await land(visitor, { event_name: 'purchase', conversion_id, value, currency, session_start: false });
    const path = `/api/v1/properties/${property.id}/conversions`;
    await expect
      .poll(async () => (await service.api('GET', `${path}/${(answer.body as Key).id}`)).body)
      .toMatchObject({
        session_matched: true,
        match_reason: 'late',
        campaign: 'autumn',
        linked_browser_event: true,
      });
    expect((await service.api('GET', `${path}?q=${conversion_id}`)).body).toMatchObject({
      items: [{ match_reason: 'late' }],
    });
    const line = (await service.api('GET', `${path}?q=${conversion_id}&format=ndjson`)).body;
    expect(line).toMatch(/"match_reason":"late".*\n$/);
  });
});

it('shows nothing without authentication, and nothing of one organization to another', async () => {
  await enable(true);
  await post('lead', {});
  const path = `/api/v1/properties/${property.id}`;
  const { items } = (await service.api('GET', `${path}/conversions?limit=1`)).body as { items: Key[] };
  const routes: [string, string, unknown?][] = [
    ['GET', '/webhooks'],
    ['PUT', '/webhooks', { enabled: false }],
    ['GET', '/webhook-keys'],
    ['POST', '/webhook-keys', { name: 'x' }],
    ['PATCH', `/webhook-keys/${key.id}`, { rate_limit: 1 }],
    ['DELETE', `/webhook-keys/${key.id}`],
    ['GET', '/webhooks/activity'],
    ['GET', `/webhooks/activity/${(await activity())[0]?.['id']}`],
    ['GET', '/conversions'],
    ['GET', `/conversions/${items[0]?.id}`],
    ['GET', '/reports/attribution'],
    ['GET', '/domains'],
    ['POST', '/domains', { domain: 'x.example' }],
    ['POST', '/domains/x.example/verify', {}],
    ['DELETE', '/domains/x.example'],
  ];
  for (const [method, rest, body] of routes) {
    const other = `${path}${rest}?organization=${randomUUID()}`;
    expect((await service.api(method, other, body)).status, `${method} ${rest}`).toBe(404);
    const bare = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const { status } = await service.call(method, `${path}${rest}`, body === undefined ? {} : bare);
    expect(status, `${method} ${rest}`).toBe(401);
  }
  expect((await post('lead', {})).status).toBe(200);
  const { body: document } = await service.call('GET', '/api/v1/openapi.json');
  const { paths } = document as { paths: Record<string, unknown> };
  for (const [, rest] of routes) {
    const pattern = rest
      .replace(key.id, '{key_id}')
      .replace(/activity\/.+/, 'activity/{request_id}')
      .replace(/conversions\/.+/, 'conversions/{conversion_id}')
      .replace('x.example', '{domain}');
    expect(Object.keys(paths)).toContain(`/api/v1/properties/{id}${pattern}`);
  }
  expect(Object.keys(paths)).toContain('/webhooks/custom/{attribution_id}/{topic}');
});

// Eight processes, one after the other.
it('is worked from the command line', async () => {
  const { id } = await service.property('Terminal', 'terminal.example');
  const enabled = await service.run(['webhooks', 'enable', id]);
  expect(enabled).toMatchObject({ code: 0, stdout: expect.stringContaining(`/webhooks/custom/${id}`) });
  const issued = await service.run(['webhooks', 'keys', 'issue', id, '--name', 'CRM', '--rate-limit', '5']);
  const [text = ''] = issued.stdout.split('\n');
  expect(text).toMatch(/^svc_wh_[0-9A-Za-z]{43}$/);
  expect((await post('lead', {}, { id, auth: `Bearer ${text}` })).status).toBe(200);
  const listed = await service.run(['webhooks', 'keys', 'list', id]);
  expect(listed.stdout).toContain('CRM');
  expect(listed.stdout).not.toContain(text.slice(12));
  const keys = await service.api('GET', `/api/v1/properties/${id}/webhook-keys`);
  const [{ id: keyId }] = (keys.body as { items: [{ id: string }] }).items;
  await service.run(['webhooks', 'keys', 'limit', id, keyId, '7']);
  expect((await service.run(['webhooks', 'keys', 'list', id])).stdout).toMatch(/CRM\s+7/);
  await service.run(['webhooks', 'keys', 'revoke', id, keyId]);
  expect((await post('lead', {}, { id, auth: `Bearer ${text}` })).status).toBe(401);
  await service.run(['webhooks', 'disable', id]);
  expect((await post('lead', {}, { id, auth: `Bearer ${text}` })).status).toBe(404);
  expect((await service.run(['webhooks', 'keys', 'revoke', id])).code).toBe(2);
});

it('writes no key, no address and no phone into its log', async () => {
  const secrets = ['jane.doe@mail.example', '+4930901820', '030 901820', 'Jane-Unusual-Name', key.key];
  const hostile = { user_data: { email: secrets[0], phone: secrets[1], first_name: secrets[3] } };
  for (const topic of ['purchase', 'nonsense', secrets[0] ?? ''])
    for (const body of [
      order(hostile),
      { ...hostile, value: secrets[0] },
      `{"email":"${secrets[0]}","phone":"${secrets[2]}`,
      [hostile],
    ])
      await post(encodeURIComponent(topic), body, {
        headers: { 'Idempotency-Key': secrets[0] ?? '', Cookie: secrets[0] ?? '' },
      });
  for (const auth of [`Bearer ${key.key}x`, key.key, `Basic ${btoa(key.key)}`, `Bearer ${secrets[0]}`])
    await post('purchase', order(hostile), { auth });
  await service.call('POST', `/webhooks/custom/${property.id}/purchase/${key.key}?key=${key.key}`);
  await service.stop();
  expect(service.log).toContain('listening');
  for (const secret of [...secrets, key.key.slice(12)]) expect(service.log).not.toContain(secret);
});
