import { randomUUID } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiEnv, DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { atOnce, openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { problemResponseFor } from '../http/problem.ts';
import { createProperties, normalizeDomain, type Properties } from './index.ts';
import { propertyRoutes } from './routes.ts';
import { NOTHING_TO_RECOUNT } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const ALL: Scope = { kind: 'all' };
const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const THEIRS: Scope = { kind: 'organization', id: randomUUID() };
const SHOP = { name: 'Shop', domain: 'shop.example' };

test.each<[string, string | null]>([
  ['shop.example', 'shop.example'],
  [' WWW.Shop.Example. ', 'www.shop.example'],
  ['https://shop.example:8443/path?x#y', 'shop.example'],
  ['shop.example:80', 'shop.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['localhost', 'localhost'],
  ['192.0.2.1', '192.0.2.1'],
  ['', null],
  ['https://', null],
  ['user@shop.example', null],
  ['shop..example', null],
  ['-shop.example', null],
  ['shop example', null],
  ['shop.\r\nexample', null],
  [`${'a'.repeat(64)}.example`, null],
  [`${'a.'.repeat(130)}example`, null],
])('the domain "%s" is read as %s', (text, host) => {
  expect(normalizeDomain(text)).toBe(host);
});

test('a domain that was normalised stays as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.webUrl(), fc.string({ unit: 'binary' })), (text) => {
      const host = normalizeDomain(text);
      if (host !== null) expect(normalizeDomain(host)).toBe(host);
    }),
  );
});

