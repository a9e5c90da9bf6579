import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyManifest } from '@ghostlight/core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createDownload } from '../outbound/index.ts';
import { createProperties, type Properties, type Property } from '../properties/index.ts';
import { createWebmcp, forgetManifest, type Webmcp } from './index.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const APP = 'https://app.example';
const HOUR = 3_600_000;
const SECRET = 'a secret of at least thirty-two characters';
const tool = (name = 'search') => ({
  name,
  description: 'Finds products.',
  page: 'https://shop.example/search',
  inputSchema: { type: 'object', properties: { query: { type: 'string', description: 'Words' } } },
});
const declaration = (...names: string[]) => ({ hosts: ['shop.example'], tools: names.map(tool) });

describe.each(databases.backends)('the manifest on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  let webmcp: Webmcp;
  let property: Property;
  let hosts: Map<string, string>;
  let lookup: (name: string) => Promise<readonly string[]>;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 3);
    hosts = new Map();
    lookup = async () => [];
    home = await backend.fresh({ clock });
    db = await home.node();
    properties = createProperties(db, { clock, onDelete: forgetManifest });
    webmcp = node(db);
    property = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
  });
  afterEach(() => home.remove());
  const node = (
    database: Database,
    more: { appBaseUrl?: string; cipher?: ReturnType<typeof createSecretCipher> } = {},
  ) =>
    createWebmcp({
      database,
      cipher: more.cipher ?? createSecretCipher(SECRET),
      download: createDownload({ hosts }),
      lookup: (name) => lookup(name),
      appBaseUrl: () => more.appBaseUrl ?? APP,
      clock,
      log: silentLog,
    });
  const publish = (from: Webmcp, version: number | null, ...names: string[]) =>
    from.publish(property, 'root', { ...declaration(...names), version });
  /** As an agent does it, with keys and document from whichever node answers. */
  const verified = async (from: Webmcp, keysFrom: Webmcp = from) => {
    const document = await from.documents.manifest(property.id);
    return verifyManifest(document?.text ?? '', {
      host: 'shop.example',
      trust: [APP],
      fetchJwks: async () => JSON.parse((await keysFrom.documents.jwks(property.id))?.text ?? 'null'),
      now,
    });
  };
  const actions = async () =>
    (await webmcp.versions(property)).map(({ version, action, kid }) => [version, action, kid !== null]);

  it('is published, rotated and withdrawn, with its history and its audit rows', async () => {
    expect(await webmcp.documents.manifest(property.id)).toBeNull();
    await publish(webmcp, 0, 'search', 'cart');
    const first = await webmcp.documents.manifest(property.id.toUpperCase());
    expect(await verified(webmcp)).toMatchObject({ ok: true, issuer: APP });
    await webmcp.rotate(property, 'root');
    expect((await webmcp.documents.manifest(property.id))?.etag).not.toBe(first?.etag);
    expect(await verified(webmcp)).toMatchObject({ ok: true });
    expect((await webmcp.state(property)).manifest?.version).toBe(1);
    await webmcp.unpublish(property, 'root');
    await webmcp.unpublish(property, 'root');
    expect(await webmcp.documents.manifest(property.id)).toBeNull();
    expect(await webmcp.documents.jwks(property.id)).not.toBeNull();
    expect(await actions()).toEqual([
      [3, 'unpublished', false],
      [2, 'rotated', true],
      [1, 'published', true],
    ]);
    expect(JSON.parse((await webmcp.version(property, 1))?.tools ?? '')).toHaveLength(2);
    expect((await webmcp.versions(property, 3)).map(({ version }) => version)).toEqual([2, 1]);
    const audited = await db.reader.selectFrom('audit_log').select(['action', 'subject']).execute();
    expect(
      audited
        .filter(({ subject }) => subject === property.id)
        .map(({ action }) => action)
        .sort(),
    ).toEqual([...['property.created', 'webmcp.published', 'webmcp.rotated', 'webmcp.unpublished']]);
  });

  it('does not verify in any copy from before a rotation, on any node', async () => {
    const far = node(await home.node());
    await publish(webmcp, null, 'search');
    const copy = (await far.documents.manifest(property.id))?.text ?? '';
    await webmcp.rotate(property, 'root');
    const old = await verifyManifest(copy, {
      host: 'shop.example',
      trust: [APP],
      fetchJwks: async () => JSON.parse((await far.documents.jwks(property.id))?.text ?? 'null'),
      now,
    });
    expect(old).toMatchObject({ ok: false, error: 'unknown_key' });
    expect(await verified(far, webmcp)).toMatchObject({ ok: true });
  });

  it('is refused for an edit that began with another publication, and nothing of it is lost by a rotation', async () => {
    await publish(webmcp, 0, 'search');
    await webmcp.rotate(property, 'root');
    await publish(webmcp, 1, 'search', 'cart');
    await expect(publish(webmcp, 1, 'late')).rejects.toMatchObject({ code: 'conflict' });
    await expect(publish(webmcp, 0, 'late')).rejects.toMatchObject({ code: 'conflict' });
    await webmcp.unpublish(property, 'root');
    await expect(publish(webmcp, 3, 'late')).rejects.toMatchObject({ code: 'conflict' });
    expect((await webmcp.state(property)).manifest).toBeNull();
  });

  it('verifies whatever two nodes publish and rotate at the same time', async () => {
    const nodes = [webmcp, node(await home.node())];
    const tasks = Array.from({ length: 12 }, (_, index) => {
      const from = nodes[index % 2] ?? webmcp;
      return index % 3 === 0 ? from.rotate(property, 'root') : publish(from, null, `tool_${index}`);
    });
    const results = await Promise.allSettled(tasks);
    const done = results.filter(({ status }) => status === 'fulfilled').length;
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unavailable' });
    expect(done).toBeGreaterThanOrEqual(6);
    const versions = (await webmcp.versions(property)).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: done }, (_, index) => done - index));
    for (const from of nodes) expect(await verified(from)).toMatchObject({ ok: true });
    expect(await db.reader.selectFrom('webmcp_keys').selectAll().execute()).toHaveLength(1);
  });

  it('is signed again by the job before it runs out, and keeps its version', async () => {
    await publish(webmcp, null, 'search');
    const first = await webmcp.state(property);
    now += 11 * HOUR;
    await webmcp.upkeep();
    expect((await webmcp.state(property)).manifest?.etag).toBe(first.manifest?.etag);
    now += 2 * HOUR;
    await webmcp.upkeep();
    const renewed = (await webmcp.state(property)).manifest;
    expect(renewed).toMatchObject({
      version: 1,
      published_at: first.manifest?.published_at,
      expires_at: now + 24 * HOUR,
    });
    expect(renewed?.etag).not.toBe(first.manifest?.etag);
    expect(await actions()).toHaveLength(1);
  });

  it('is signed again at the first request after a day of downtime, and by the job when the service has moved', async () => {
    await publish(webmcp, null, 'search');
    now += 30 * HOUR;
    const [a, b] = await Promise.all([verified(webmcp), verified(webmcp)]);
    expect([a.ok, b.ok]).toEqual([true, true]);
    const moved = node(db, { appBaseUrl: 'https://moved.example/base' });
    await moved.upkeep();
    expect((await moved.state(property)).manifest?.jku).toBe(
      `https://moved.example/base/api/v1/webmcp/${property.id}/jwks.json`,
    );
  });

  it('is not served once it has run out and its key can’t be opened; a rotation fixes that', async () => {
    await publish(webmcp, null, 'search');
    const stranger = node(db, { cipher: createSecretCipher('quite another secret of thirty-two chars') });
    now += 13 * HOUR;
    expect(await stranger.documents.manifest(property.id)).not.toBeNull();
    now += 12 * HOUR;
    await expect(stranger.documents.manifest(property.id)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(publish(stranger, null, 'search')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('SECRET_KEY_PREVIOUS'),
    });
    await stranger.rotate(property, 'root');
    expect(await verified(stranger)).toMatchObject({ ok: true });
  });

  it('has its key re-encrypted by the job, so that the old secret can go', async () => {
    await publish(webmcp, null, 'search');
    await webmcp.unpublish(property, 'root');
    const next = 'the next secret of at least thirty-two chars';
    await node(db, { cipher: createSecretCipher(next, SECRET) }).upkeep();
    await publish(node(db, { cipher: createSecretCipher(next) }), null, 'search');
    expect(await verified(webmcp)).toMatchObject({ ok: true });
  });

  it('is gone with its property, whatever comes after', async () => {
    await publish(webmcp, null, 'search');
    await webmcp.drafts.save(property, 'root', declaration('draft'));
    await properties.delete(OURS, 'root', property.id);
    expect(await webmcp.documents.manifest(property.id)).toBeNull();
    expect(await webmcp.documents.jwks(property.id)).toBeNull();
    for (const attempt of [
      () => publish(webmcp, null, 'search'),
      () => webmcp.rotate(property, 'root'),
      () => webmcp.drafts.save(property, 'root', declaration()),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    for (const table of ['webmcp_keys', 'webmcp_manifests', 'webmcp_drafts', 'webmcp_versions'] as const)
      expect(await db.reader.selectFrom(table).selectAll().execute(), table).toEqual([]);
  });

  it('belongs to its organization: another owner of the same id finds nothing', async () => {
    await publish(webmcp, null, 'search');
    const theirs = { ...property, organizationId: randomUUID() };
    expect(await webmcp.state(theirs)).toEqual({ manifest: null, draft: null });
    expect(await webmcp.versions(theirs)).toEqual([]);
    expect(await webmcp.version(theirs, 1)).toBeNull();
    await expect(webmcp.rotate(theirs, 'root')).rejects.toMatchObject({ code: 'not_found' });
    await webmcp.unpublish(theirs, 'root');
    expect(await webmcp.documents.manifest(property.id)).not.toBeNull();
  });

  it('has a draft that is kept as it is, and done with once it is published', async () => {
    const wrong = { hosts: ['', 7], tools: [{ inputSchema: '{"type": ' }, null] };
    await webmcp.drafts.save(property, 'root', wrong);
    now += 1_000;
    await webmcp.drafts.save(property, 'root', wrong);
    expect((await webmcp.state(property)).draft).toEqual({ ...wrong, updatedAt: now });
    await webmcp.drafts.discard(property, 'root');
    await webmcp.drafts.discard(property, 'root');
    expect((await webmcp.state(property)).draft).toBeNull();
    await webmcp.drafts.save(property, 'root', wrong);
    await publish(webmcp, null, 'search');
    expect((await webmcp.state(property)).draft).toBeNull();
    const audited = await db.reader.selectFrom('audit_log').select('action').execute();
    const drafts = audited.map(({ action }) => action).filter((action) => action.includes('draft'));
    expect(drafts.sort()).toEqual(['webmcp.draft_begun', 'webmcp.draft_begun', 'webmcp.draft_discarded']);
  });

  it('remembers its newest 100 changes', async () => {
    for (let change = 0; change < 103; change += 1) await webmcp.rotate(property, 'root');
    const rows = await db.reader.selectFrom('webmcp_versions').select('version').orderBy('version').execute();
    expect(rows).toHaveLength(100);
    expect(rows[0]?.version).toBe(4);
    expect(await webmcp.versions(property)).toHaveLength(50);
  });

  it('is never signed for the loopback address of a node or command that has no APP_BASE_URL', async () => {
    await publish(webmcp, null, 'search');
    const bare = node(db, { appBaseUrl: 'http://localhost:8080' });
    for (const attempt of [() => bare.rotate(property, 'root'), () => publish(bare, null, 'search')])
      await expect(attempt()).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(APP),
      });
    const before = (await bare.state(property)).manifest?.etag;
    await bare.upkeep();
    expect((await bare.state(property)).manifest?.etag).toBe(before);
    await bare.unpublish(property, 'root');
    await publish(bare, null, 'search');
  });

  it('is not signed for an issuer that no agent accepts', async () => {
    const plain = node(db, { appBaseUrl: 'http://ghostlight.example' });
    await expect(publish(plain, null, 'search')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('APP_BASE_URL'),
    });
    await publish(node(db, { appBaseUrl: 'http://127.0.0.1:8080' }), null, 'search');
    await expect(plain.rotate(property, 'root')).rejects.toMatchObject({ code: 'invalid' });
  });

  describe('on its hosts', () => {
    let zone: Server;
    let serve: (path: string) => { status?: number; headers?: Record<string, string>; body?: string };
    beforeEach(async () => {
      zone = createServer((request, response) => {
        const { status = 200, headers = {}, body = '' } = serve(request.url ?? '');
        response.writeHead(status, headers).end(body);
      });
      await new Promise<void>((resolve) => zone.listen(0, '127.0.0.1', resolve));
      hosts.set('shop.example', `http://127.0.0.1:${(zone.address() as AddressInfo).port}`);
    });
    afterEach(() => {
      zone.closeAllConnections();
      zone.close();
    });
    const status = async () => {
      now += 10_000;
      return (await webmcp.status(property))[0];
    };
    const current = async () => (await webmcp.documents.manifest(property.id))?.text ?? '';

    it('is current, outdated or worse, told apart as an agent would', async () => {
      await publish(webmcp, null, 'search');
      const served = await current();
      serve = (path) =>
        path === '/.well-known/webmcp.json'
          ? { body: served, headers: { 'X-WebMCP-Cache': 'HIT' } }
          : { status: 404 };
      const kid = (await webmcp.state(property)).manifest?.kid;
      expect(await status()).toMatchObject({ host: 'shop.example', state: 'current', kid, cache: 'HIT' });
      await publish(webmcp, null, 'search', 'cart');
      expect(await status()).toMatchObject({
        state: 'outdated',
        detail: expect.stringContaining('earlier version'),
      });
      await webmcp.rotate(property, 'root');
      expect(await status()).toMatchObject({
        state: 'outdated',
        detail: expect.stringContaining('rotation'),
      });
      const tampered = (await current()).replace('Finds', 'Hides');
      for (const [answer, state] of [
        [{ body: tampered }, 'invalid'],
        [{ body: '{"tools":[]}' }, 'invalid'],
        [{ body: '<html>' }, 'not_json'],
        [{ status: 404 }, 'not_served'],
        [{ status: 301, headers: { Location: 'https://shop.example/x' } }, 'not_served'],
      ] as const) {
        serve = () => answer;
        expect(await status(), state).toMatchObject({ state, cache: null });
      }
      const last = await current();
      serve = () => ({ body: last });
      await webmcp.unpublish(property, 'root');
      expect(await status()).toMatchObject({
        state: 'outdated',
        detail: expect.stringContaining('Nothing is published'),
      });
    });

    it('says whether the record that names the issuer is there', async () => {
      await publish(webmcp, null, 'search');
      const asked: string[] = [];
      for (const [records, record] of [
        [[], 'not_found'],
        [['v=webmcp1; issuer=https://other.example', 'v=spf1 -all'], 'not_found'],
        [['v=spf1 -all', `"v=webmcp1; issuer=${APP}"`], 'found'],
        [null, 'not_checked'],
      ] as const) {
        lookup = async (name) => {
          asked.push(name);
          if (records === null) throw new Error('no name server');
          return records;
        };
        expect(await status()).toMatchObject({ record });
      }
      expect(new Set(asked)).toEqual(new Set(['_webmcp.shop.example']));
    });

    it('is not asked for at private addresses, nor again within ten seconds', async () => {
      await properties.update(OURS, 'root', property.id, { domain: '127.0.0.1' });
      property = await properties.get(OURS, property.id);
      expect(await status()).toMatchObject({ host: '127.0.0.1', state: 'private_address' });
      await expect(webmcp.status(property)).rejects.toMatchObject({ code: 'rate_limited' });
    });

    it('says when no host answers', async () => {
      serve = () => ({});
      hosts.set('shop.example', 'http://127.0.0.1:1');
      expect(await status()).toMatchObject({ state: 'unreachable' });
    });
  });
});
