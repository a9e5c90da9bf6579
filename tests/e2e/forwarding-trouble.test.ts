/** Platforms that fail, refuse, hang, are down or change their minds, and what becomes of the conversions meanwhile. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  closeShop,
  connect,
  convert,
  type Delivery,
  deliveries,
  hasten,
  newProperty,
  of,
  openShop,
  type Shop,
  settled,
  sql,
  visitor,
} from '../harness/forwarding.ts';
import type { PlatformName } from '../platforms/index.ts';

let base: Shop;
/** With a property of its own for each test; the platforms are the same. */
let shop: Shop;
let known: string;

beforeAll(async () => {
  base = await openShop();
});
afterAll(() => closeShop(base));
beforeEach(async () => {
  shop = { ...base, ...(await newProperty(base.service)) };
  known = await visitor(shop);
});

const platform = <Name extends PlatformName>(name: Name) => shop.platforms.of[name];
const user_data = { email: 'jane@mail.example', phone: '+49 30 5550123' };
const order = async (topic = 'purchase'): Promise<string> => {
  const conversion_id = randomUUID();
  await convert(shop, topic, { conversion_id, visitor_id: known, value: 10, currency: 'EUR', user_data });
  return conversion_id;
};
const orders = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await order());
  return ids;
};
const accepted = (name: PlatformName, id: string) =>
  platform(name).fake.ledger.accepted.filter(({ key }) => key.endsWith(id)).length;
const delivery = async (id: string, name?: PlatformName): Promise<Delivery | undefined> =>
  (await deliveries(shop, `q=${id}`)).find((one) => name === undefined || one.platform === name);
const destination = async (id: string) =>
  (await of(shop, 'GET', `/destinations/${id}`)).body as {
    state: string;
    alarm: { kind: string } | null;
    health: object;
  };
const change = (id: string, body: object) => of(shop, 'PATCH', `/destinations/${id}`, body);

it('waits for as long as a platform asks, and then sends it', async () => {
  await connect(shop, 'pinterest');
  platform('pinterest').failNext(1, 429, { 'retry-after': '2' });
  const id = await order();
  await settled(shop, { hurry: false });
  const [first, second] = platform('pinterest').calls.filter(({ text }) => text.includes(id));
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(2_000);
  expect(accepted('pinterest', id)).toBe(1);
});

it('comes again after failures of the platform, and after a connection that broke before the answer', async () => {
  await connect(shop, 'reddit');
  platform('reddit').failNext(2, 503);
  platform('reddit').cutNext(1);
  const id = await order();
  await settled(shop);
  expect(await delivery(id)).toMatchObject({ status: 'delivered', attempts: 4 });
  expect(accepted('reddit', id)).toBe(1);
  expect(platform('reddit').fake.ledger.absorbed.filter(({ key }) => key.endsWith(id))).toHaveLength(1);
});

it('leaves unknown what Google Analytics may have, unless it never left, and repeats it only on request', async () => {
  await connect(shop, 'ga4');
  platform('ga4').cutNext(1);
  const doubtful = await order('lead');
  await settled(shop);
  const row = await delivery(doubtful);
  expect(row).toMatchObject({ status: 'unknown', replayable: true });
  expect(accepted('ga4', doubtful)).toBe(1);
  const replay = (body?: object) => of(shop, 'POST', `/deliveries/${row?.id}/replay`, body ?? {});
  expect((await replay()).status).toBe(409);
  expect((await replay({ confirm_duplicate: true })).status).toBe(200);
  await settled(shop);
  expect(accepted('ga4', doubtful)).toBe(2);
  // A purchase is kept once there, so that it is sent again by itself.
  platform('ga4').cutNext(1);
  const purchase = await order();
  await settled(shop);
  expect(await delivery(purchase)).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(accepted('ga4', purchase)).toBe(1);
  await platform('ga4').down();
  const kept = await order('lead');
  await expect.poll(async () => (await delivery(kept))?.status).toBe('retry');
  await platform('ga4').up();
  await settled(shop);
  expect(await delivery(kept)).toMatchObject({ status: 'delivered' });
  expect(accepted('ga4', kept)).toBe(1);
});