describe.each(databases.backends)('properties on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  beforeEach(async () => {
    home = await backend.fresh({ clock });
    db = await home.node();
    await db.kysely
      .insertInto('organizations')
      .values({ id: THEIRS.id, name: 'Theirs', created_at: 0 })
      .execute();
    properties = createProperties(db, { clock });
  });
  afterEach(() => home.remove());

  test('are made, listed, read, changed and deleted, each change with its audit row', async () => {
    const made = await properties.create(OURS, 'root', SHOP);
    expect(made).toMatchObject({
      ...SHOP,
      organizationId: DEFAULT_ORGANIZATION_ID,
      createdAt: now,
      updatedAt: now,
    });
    now += 1_000;
    const changed = await properties.update(OURS, 'root', made.id.toUpperCase(), { name: 'New name' });
    expect(changed).toEqual({ ...made, name: 'New name', updatedAt: now });
    expect(await properties.get(OURS, made.id.toUpperCase())).toEqual(changed);
    expect(await properties.list(OURS)).toEqual([changed]);
    await properties.delete(OURS, 'root', made.id.toUpperCase());
    expect(await properties.list(ALL)).toEqual([]);
    for (const again of [
      () => properties.get(OURS, made.id),
      () => properties.update(OURS, 'root', made.id, SHOP),
      () => properties.delete(OURS, 'root', made.id),
    ]) {
      await expect(again()).rejects.toMatchObject({ code: 'not_found' });
    }
    const log = await db.reader.selectFrom('audit_log').select(['action', 'subject']).execute();
    expect(log.map(({ action }) => action).sort()).toEqual([
      'property.created',
      'property.deleted',
      'property.updated',
    ]);
    expect(new Set(log.map(({ subject }) => subject))).toEqual(new Set([made.id]));
  });

  test('of another organization can be neither seen nor changed', async () => {
    const theirs = await properties.create(THEIRS, 'root', SHOP);
    expect(await properties.list(OURS)).toEqual([]);
    for (const attempt of [
      () => properties.get(OURS, theirs.id),
      () => properties.update(OURS, 'root', theirs.id, { name: 'mine' }),
      () => properties.delete(OURS, 'root', theirs.id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await properties.list(ALL)).toEqual([theirs]);
    const nowhere: Scope = { kind: 'organization', id: randomUUID() };
    await expect(properties.create(nowhere, 'root', SHOP)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the directory names the owner in any letter case, at once when it is known', async () => {
    const { id } = await properties.create(THEIRS, 'root', SHOP);
    expect(await properties.ownerOf(id.toUpperCase())).toBe(THEIRS.id);
    expect(properties.ownerOf(id)).toBe(THEIRS.id);
    expect(await properties.ownerOf(randomUUID())).toBeNull();
    expect(properties.ownerOf('not an id')).toBeNull();
  });

  test('search crawlers are told apart where it was asked for, at once here and within 5 seconds elsewhere', async () => {
    const far = createProperties(await home.node(), { clock });
    const { id, searchEngines } = await properties.create(OURS, 'root', SHOP);
    expect(searchEngines).toBe(false);
    // Not known before the owner was asked for.
    expect(far.tellsSearchEngines(id)).toBe(false);
    for (const node of [properties, far]) {
      await node.ownerOf(id);
      expect(node.tellsSearchEngines(id)).toBe(false);
    }
    const changed = await properties.update(OURS, 'root', id, { searchEngines: true });
    expect(changed.searchEngines).toBe(true);
    // What else is changed leaves it as it is.
    expect(await properties.update(OURS, 'root', id, { name: 'New' })).toMatchObject({ searchEngines: true });
    now += 5_001;
    for (const node of [properties, far]) {
      await node.ownerOf(id);
      expect(node.tellsSearchEngines(id.toUpperCase())).toBe(true);
    }
    expect(properties.tellsSearchEngines(randomUUID())).toBe(false);
    const made = await properties.create(OURS, 'root', { ...SHOP, searchEngines: true });
    expect((await properties.get(OURS, made.id)).searchEngines).toBe(true);
    const log = await db.reader.selectFrom('audit_log').select('action').where('subject', '=', id).execute();
    expect(log.map(({ action }) => action).sort()).toEqual([
      'property.created',
      'property.updated',
      'property.updated',
    ]);
  });

  test('deleted six times at once, one is deleted once, with one audit row', async () => {
    const { id } = await properties.create(OURS, 'root', SHOP);
    const deleted = await atOnce(db, 6, () => properties.delete(OURS, 'root', id));
    expect(deleted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const call of deleted)
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'not_found' });
    const log = await db.reader.selectFrom('audit_log').select('action').where('subject', '=', id).execute();
    expect(log.map(({ action }) => action).sort()).toEqual(['property.created', 'property.deleted']);
  });

  test('a deleted one stops accepting at once here and within 5 seconds on another node', async () => {
    const far = createProperties(await home.node(), { clock });
    const { id } = await properties.create(OURS, 'root', SHOP);
    expect(await properties.ownerOf(id)).toBe(DEFAULT_ORGANIZATION_ID);
    expect(await far.ownerOf(id)).toBe(DEFAULT_ORGANIZATION_ID);
    await properties.delete(OURS, 'root', id);
    expect(await properties.ownerOf(id)).toBeNull();
    now += 5_001;
    expect(await far.ownerOf(id)).toBeNull();
  });

  test('the routes', async () => {
    const app = new OpenAPIHono<ApiEnv>();
    app.onError((error) => problemResponseFor(error, silentLog));
    app.use(async (c, next) => {
      c.set('caller', { kind: 'root', role: 'owner', scope: ALL, actor: 'root' });
      await next();
    });
    app.route('/api/v1', propertyRoutes({ properties, recounting: NOTHING_TO_RECOUNT }));
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await app.request(`/api/v1${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    };

    const created = await call('POST', '/properties', { name: ' Shop ', domain: 'https://SHOP.example/' });
    expect(created).toEqual({
      status: 201,
      body: {
        id: created.body.id,
        organization_id: DEFAULT_ORGANIZATION_ID,
        name: 'Shop',
        domain: 'shop.example',
        time_zone: 'UTC',
        time_zone_since: null,
        search_engines: false,
        recount: null,
        created_at: new Date(now).toISOString(),
        updated_at: new Date(now).toISOString(),
      },
    });
    const path = `/properties/${created.body.id.toUpperCase()}`;
    for (const search_engines of [true, false]) {
      const switched = await call('PATCH', path, { search_engines });
      expect(switched).toEqual({ status: 200, body: { ...created.body, search_engines } });
    }
    expect((await call('PATCH', path, { search_engines: 'yes' })).status).toBe(422);
    expect(await call('GET', '/properties')).toEqual({ status: 200, body: { items: [created.body] } });
    expect(await call('GET', `/properties?organization=${THEIRS.id}`)).toEqual({
      status: 200,
      body: { items: [] },
    });
    expect((await call('GET', path)).body).toEqual(created.body);
    expect((await call('GET', `${path}?organization=${THEIRS.id}`)).status).toBe(404);
    expect((await call('PATCH', path, { domain: 'new.example' })).body).toMatchObject({
      domain: 'new.example',
    });
    expect((await call('PATCH', path, { time_zone: 'asia/calcutta' })).body).toMatchObject({
      domain: 'new.example',
      time_zone: 'Asia/Kolkata',
    });
    for (const timeZone of ['CET', '+02:00', 'Berlin', '', 7])
      expect(await call('PATCH', path, { time_zone: timeZone })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/time_zone' }] },
      });
    const elsewhere = { ...SHOP, time_zone: 'America/New_York' };
    expect(await call('POST', '/properties', elsewhere)).toMatchObject({
      status: 201,
      body: { time_zone: 'America/New_York', time_zone_since: null, recount: null },
    });
    expect(await call('POST', '/properties', { ...SHOP, time_zone: 'Mars/Olympus' })).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: '/time_zone', message: expect.stringContaining('such as Europe/Berlin') }],
      },
    });
    expect(await call('PATCH', path, { domain: '' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/domain' }] },
    });
    expect(await call('POST', '/properties', { domain: 'a b' })).toMatchObject({ status: 422 });
    expect(await call('GET', '/properties/nonsense')).toMatchObject({ status: 422 });
    expect(await call('DELETE', path)).toEqual({ status: 204, body: null });
    expect((await call('GET', path)).status).toBe(404);
  });
});
