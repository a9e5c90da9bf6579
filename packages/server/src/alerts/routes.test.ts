/** The management API of the room, for callers of more than one organization. */
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiEnv, type Caller, DEFAULT_ORGANIZATION_ID, ServiceError } from '../common/index.ts';
import { atOnce, openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { alertRoutes } from './routes.ts';
import { openTestAlerts, START, type TestAlerts } from './testing.ts';

const databases = await openTestDatabases();
const clock = { now: START };
let store: TestWarehouse;
beforeAll(async () => {
  store = await openTestWarehouse({ clock: () => clock.now });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});

const STATUSES: Readonly<Record<string, number>> = {
  invalid: 422,
  not_found: 404,
  forbidden: 403,
  conflict: 409,
  rate_limited: 429,
};
const ROOT: Caller = { kind: 'root', role: 'owner', scope: { kind: 'all' }, actor: 'root' };
const token = (organization: string, propertyId: string | null = null): Caller => ({
  ...{ kind: 'token', role: 'admin', actor: 'token:t' },
  scope: {
    ...{ kind: 'organization', id: organization },
    ...(propertyId === null ? {} : { properties: new Map([[propertyId, 'editor']]) }),
  },
});

describe('the routes', () => {
  let home: TestDatabase;
  let at: TestAlerts;
  beforeEach(async () => {
    clock.now = START;
    const [backend] = databases.backends;
    if (backend === undefined) throw new Error('There is no backend');
    home = await backend.fresh({ clock: () => clock.now });
    at = await openTestAlerts(home, store.warehouse, clock);
  });
  afterEach(async () => {
    await at.close();
    await home.remove();
  });

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    caller: Caller = ROOT,
    id = at.property.id,
  ) => {
    const app = new Hono<ApiEnv>();
    app.onError((error) =>
      error instanceof ServiceError
        ? Response.json({ code: error.code, errors: error.errors }, { status: STATUSES[error.code] ?? 500 })
        : Response.json({ error: String(error) }, { status: 500 }),
    );
    app.use((c, next) => {
      c.set('caller', caller);
      return next();
    });
    app.route('/', alertRoutes({ properties: at.properties, alerts: at.alerts }));
    const response = await app.request(`/properties/${id}/alerts${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text), text };
  };

  it('say what is watched for, in words, and change it', async () => {
    const { body } = await ask('GET', '/rules');
    expect(body.repeat_hours).toBe(24);
    expect(body.rules.map((rule: { kind: string }) => rule.kind)).toEqual([
      ...['new_bot', 'spike', 'drop_to_zero', 'spoof_surge', 'bot_errors'],
      ...['collector_quiet', 'forwarding_failing', 'ai_referral_first', 'quota'],
    ]);
    for (const rule of body.rules) {
      expect(rule.description).toContain('{n}');
      expect(rule.details).not.toContain('{n}');
      expect(rule).toMatchObject({ enabled: true, threshold: rule.default });
    }
    const changed = await ask('PUT', '/rules', {
      repeat_hours: 48,
      rules: [
        { kind: 'spike', threshold: 5 },
        { kind: 'new_bot', enabled: false },
      ],
    });
    expect(changed.body.rules.slice(0, 2)).toMatchObject([
      { kind: 'new_bot', enabled: false, threshold: 1 },
      { kind: 'spike', enabled: true, threshold: 5 },
    ]);
    const again = await ask('PUT', '/rules', { rules: [{ kind: 'spike', threshold: null, enabled: false }] });
    expect(again.body).toMatchObject({ repeat_hours: 48 });
    expect(again.body.rules[1]).toMatchObject({ enabled: false, threshold: 3 });
    expect(await ask('PUT', '/rules', { rules: [{ kind: 'bot_errors', threshold: 101 }] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/rules/0/threshold' }] },
    });
    for (const wrong of [
      { repeat_hours: 0 },
      { repeat_hours: 169 },
      { rules: [{ kind: 'weather' }] },
      { rules: [{ kind: 'spike' }, { kind: 'spike' }] },
    ])
      expect((await ask('PUT', '/rules', wrong)).status, JSON.stringify(wrong)).toBe(422);
  });

  it('show the last 30 days of every rule, to choose a threshold by', async () => {
    const bot = { bot_name: 'GPTBot', at: START - 2 * 86_400_000 };
    await at.put([
      ...Array.from({ length: 7 }, () => bot),
      { ...bot, verified: false },
      // Quotas count no imports, and what they count on the day of its arrival.
      { ...bot, source: 'import', received_at: START },
    ]);
    await at.db.kysely
      .updateTable('properties')
      .set({ quota_limit: 16, quota_of: 'property' })
      .where('id', '=', at.property.id)
      .execute();
    const { status, body } = await ask('GET', '/rules/history');
    expect([status, body.time_zone, body.items.length]).toEqual([200, 'UTC', 9]);
    const item = (kind: string) => body.items.find((one: { kind: string }) => one.kind === kind);
    for (const { days } of body.items) expect(days).toHaveLength(30);
    expect(item('new_bot')).toMatchObject({ unit: 'visits', fires: 'at_least' });
    expect(item('new_bot').days.slice(-4)).toEqual([
      // Nothing had come yet.
      { day: '2026-03-10', value: null, reason: 'unknown' },
      { day: '2026-03-11', value: 8, reason: null },
      { day: '2026-03-12', value: 0, reason: null },
      { day: '2026-03-13', value: 0, reason: null },
    ]);
    expect(item('spoof_surge').days.at(-3)).toEqual({ day: '2026-03-11', value: 1, reason: null });
    // Spoofed visits are stored, too: eight of sixteen.
    expect(
      item('quota')
        .days.slice(-3)
        .map(({ value }: { value: number }) => value),
    ).toEqual([50, 0, 0]);
    expect(item('forwarding_failing')).toMatchObject({ fires: 'below' });
    const stranger = token(randomUUID());
    expect((await ask('GET', '/rules/history', undefined, stranger)).status).toBe(404);
  });

  it('show a signing secret once, and what opens a door never', async () => {
    const made = await ask('POST', '/channels', {
      type: 'webhook',
      name: 'Ops',
      target: 'https://ops.example/in?key=hidden',
    });
    expect(made).toMatchObject({
      status: 201,
      body: { target: 'ops.example', everywhere: false, enabled: true },
    });
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    at.pass(1_000);
    const slack = await ask('POST', '/channels', {
      type: 'slack',
      name: 'Slack',
      target: 'https://hooks.slack.com/services/T0/B0/hidden',
    });
    expect(slack.body.secret).toBeNull();
    const path = `/channels/${made.body.id}`;
    const renamed = await ask('PATCH', path, { name: 'Operations', enabled: false });
    expect(renamed.body).toMatchObject({ name: 'Operations', enabled: false, secret: null });
    const rotated = await ask('PATCH', path, { rotate_secret: true });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(made.body.secret);
    expect((await ask('PATCH', `/channels/${slack.body.id}`, { rotate_secret: true })).status).toBe(422);
    const list = await ask('GET', '/channels');
    expect(list.body).toMatchObject({
      email_available: true,
      items: [{ name: 'Operations' }, { name: 'Slack' }],
    });
    for (const answer of [list, slack, renamed, made]) expect(answer.text).not.toContain('hidden');
    expect(list.text).not.toContain('whsec_');
    expect(await ask('POST', `${path}/test`)).toMatchObject({ status: 200, body: { ok: true, error: null } });
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('POST', `${path}/test`)).status).toBe(404);
    const audited = await at.db.kysely
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', made.body.id)
      .execute();
    expect(audited.map(({ action }) => action)).toEqual([
      ...['alert_channel.created', 'alert_channel.updated', 'alert_channel.updated'],
      ...['alert_channel.tested', 'alert_channel.deleted'],
    ]);
  });

  it('deletes a channel once, with one audit row, though six ask for it at once', async () => {
    const target = 'https://hooks.slack.com/services/T0/B0/hidden';
    const { body } = await ask('POST', '/channels', { type: 'slack', name: 'Slack', target });
    const answers = await atOnce(at.db, 6, () => ask('DELETE', `/channels/${body.id}`));
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0));
    expect(statuses.sort()).toEqual([204, 404, 404, 404, 404, 404]);
    const audited = await at.db.kysely
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', body.id)
      .execute();
    expect(audited.map(({ action }) => action).sort()).toEqual([
      'alert_channel.created',
      'alert_channel.deleted',
    ]);
  });

  it.each([
    ['email', 'a@b.example, c@d.example'],
    ['email', 'a@b.example\nBcc: c@d.example'],
    ['email', 'Ops <a@b.example>'],
    ['email', 'a@localhost'],
    ['slack', 'https://hooks.slack.com.evil.example/services/x'],
    ['slack', 'http://hooks.slack.com/services/x'],
    ['slack', 'https://hooks.slack.com@evil.example/x'],
    ['slack', 'https://ops.example/in'],
    ['webhook', 'http://ops.example/in'],
    ['webhook', 'https://user:pass@ops.example/in'],
    ['webhook', 'https://127.0.0.1/in'],
    ['webhook', 'https://[::1]/in'],
    ['webhook', 'https://localhost/in'],
    ['webhook', 'https://2130706433/in'],
    ['webhook', 'javascript:alert(1)'],
  ])('refuse the %s channel %j', async (type, target) => {
    const refused = await ask('POST', '/channels', { type, name: 'X', target });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/target' }] } });
    expect(refused.text).not.toContain(target);
  });

  it('bound the channels and the tests of one', async () => {
    const create = () =>
      ask('POST', '/channels', { type: 'webhook', name: 'X', target: 'https://ops.example/in' });
    const { body } = await create();
    for (let index = 1; index < 20; index += 1) expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
    const statuses: number[] = [];
    for (let press = 0; press < 6; press += 1)
      statuses.push((await ask('POST', `/channels/${body.id}/test`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('page through alerts, newest first, by kind and state', async () => {
    await at.usual();
    expect((await ask('GET', '')).body.checked_at).toBeNull();
    await at.alerts.look();
    expect((await ask('GET', '')).body.checked_at).toBe(new Date(at.now()).toISOString());
    for (let index = 0; index < 5; index += 1) {
      await at.put([{ bot_name: `Bot${index}` }]);
      at.pass(60_000);
      await at.alerts.look();
    }
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await ask('GET', `?limit=2&kind=new_bot&state=open${after}`);
      seen.push(...body.items.map((item: { subject: string }) => item.subject));
      expect(body.open).toBe(5);
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(seen).toEqual(['Bot4', 'Bot3', 'Bot2', 'Bot1', 'Bot0']);
    expect((await ask('GET', '')).body).toMatchObject({
      population: 'verified_unknown',
      items: [{ population: 'verified_unknown' }, {}, {}, {}, {}],
    });
    expect((await ask('GET', '?state=resolved')).body.items).toEqual([]);
    expect((await ask('GET', '?kind=spike')).body.items).toEqual([]);
    for (const wrong of ['?after=x', '?limit=0', '?limit=201', '?kind=weather', '?state=closed'])
      expect((await ask('GET', wrong)).status, wrong).toBe(422);
  });

  it('answer to another organization as if nothing were there, and keep a token of one property to it', async () => {
    const other = randomUUID();
    await at.db.kysely
      .insertInto('organizations')
      .values({ id: other, name: 'Other', created_at: 0 })
      .execute();
    const theirs = await at.properties.create({ kind: 'organization', id: other }, 'root', {
      name: 'T',
      domain: 't.example',
    });
    const own = await at.channel();
    const everywhere = await at.channel({ everywhere: true, name: 'All' });
    const stranger = token(other);
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/rules'],
      ['PUT', '/rules', { repeat_hours: 1 }],
      ['GET', '/channels'],
      ['POST', '/channels', { type: 'webhook', name: 'X', target: 'https://ops.example/in' }],
      ['PATCH', `/channels/${own.id}`, { enabled: false }],
      ['DELETE', `/channels/${own.id}`],
      ['POST', `/channels/${own.id}/test`],
    ] as const)
      expect((await ask(method, path, body, stranger)).status, `${method} ${path}`).toBe(404);
    // Through a property of their own our channels are not there either.
    for (const channel of [own, everywhere]) {
      expect((await ask('POST', `/channels/${channel.id}/test`, undefined, stranger, theirs.id)).status).toBe(
        404,
      );
      expect((await ask('DELETE', `/channels/${channel.id}`, undefined, stranger, theirs.id)).status).toBe(
        404,
      );
    }
    expect((await ask('GET', '/channels', undefined, stranger, theirs.id)).body.items).toEqual([]);

    const narrow = token(DEFAULT_ORGANIZATION_ID, at.property.id);
    expect((await ask('PATCH', `/channels/${everywhere.id}`, { enabled: false }, narrow)).status).toBe(403);
    expect((await ask('DELETE', `/channels/${everywhere.id}`, undefined, narrow)).status).toBe(403);
    expect((await ask('POST', `/channels/${everywhere.id}/test`, undefined, narrow)).status).toBe(403);
    // Its address may be a colleague's, whom the holder doesn't know.
    const { items } = (await ask('GET', '/channels', undefined, narrow)).body as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).not.toContain(everywhere.id);
    expect(
      (
        await ask(
          'POST',
          '/channels',
          { type: 'webhook', name: 'X', target: 'https://ops.example/in', everywhere: true },
          narrow,
        )
      ).status,
    ).toBe(403);
    expect((await ask('PATCH', `/channels/${own.id}`, { enabled: false }, narrow)).status).toBe(200);
    expect(at.receiver.received).toEqual([]);
  });
});