it('gives up on an answer that does not come, and sends again only what the platform keeps once', async () => {
  await connect(shop, 'pinterest');
  await connect(shop, 'ga4');
  platform('pinterest').hangNext(1);
  platform('ga4').hangNext(1);
  const id = await order('lead');
  await settled(shop);
  expect(await delivery(id, 'pinterest')).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(await delivery(id, 'ga4')).toMatchObject({ status: 'unknown', attempts: 1 });
  expect([accepted('pinterest', id), accepted('ga4', id)]).toEqual([1, 1]);
});

it('sends what the mapping says, by topic and by name, and nothing that is turned off', async () => {
  const meta = await connect(shop, 'meta', { events: { lead: null, 'custom:demo_booked': 'Schedule' } });
  const send = async (topic: string, more: object) => {
    const conversion_id = randomUUID();
    await convert(shop, topic, { conversion_id, visitor_id: known, ...more });
    return conversion_id;
  };
  const lead = await send('lead', {});
  const demo = await send('custom', { event_name: 'demo_booked' });
  await settled(shop);
  expect(await delivery(lead, 'meta')).toMatchObject({ status: 'skipped', reason: 'turned_off' });
  expect(await delivery(demo, 'meta')).toMatchObject({ status: 'delivered', platform_event: 'Schedule' });
  expect(platform('meta').fake.ledger.keys()).toContain(`Schedule:${demo}`);
  expect((await change(meta, { events: { lead: 'Contact' } })).status).toBe(200);
  const contact = await send('lead', {});
  await settled(shop);
  expect(platform('meta').fake.ledger.keys()).toContain(`Contact:${contact}`);
});

it('pauses a destination whose credential is refused, no other, and continues when it is fixed', async () => {
  const meta = await connect(shop, 'meta');
  await connect(shop, 'snap');
  const { secrets } = platform('meta').fake;
  const { token = '' } = secrets;
  secrets['token'] = 'EAAanotherToken0123456789';
  try {
    const id = await order();
    await expect.poll(async () => (await destination(meta)).state).toBe('alarm');
    expect(await destination(meta)).toMatchObject({ alarm: { kind: 'auth' }, health: { waiting: 1 } });
    const before = platform('meta').calls.length;
    const later = await order();
    await expect.poll(() => accepted('snap', later)).toBe(1);
    expect(platform('meta').calls.length).toBe(before);
    expect(await delivery(id, 'meta')).toMatchObject({ status: 'pending', attempts: 0 });
    const { status } = await change(meta, {
      credentials: { access_token: 'EAAanotherToken0123456789' },
      clear_alarm: true,
    });
    expect(status).toBe(200);
    await settled(shop);
    expect([accepted('meta', id), accepted('meta', later)]).toEqual([1, 1]);
    expect(await destination(meta)).toMatchObject({ state: 'active', alarm: null });
  } finally {
    secrets['token'] = token;
  }
});

it('fetches a new access token by itself, and raises the alarm when the refresh token is refused', async () => {
  const google = await connect(shop, 'google_ads');
  const { fake } = platform('google_ads');
  const first = await order();
  await settled(shop);
  // As if it had been revoked before its time.
  fake.secrets.access_token = 'ya29-revoked.0';
  const second = await order();
  await settled(shop);
  expect([accepted('google_ads', first), accepted('google_ads', second)]).toEqual([1, 1]);
  expect(fake.issued()).toBe(2);
  const { refresh_token } = fake.secrets;
  fake.secrets.refresh_token = '1//revoked';
  fake.secrets.access_token = 'ya29-revoked.0';
  const third = await order();
  await expect.poll(async () => (await destination(google)).alarm).toMatchObject({ kind: 'auth' });
  fake.secrets.refresh_token = refresh_token;
  await change(google, { clear_alarm: true });
  await settled(shop);
  expect(accepted('google_ads', third)).toBe(1);
});

