import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiEnv, DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { problemResponseFor } from '../http/problem.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { openSpool, type Spool } from '../spool/index.ts';
import { type RowBatch, toEventRow } from '../warehouse/index.ts';
import { createSessions, type Sessions } from './index.ts';
import { eventRoutes, sessionsRoutes } from './routes.ts';
import { CHROME, cipher, lists, NOON, newProperty, wire } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const TRACKING = 't.shop.example';

describe.each(databases.backends)('events on $name', (backend) => {
  let directory: string;
  let home: TestDatabase;
  let db: Database;
  let property: Property;
  let spools: { accepted: Spool; rows: Spool };
  let sessions: Sessions;
  let app: OpenAPIHono<ApiEnv>;
  /** Rows that the warehouse took. */
  let stored: Record<string, unknown>[];
  let scope: Scope;
  let now: number;

  beforeEach(async () => {
    now = NOON;
    stored = [];
    scope = { kind: 'all' };
    directory = mkdtempSync(join(tmpdir(), 'ghostlight-events-'));
    home = await backend.fresh({ clock: () => now });
    db = await home.node();
    property = await newProperty(db);
    const open = (name: string) =>
      openSpool({ directory, name, maxBytes: 1e9, clock: () => now, log: silentLog });
    spools = { accepted: await open('events'), rows: await open('event-rows') };
    const properties = createProperties(db, { clock: () => now });
    const domains = {
      domainOf: (host: string) =>
        host === TRACKING ? { domain: TRACKING, attributionId: property.id } : null,
    };
    sessions = createSessions({
      database: db,
      cipher,
      properties,
      lists: { current: () => lists },
      isBot: (userAgent) => /bot/i.test(userAgent),
      spools,
      events: {
        sink: (leaveOut) => ({
          duplicates: leaveOut,
          count: async () => 0,
          insert: async ({ body }: RowBatch) => {
            const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n');
            stored.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
          },
        }),
        toRow: toEventRow,
        erase: async () => 0,
      },
      domains,
      onVisitors: async () => undefined,
      onBrowserConversion: async () => undefined,
      onErase: async () => ({ conversions: 0, requests: 0, deliveries: 0 }),
      findByEmail: async () => ({ conversions: [], visitors: [] }),
      lateRows: async () => [],
      limits: { perAddress: 100, perProperty: 150 },
      rotating: false,
      retentionDays: 180,
      clock: () => now,
      log: silentLog,
    });
    app = new OpenAPIHono<ApiEnv>();
    app.onError((error) => problemResponseFor(error, silentLog));
    app.use('/api/v1/*', async (c, next) => {
      c.set('caller', { kind: 'root', role: 'owner', scope, actor: 'root' });
      await next();
    });
    let host = '';
    app.use('*', async (c, next) => {
      host = c.req.header('host') ?? '';
      await next();
    });
    app.route(
      '/',
      eventRoutes({
        endpoint: sessions.endpoint,
        settings: sessions.settings,
        domains,
        script: null,
        sender: () => ({ ip: '203.0.113.7', host }),
      }),
    );
    app.route('/api/v1', sessionsRoutes({ properties, sessions }));
  });
  afterEach(async () => {
    await sessions.close();
    await spools.accepted.close();
    await spools.rows.close();
    await home.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    app.request('/api/events', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'User-Agent': CHROME, 'Content-Type': 'text/plain', ...headers },
    });
  const manage = async (method: string, path: string, body?: unknown) => {
    const response = await app.request(`/api/v1/properties/${property.id}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const custom = (cookie = '', origin = 'https://shop.example') => ({
    Host: TRACKING,
    Origin: origin,
    ...(cookie === '' ? {} : { Cookie: cookie }),
  });

  test('every address that a conversion takes can be erased by it, and others are refused in plain words', async () => {
    for (const email of ['jörg@bücher.example', ' a@b.example ', "o'neil+x@shop.example"])
      expect(await manage('POST', '/erasures', { email })).toMatchObject({
        status: 200,
        body: { visitors: 0 },
      });
    const message = 'Enter an email address such as name@example.com, without spaces.';
    for (const email of ['a b@shop.example', 'nobody', 'a@b'])
      expect(await manage('POST', '/erasures', { email })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/email', message }] },
      });
  });

  test('bodies that drip take no place from events that are here, and one address has only so many', async () => {
    const streams: ReadableStreamDefaultController[] = [];
    const dripping = (ip: string) => {
      const body = new ReadableStream({ start: (controller) => void streams.push(controller) });
      const request = new Request('http://x/api/events', {
        method: 'POST',
        body,
        duplex: 'half',
      } as RequestInit);
      return sessions.endpoint.take(request, { ip, host: 'x' }).catch((error: unknown) => error);
    };
    const held = Array.from({ length: 600 }, (_, n) => dripping(`198.51.100.${n % 9}`));
    expect(await dripping('198.51.100.0')).toMatchObject({ code: expect.stringMatching(/rate_limited/) });
    const good = new Request('http://x/api/events', {
      method: 'POST',
      body: JSON.stringify(wire(property.id)),
    });
    expect(await sessions.endpoint.take(good, { ip: '203.0.113.9', host: 'x' })).toMatchObject({
      errors: [],
    });
    for (const controller of streams) controller.close();
    await Promise.all(held);
  });

  test('at the property’s tracking domain the visitor is known by the service’s own cookie', async () => {
    const first = await send(wire(property.id, { visitor_id: 'made-up' }), custom());
    expect(first.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(first.headers.get('access-control-allow-credentials')).toBe('true');
    expect(first.headers.get('vary')).toContain('Origin');
    const [master = '', mirror = ''] = first.headers.getSetCookie();
    expect(master).toMatch(/^_ghl_id=v1\.made-up\.\d+;.*Domain=shop\.example; HttpOnly$/);
    expect(mirror).toMatch(/^_ghl_vid=v1\.made-up\.\d+;.*Domain=shop\.example$/);

    // Safari has forgotten what the script wrote: the page makes up another id.
    const cookie = master.split(';')[0] ?? '';
    const again = await send(
      [wire(property.id, { visitor_id: 'anew' }), wire(property.id, { visitor_id: null })],
      custom(cookie),
    );
    expect(await again.json()).toEqual({ visitor_id: 'made-up' });
    expect(again.headers.getSetCookie()).toEqual([master, mirror]);
    // Another person, says the page.
    const reset = await send(
      wire(property.id, { visitor_id: 'another', visitor_reset: true }),
      custom(cookie),
    );
    expect(await reset.json()).toEqual({ visitor_id: 'another' });
    const both = await send(
      [
        wire(property.id, { visitor_id: 'before' }),
        wire(property.id, { visitor_id: 'after', visitor_reset: true }),
      ],
      custom(cookie),
    );
    expect(await both.json()).toEqual({ visitor_id: 'after' });
    const refused = await send(wire(property.id, { consent: { analytics: false } }), custom(cookie));
    expect(refused.headers.getSetCookie()).toEqual([]);
    await sessions.drain(10_000);
    expect(stored.map(({ visitor_id }) => visitor_id)).toEqual([
      'made-up',
      'made-up',
      'made-up',
      'another',
      'before',
      'after',
      '',
    ]);
  });

  test('elsewhere no visitor gets a cookie, and a foreign page no credentials', async () => {
    const plain = await send(wire(property.id), { Cookie: '_ghl_id=v1.theirs.1' });
    expect(await plain.json()).toEqual({ visitor_id: 'visitor-1' });
    expect(plain.headers.getSetCookie()).toEqual([]);
    const foreign = await send(wire(property.id), custom('', 'https://thief.example'));
    expect(foreign.headers.get('access-control-allow-origin')).toBe('*');
    expect(foreign.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await app.request('/api/events', { method: 'OPTIONS', headers: custom() });
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    const other = await newProperty(db, 'other.example');
    const misplaced = await send(wire(other.id), custom());
    expect(misplaced.status).toBe(404);
    expect(misplaced.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  });

  test('all events of a request are of one property; the others are told apart', async () => {
    const other = await newProperty(db, 'other.example');
    const response = await send([wire(property.id), wire(other.id), wire(property.id)]);
    expect(await response.json()).toEqual({
      visitor_id: 'visitor-1',
      errors: [{ pointer: '/1/attribution_id', message: expect.any(String) }],
    });
    await sessions.drain(10_000);
    expect(stored).toHaveLength(2);
    expect(sessions.stats().accepted.counters).toMatchObject({
      received: new Map([['browser', 3]]),
    });
    expect(sessions.stats().accepted.counters.rejected.get('browser')).toEqual(
      new Map([['mixed_properties', 1]]),
    );
  });

  test('what an unauthenticated client sends writes nothing by itself, and is counted with the next event', async () => {
    expect((await send(wire(randomUUID()))).status).toBe(404);
    expect((await send({ event_name: '<script>' })).status).toBe(422);
    const before = sessions.stats().accepted.counters;
    expect(before.received.get('browser') ?? 0).toBe(0);
    await send(wire(property.id));
    const { received, kept, rejected } = sessions.stats().accepted.counters;
    expect([received.get('browser'), kept.get('browser')?.get('event')]).toEqual([3, 1]);
    expect(rejected.get('browser')).toEqual(
      new Map([
        ['unknown_property', 1],
        ['invalid', 1],
      ]),
    );
  });

  test('a property’s events are limited over all addresses, and a refused request is not taken in part', async () => {
    const batch = Array.from({ length: 60 }, () => wire(property.id));
    expect((await send(batch)).status).toBe(200);
    now += 60_000;
    expect((await send(batch.map(() => wire(property.id)))).status).toBe(200);
    now += 1_000;
    const refused = await send(batch.map(() => wire(property.id)));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(sessions.stats().refused.get('address_limit')).toBe(1);
    await sessions.drain(10_000);
    expect(stored).toHaveLength(120);
  });

  test('no personal data and no query goes to the warehouse', async () => {
    await send(
      wire(property.id, {
        page_location: 'https://shop.example/reset/jane@mail.example?token=secret&utm_source=news&gclid=G1',
        page_referrer: 'https://mail.example/inbox?id=42',
        user_id: 'jane@mail.example',
        user_data: { email: 'jane@mail.example', phone: '+4930901820' },
        note: 'call jane@mail.example',
        plan: { name: 'pro' },
      }),
    );
    await sessions.drain(10_000);
    expect(stored).toMatchObject([
      {
        host: 'shop.example',
        query_params: { utm_source: 'news', gclid: 'G1' },
        referrer: 'mail.example',
        user_id: '',
        user_agent: '',
      },
    ]);
    const text = JSON.stringify(stored);
    expect(text).toContain('pro');
    for (const word of ['jane', 'secret', 'inbox', '203.0.113', '4930901820'])
      expect(text).not.toContain(word);
  });

  test('settings and status through the API, of one’s own properties alone', async () => {
    expect(await manage('GET', '/events/settings')).toEqual({
      status: 200,
      body: { refuse_foreign_origins: false, allowed_origins: [] },
    });
    const changed = { refuse_foreign_origins: true, allowed_origins: ['pay.example'] };
    expect(
      await manage('PATCH', '/events/settings', {
        refuse_foreign_origins: true,
        allowed_origins: ['https://Pay.example/x', 'pay.example'],
      }),
    ).toEqual({ status: 200, body: changed });
    expect(await manage('PATCH', '/events/settings', {})).toEqual({ status: 200, body: changed });
    expect(await manage('PATCH', '/events/settings', { allowed_origins: ['a b'] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/allowed_origins/0' }] },
    });
    expect((await send(wire(property.id), { Origin: 'https://thief.example' })).status).toBe(403);
    expect((await send(wire(property.id), { Origin: 'https://pay.example' })).status).toBe(200);
    await sessions.drain(10_000);
    await sessions.close();
    expect(await manage('GET', '/events/status')).toEqual({
      status: 200,
      body: {
        first_event_at: new Date(NOON).toISOString(),
        last_event_at: new Date(NOON).toISOString(),
        origins: expect.arrayContaining([
          {
            origin: 'thief.example',
            foreign: true,
            accepted: 0,
            refused: 1,
            last_at: new Date(NOON).toISOString(),
          },
          {
            origin: 'pay.example',
            foreign: false,
            accepted: 1,
            refused: 0,
            last_at: new Date(NOON).toISOString(),
          },
        ]),
        foreign_events: 1,
      },
    });
    scope = { kind: 'organization', id: randomUUID() };
    for (const [method, path] of [
      ['GET', '/events/settings'],
      ['PATCH', '/events/settings'],
      ['GET', '/events/status'],
      ['DELETE', '/visitors/visitor-1'],
    ] as const)
      expect((await manage(method, path, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
    expect(await manage('DELETE', '/visitors/visitor-1')).toMatchObject({
      status: 200,
      body: { sessions: 1, touches: 1, conversions: 0, events: 0 },
    });
  });

  test('while the database is down events are refused for later, and counted', async () => {
    await db.close();
    const refused = await send(wire(property.id));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(sessions.stats().refused.get('database_away')).toBe(1);
  });

  test('a node that is drained takes no more events', async () => {
    expect(await sessions.drain(10_000)).toBe(true);
    const refused = await send(wire(property.id));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect((await app.request('/sdk.js')).status).toBe(404);
  });
});
