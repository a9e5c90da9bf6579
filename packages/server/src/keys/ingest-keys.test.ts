import { randomUUID } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiEnv, DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { problemResponseFor } from '../http/problem.ts';
import { createProperties } from '../properties/index.ts';
import { createIngestKeys, generateKey, type IngestKeys, presentedKey } from './index.ts';
import { keyRoutes } from './routes.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const cipher = createSecretCipher('s'.repeat(43), null);
const ALL: Scope = { kind: 'all' };
const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const THEIRS: Scope = { kind: 'organization', id: randomUUID() };
const NEW = { name: 'zone', provider: 'edge_worker' } as const;

describe.each(databases.backends)('ingest keys on $name', (backend) => {
  let now = 1_750_000_000_000;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let keys: IngestKeys;
  const opened: IngestKeys[] = [];
  const node = (database: Database): IngestKeys => {
    const made = createIngestKeys(database, { cipher, clock, log: silentLog });
    opened.push(made);
    return made;
  };
  const present = (key: string) => presentedKey({ header: key, query: undefined });

  beforeEach(async () => {
    home = await backend.fresh({ clock });
    db = await home.node();
    await db.kysely
      .insertInto('organizations')
      .values({ id: THEIRS.id, name: 'Theirs', created_at: 0 })
      .execute();
    keys = node(db);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await home.remove();
  });

  test('a full key is only in the answer that issues it', async () => {
    const { key, ...view } = await keys.issue(OURS, 'root', NEW);
    expect(key).toMatch(/^svc_cf_[0-9A-Za-z]{43}$/);
    expect(view).toMatchObject({
      prefix: key.slice(0, 12),
      revokedAt: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      createdAt: now,
    });
    for (const table of ['ingest_keys', 'audit_log'] as const) {
      const stored = JSON.stringify(await db.reader.selectFrom(table).selectAll().execute());
      expect(stored).not.toContain(key.slice(12));
    }
    expect(await keys.list(OURS)).toEqual([view]);
  });

  test('the verdict on a good, revoked, unknown and wrongly presented key', async () => {
    const { key, id, prefix } = await keys.issue(THEIRS, 'root', { name: 'a', provider: 'edge_logpush' });
    expect(keys.peek(present(key))).toBeNull();
    const good = {
      ok: true,
      key: { id, organizationId: THEIRS.id, attributionId: null, provider: 'edge_logpush', prefix },
    };
    expect(await keys.verify(present(key))).toEqual(good);
    expect(keys.peek(present(key))).toEqual(good);

    const wrong = { ok: false, organizationId: THEIRS.id, prefix };
    expect(await keys.verify(present(`Bearer ${key}`))).toEqual({ ...wrong, cause: 'bearer_prefix' });
    expect(await keys.verify(present(`"${key}"`))).toEqual({ ...wrong, cause: 'whitespace' });
    expect(keys.peek(present('nonsense'))).toMatchObject({
      ok: false,
      cause: 'malformed',
      organizationId: null,
    });
    expect(await keys.verify(present(''))).toMatchObject({ ok: false, cause: 'missing' });
    const stranger = generateKey('svc_cf_').key;
    expect(await keys.verify(present(stranger))).toMatchObject({ cause: 'unknown', organizationId: null });
    // The right first characters are worth nothing.
    expect(await keys.verify(present(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`))).toMatchObject({
      cause: 'unknown',
    });

    await keys.revoke(THEIRS, 'root', id);
    expect(await keys.verify(present(key))).toEqual({ ...wrong, cause: 'revoked' });
    expect(await keys.verify(present(`Bearer ${key}`))).toEqual({ ...wrong, cause: 'bearer_prefix' });
  });

  test('a revocation holds at once on its own node and within 5 seconds on another', async () => {
    const far = node(await home.node());
    const { key, id } = await keys.issue(OURS, 'root', NEW);
    expect([(await keys.verify(present(key))).ok, (await far.verify(present(key))).ok]).toEqual([true, true]);
    await keys.revoke(OURS, 'root', id);
    expect(await keys.verify(present(key))).toMatchObject({ cause: 'revoked' });
    now += 2_000;
    expect(far.peek(present(key))).toMatchObject({ ok: true });
    now += 3_001;
    expect(far.peek(present(key))).toBeNull();
    expect(await far.verify(present(key))).toMatchObject({ cause: 'revoked' });
  });

  test('a key that another node just issued works here within a second, even if it was asked for before', async () => {
    const far = node(await home.node());
    const { key, id } = await keys.issue(OURS, 'root', NEW);
    const row = await db.kysely
      .selectFrom('ingest_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db.kysely.deleteFrom('ingest_keys').where('id', '=', id).execute();
    expect(await far.verify(present(key))).toMatchObject({ cause: 'unknown' });
    await db.kysely.insertInto('ingest_keys').values(row).execute();
    now += 1_001;
    expect(await far.verify(present(key))).toMatchObject({ ok: true });
  });

  test('no function shows or changes another organization’s keys', async () => {
    const ours = await keys.issue(OURS, 'root', NEW);
    const theirs = await keys.issue(THEIRS, 'root', NEW);
    expect((await keys.list(OURS)).map(({ id }) => id)).toEqual([ours.id]);
    expect((await keys.list(THEIRS)).map(({ id }) => id)).toEqual([theirs.id]);
    expect((await keys.list(ALL)).map(({ id }) => id).sort()).toEqual([ours.id, theirs.id].sort());
    await expect(keys.revoke(OURS, 'root', theirs.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await keys.verify(present(theirs.key))).toMatchObject({ ok: true });
    const nowhere: Scope = { kind: 'organization', id: randomUUID() };
    await expect(keys.issue(nowhere, 'root', NEW)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a default property must be there, in this organization, in any letter case', async () => {
    const properties = createProperties(db, { clock });
    const ours = await properties.create(OURS, 'root', { name: 'a', domain: 'a.example' });
    const theirs = await properties.create(THEIRS, 'root', { name: 'b', domain: 'b.example' });
    const pinned = await keys.issue(OURS, 'root', { ...NEW, attributionId: ours.id.toUpperCase() });
    expect(pinned.attributionId).toBe(ours.id);
    for (const attributionId of [theirs.id, randomUUID()]) {
      await expect(keys.issue(OURS, 'root', { ...NEW, attributionId })).rejects.toMatchObject({
        code: 'invalid',
        errors: [{ pointer: '/attribution_id' }],
      });
    }
    // The admin token names no organization: the key belongs where its property does.
    expect((await keys.issue(ALL, 'root', { ...NEW, attributionId: theirs.id })).organizationId).toBe(
      THEIRS.id,
    );
    await properties.delete(OURS, 'root', ours.id);
    await expect(keys.issue(OURS, 'root', { ...NEW, attributionId: ours.id })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('last use is written in a batch, never backwards, and at the latest at close', async () => {
    const { key, id } = await keys.issue(OURS, 'root', NEW);
    const lastUsed = async () => (await keys.list(OURS))[0]?.lastUsedAt;
    await keys.verify(present(key));
    expect(await lastUsed()).toBeNull();
    await keys.flush();
    expect(await lastUsed()).toBe(now);
    await db.kysely
      .updateTable('ingest_keys')
      .set({ last_used_at: now + 60_000 })
      .where('id', '=', id)
      .execute();
    await keys.verify(present(key));
    await keys.close();
    expect(await lastUsed()).toBe(now + 60_000);
  });

  test('of the address that a key was used from, only the network is stored, and asked for once in a batch', async () => {
    const { key } = await keys.issue(OURS, 'root', NEW);
    const from = async () => (await keys.list(OURS))[0]?.lastUsedFrom;
    let asked = 0;
    const sender = (address: string) => () => {
      asked += 1;
      return address;
    };
    expect(await from()).toBeNull();
    for (let use = 0; use < 5; use += 1) await keys.verify(present(key), sender('203.0.113.77'));
    expect(keys.peek(present(key), sender('198.51.100.9'))).toMatchObject({ ok: true });
    expect(asked).toBe(1);
    await keys.flush();
    expect(await from()).toBe('203.0.113.0/24');
    // The connection is gone: the network of its earlier use is better than none.
    now += 1;
    await keys.verify(present(key), sender(''));
    await keys.flush();
    expect(await from()).toBe('203.0.113.0/24');
    now += 1;
    keys.peek(present(key), sender('198.51.100.9'));
    await keys.flush();
    expect(await from()).toBe('198.51.100.0/24');
    const stored = await db.reader.selectFrom('ingest_keys').selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/113\.77|100\.9/);
  });

  test('the use of a wrong or revoked key is not noted', async () => {
    const { key, id } = await keys.issue(OURS, 'root', NEW);
    await keys.revoke(OURS, 'root', id);
    await keys.verify(present(key), () => '203.0.113.77');
    await keys.flush();
    expect((await keys.list(OURS))[0]).toMatchObject({ lastUsedAt: null, lastUsedFrom: null });
  });

  test('a hundred keys issued at once are a hundred keys, each with its audit row', async () => {
    const issued = await Promise.all(Array.from({ length: 100 }, () => keys.issue(OURS, 'root', NEW)));
    expect(new Set(issued.map(({ key }) => key)).size).toBe(100);
    expect(await keys.list(OURS)).toHaveLength(100);
    const audited = await db.reader.selectFrom('audit_log').select('subject').execute();
    expect(new Set(audited.map(({ subject }) => subject))).toEqual(new Set(issued.map(({ id }) => id)));
  });

  test('a rotated key is good until its overlap ends; the new one has its source, property and settings', async () => {
    const old = await keys.issue(OURS, 'root', { name: 'log', provider: 'custom' });
    await keys.set(OURS, 'root', old.id, { mapping: { pathname: 'uri' } });
    const fresh = await keys.rotate(OURS, 'root', old.id, 60);
    expect(fresh).toMatchObject({
      provider: 'custom',
      name: 'log',
      settings: { mapping: { pathname: 'uri' } },
    });
    expect(fresh.key).not.toBe(old.key);
    expect((await keys.list(OURS)).find(({ id }) => id === old.id)?.expiresAt).toBe(now + 60_000);
    for (const { key } of [old, fresh])
      expect(await keys.verify(present(key))).toMatchObject({ ok: true, key: { settings: { mapping: {} } } });
    now += 60_000;
    expect(keys.peek(present(old.key)) ?? (await keys.verify(present(old.key)))).toMatchObject({
      cause: 'revoked',
    });
    expect((await keys.verify(present(fresh.key))).ok).toBe(true);
    await keys.revoke(OURS, 'root', fresh.id);
    expect((await keys.verify(present(fresh.key))).ok).toBe(false);
    await expect(keys.rotate(OURS, 'root', fresh.id, 60)).rejects.toMatchObject({ code: 'conflict' });
    await expect(keys.rotate(THEIRS, 'root', old.id, 60)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a key takes the settings of its source, and no other', async () => {
    const { id } = await keys.issue(OURS, 'root', { name: 'log', provider: 'custom' });
    for (const wrong of [
      { mapping: 7 },
      { mapping: { nothing: 'x' } },
      { service_ids: [] },
      { __proto__x: 1 },
    ])
      await expect(keys.set(OURS, 'root', id, wrong)).rejects.toMatchObject({ code: 'invalid' });
    await expect(keys.set(THEIRS, 'root', id, {})).rejects.toMatchObject({ code: 'not_found' });
    expect((await keys.set(OURS, 'root', id, { mapping: { pathname: 'uri' } })).settings).toEqual({
      mapping: { pathname: 'uri' },
    });
    expect(await keys.everySetting('mapping')).toEqual([{ pathname: 'uri' }]);
    const row = await db.reader
      .selectFrom('ingest_keys')
      .select('settings')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.settings).not.toContain('uri');
    expect((await keys.set(OURS, 'root', id, { mapping: null })).settings).toEqual({});
  });

  test('the keys that may sign for a property are its own good ones, and its organization’s that name none', async () => {
    const properties = createProperties(db, { clock });
    const [shop, blog] = [
      await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' }),
      await properties.create(OURS, 'root', { name: 'Blog', domain: 'blog.example' }),
    ];
    const signing = async (scope: Scope, attributionId: string | null, secret: string) => {
      now += 1;
      const { id } = await keys.issue(scope, 'root', { name: secret, provider: 'vercel', attributionId });
      await keys.set(scope, 'root', id, { secret });
      return id;
    };
    const own = await signing(OURS, shop.id, 'secret-of-shop');
    const shared = await signing(OURS, null, 'secret-of-all');
    await signing(OURS, blog.id, 'secret-of-blog');
    await signing(THEIRS, null, 'secret-of-others');
    await keys.issue(OURS, 'root', { name: 'no secret', provider: 'vercel' });
    await keys.issue(OURS, 'root', { name: 'another source', provider: 'netlify' });
    const found = () => keys.signers('vercel', shop.id, 'secret');
    expect(await found()).toMatchObject([
      {
        id: shared,
        organizationId: OURS.kind === 'organization' ? OURS.id : '',
        settings: { secret: 'secret-of-all' },
      },
      { id: own, attributionId: shop.id, settings: { secret: 'secret-of-shop' } },
    ]);
    expect(await keys.signers('vercel', randomUUID(), 'secret')).toEqual([]);
    await keys.rotate(OURS, 'root', own, 10);
    expect(await found()).toHaveLength(3);
    now += 10_000;
    await keys.revoke(OURS, 'root', shared);
    const [only, ...more] = await found();
    expect([only?.attributionId, more]).toEqual([shop.id, []]);
    for (let n = 0; n < 6; n++) await signing(OURS, shop.id, `secret-number-${n}`);
    expect((await found()).map(({ settings }) => settings?.['secret'])).toEqual(
      [5, 4, 3, 2, 1].map((n) => `secret-number-${n}`),
    );
    keys.noteUse(own, () => '2001:db8:85a3:1:2:3:4:5');
    await keys.flush();
    const used = (await keys.list(OURS)).find(({ id }) => id === own);
    expect([used?.lastUsedAt, used?.lastUsedFrom]).toEqual([now, '2001:db8:85a3::/48']);
  });

  test('the keys that may sign are looked up once in five seconds, and a revocation on this node holds at once', async () => {
    const shop = await createProperties(db, { clock }).create(OURS, 'root', {
      ...{ name: 'Shop', domain: 'shop.example' },
    });
    const another = node(await home.node());
    const signing = async () => {
      const { id } = await keys.issue(OURS, 'root', { name: 'drain', provider: 'vercel' });
      await keys.set(OURS, 'root', id, { secret: 'a-long-secret' });
      return id;
    };
    const [first, second] = [await signing(), await signing()];
    const found = async (of: IngestKeys) =>
      (await of.signers('vercel', shop.id, 'secret')).map(({ id }) => id).toSorted();
    const both = [first, second].toSorted();
    expect([await found(keys), await found(another)]).toEqual([both, both]);
    await keys.revoke(OURS, 'root', first);
    expect([await found(keys), await found(another)]).toEqual([[second], both]);
    now += 5_001;
    expect(await found(another)).toEqual([second]);
    // One that is replaced ends when it was said to, whatever is remembered.
    await keys.rotate(OURS, 'root', second, 2);
    now += 1_999;
    expect(await found(keys)).toContain(second);
    now += 1;
    expect(await found(keys)).not.toContain(second);
  });

  test('the routes: 201 with the key once, a list without it, 204 however often it is revoked', async () => {
    const app = new OpenAPIHono<ApiEnv>();
    app.onError((error) => problemResponseFor(error, silentLog));
    app.use(async (c, next) => {
      c.set('caller', { kind: 'root', role: 'owner', scope: ALL, actor: 'root' });
      await next();
    });
    app.route('/api/v1', keyRoutes({ keys }));
    const call = (method: string, path: string, body?: unknown) =>
      app.request(`/api/v1${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });

    const created = await call('POST', '/ingest-keys', { name: ' zone ', provider: 'edge_worker' });
    const { id, key, prefix } = (await created.json()) as Record<string, string>;
    expect([created.status, prefix]).toEqual([201, key?.slice(0, 12)]);
    const list = (await (await call('GET', '/ingest-keys')).json()) as { items: Record<string, unknown>[] };
    expect(list.items).toEqual([
      {
        id,
        organization_id: DEFAULT_ORGANIZATION_ID,
        attribution_id: null,
        name: 'zone',
        provider: 'edge_worker',
        prefix,
        created_at: new Date(now).toISOString(),
        last_used_at: null,
        last_used_from: null,
        revoked_at: null,
        expires_at: null,
        settings: {},
      },
    ]);
    const narrowed = await call('GET', `/ingest-keys?organization=${THEIRS.id.toUpperCase()}`);
    expect(await narrowed.json()).toEqual({ items: [] });
    expect((await call('DELETE', `/ingest-keys/${id?.toUpperCase()}`)).status).toBe(204);
    expect((await call('DELETE', `/ingest-keys/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/ingest-keys/${randomUUID()}`)).status).toBe(404);
    const revocations = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', 'ingest_key.revoked')
      .execute();
    expect(revocations).toHaveLength(1);

    const refused = [
      [{ provider: 'edge_worker' }, '/name'],
      [{ name: '', provider: 'edge_worker' }, '/name'],
      [{ name: 'x'.repeat(101), provider: 'edge_worker' }, '/name'],
      [{ name: 'a', provider: 'other' }, '/provider'],
      [{ name: 'a', provider: 'edge_worker', attribution_id: 'x' }, '/attribution_id'],
      [{ name: 'a', provider: 'edge_worker', attribution_id: randomUUID() }, '/attribution_id'],
    ] as const;
    for (const [body, pointer] of refused) {
      const response = await call('POST', '/ingest-keys', body);
      expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ pointer }] }]);
    }
  });
});