it('stops at a version that is over, and goes on with a newer one', async () => {
  const linkedin = await connect(shop, 'linkedin', { config: { api_version: '202511' } });
  const id = await order();
  await expect.poll(async () => (await destination(linkedin)).alarm).toMatchObject({ kind: 'config' });
  await change(linkedin, { config: { api_version: '202607' }, clear_alarm: true });
  await settled(shop);
  expect(accepted('linkedin', id)).toBe(1);
});

it.each([
  'openai',
  'meta',
  'reddit',
  'tiktok',
  'snap',
  'linkedin',
  'microsoft',
  'pinterest',
  'google_ads',
] as const)('finds the one bad event of a batch at %s, and sends all others', async (name) => {
  const id = await connect(shop, name);
  await change(id, { paused: true });
  const ids = await orders(24);
  const bad = ids[17] ?? '';
  const { fake, calls } = platform(name);
  const names = {
    openai: 'order_created',
    snap: 'PURCHASE',
    reddit: 'PURCHASE',
    linkedin: '23456',
    pinterest: 'checkout',
    google_ads: '456789',
  } as const;
  const poison =
    name === 'microsoft'
      ? bad
      : `${(names as Partial<Record<PlatformName, string>>)[name] ?? 'Purchase'}:${bad}`;
  fake.ledger.poisoned.add(poison);
  const before = calls.length;
  await change(id, { paused: false });
  await settled(shop);
  for (const one of ids) expect(accepted(name, one), one).toBe(one === bad ? 0 : 1);
  expect(await delivery(bad)).toMatchObject({ status: 'dead', replayable: true });
  // Halving finds one among 24 with two requests for each of five levels; one by one it would take 24 and more.
  expect(calls.length - before).toBeLessThan(24);
  fake.ledger.poisoned.delete(poison);
  expect(
    (await of(shop, 'POST', '/deliveries/replay', { status: 'dead', platform: name })).body,
  ).toMatchObject({ replayed: 1 });
  await settled(shop);
  expect(accepted(name, bad)).toBe(1);
});

it('puts no more into a request than the platform takes, however large the orders', async () => {
  const snap = await connect(shop, 'snap');
  await change(snap, { paused: true });
  const products = Array.from({ length: 200 }, (_, id) => ({
    id,
    name: 'x'.repeat(400),
    quantity: 1,
    price: 1,
  }));
  const ids: string[] = [];
  for (let index = 0; index < 40; index += 1) {
    const conversion_id = randomUUID();
    await convert(shop, 'purchase', {
      conversion_id,
      visitor_id: known,
      value: 200,
      currency: 'EUR',
      products,
    });
    ids.push(conversion_id);
  }
  const before = platform('snap').calls.length;
  await change(snap, { paused: false });
  await settled(shop);
  for (const id of ids) expect(accepted('snap', id)).toBe(1);
  const sizes = platform('snap')
    .calls.slice(before)
    .map(({ text }) => Buffer.byteLength(text));
  expect(Math.max(...sizes)).toBeLessThan(2 ** 20);
});

it('tells of what Google takes and refuses later', async () => {
  const google = await connect(shop, 'google_ads');
  await change(google, { paused: true });
  const ids = await orders(6);
  const bad = ids[2] ?? '';
  platform('google_ads').fake.doomed.set(`456789:${bad}`, 'INVALID_GCLID');
  await change(google, { paused: false });
  await expect.poll(async () => (await deliveries(shop, 'status=accepted_async')).length).toBe(6);
  await settled(shop);
  for (const id of ids)
    expect(await delivery(id)).toMatchObject(
      id === bad ? { status: 'dead', reason: 'INVALID_GCLID' } : { status: 'delivered' },
    );
  expect(
    platform('google_ads').fake.ledger.accepted.filter(({ key }) => ids.some((id) => key.endsWith(id))),
  ).toHaveLength(5);
});

it('keeps everything while a platform is down, tries less and less often, and delays no other', async () => {
  const tiktok = await connect(shop, 'tiktok');
  await connect(shop, 'microsoft');
  const notBefore = async () =>
    ((await destination(tiktok)).health as { not_before: string | null }).not_before;
  await platform('tiktok').down();
  try {
    const ids = await orders(30);
    await expect.poll(() => ids.filter((id) => accepted('microsoft', id) === 1).length).toBe(30);
    await expect
      .poll(async () => {
        hasten(shop.service);
        return await notBefore();
      })
      .not.toBeNull();
    const waiting = (await deliveries(shop, 'platform=tiktok')).map(({ status }) => status);
    expect(waiting.filter((status) => status !== 'retry' && status !== 'pending')).toEqual([]);
    await platform('tiktok').up();
    // As if the breaker's time were over.
    sql(shop.service, 'update destinations set not_before = 1 where id = ?', tiktok);
    await settled(shop);
    for (const id of ids) expect(accepted('tiktok', id)).toBe(1);
    expect(await notBefore()).toBeNull();
  } finally {
    await platform('tiktok').up();
  }
});

it('follows no redirect', async () => {
  const webhook = await connect(shop, 'webhook');
  platform('webhook').failNext(1, 302, { location: `${platform('meta').address}/stolen` });
  await order();
  await expect.poll(async () => (await destination(webhook)).alarm).toMatchObject({ kind: 'config' });
  expect(platform('meta').calls.filter(({ path }) => path === '/stolen')).toEqual([]);
});

it('sends nothing more for a visitor who was erased, or by a destination that was deleted', async () => {
  const [meta, snap] = [await connect(shop, 'meta'), await connect(shop, 'snap')];
  for (const id of [meta, snap]) await change(id, { paused: true });
  const id = await order();
  expect((await of(shop, 'DELETE', `/destinations/${snap}`)).status).toBe(204);
  await expect.poll(async () => (await delivery(id, 'snap'))?.reason).toBe('destination_deleted');
  await of(shop, 'DELETE', `/visitors/${known}`);
  await expect.poll(async () => (await delivery(id, 'meta'))?.reason).toBe('erased');
  await change(meta, { paused: false });
  await settled(shop);
  expect([accepted('meta', id), accepted('snap', id)]).toEqual([0, 0]);
});

it('tries every destination without counting, or shows what it would send', async () => {
  for (const name of Object.keys(shop.platforms.of) as PlatformName[]) {
    const id = await connect(shop, name);
    const { ledger } = platform(name).fake;
    const counts = () => [ledger.accepted.length, ledger.refusals.length];
    const before = counts();
    const { status, body } = await of(shop, 'POST', `/destinations/${id}/test`, { code: 'TEST12345' });
    expect(status, name).toBe(200);
    expect(body, name).toMatchObject({
      skip: null,
      request: { method: 'POST' },
      explanation: expect.any(String),
    });
    const { mode, sent, verdict } = body as { mode: string; sent: boolean; verdict: { kind: string } | null };
    expect(sent, name).toBe(mode !== 'shown');
    if (sent) expect(verdict?.kind, `${name} ${JSON.stringify(body)}`).toMatch(/^(delivered|accepted)$/);
    expect(counts(), name).toEqual(before);
    expect(JSON.stringify(body), name).not.toContain('@example.com');
  }
});

it('has written no credential and nothing of a person into its log meanwhile', () => {
  const { log } = base.service;
  for (const { fake } of base.platforms.all)
    for (const [member, value] of Object.entries(fake.secrets))
      if (/token|secret|key/i.test(member)) expect(log.includes(value), `${fake.name} ${member}`).toBe(false);
  expect(log).not.toContain('mail.example');
});
