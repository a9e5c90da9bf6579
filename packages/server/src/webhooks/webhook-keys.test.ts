import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope, ServiceError } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { atOnce, openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createProperties, type Properties, type Property } from '../properties/index.ts';
import { bearerKey } from './bearer.ts';
import { closeWebhooks, type Webhooks } from './index.ts';
import { testWebhooks } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };

describe.each(databases.backends)('keys and settings on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  let webhooks: Webhooks;
  let property: Property;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 3);
    home = await backend.fresh({ clock });
    db = await home.node();
    properties = createProperties(db, { clock, onDelete: (trx, owner) => closeWebhooks(trx, owner, now) });
    webhooks = testWebhooks(db, { clock, log: silentLog });
    property = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
  });
  afterEach(async () => {
    await webhooks.close();
    await home.remove();
  });
  const verdict = (key: string) => webhooks.keys.verify(bearerKey(`Bearer ${key}`));

  it('shows a key once, opens with it, and shuts at once when it is revoked', async () => {
    const issued = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 60 });
    expect(issued.key).toMatch(/^svc_wh_[0-9A-Za-z]{43}$/);
    expect(issued.key.startsWith(issued.prefix)).toBe(true);
    expect(await verdict(issued.key)).toMatchObject({ ok: true, key: { attributionId: property.id } });
    const [listed] = await webhooks.keys.list(property);
    expect(JSON.stringify(listed)).not.toContain(issued.key.slice(12));
    const stored = await db.reader.selectFrom('webhook_keys').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(issued.key.slice(12));
    await webhooks.keys.revoke(property, 'root', issued.id);
    await webhooks.keys.revoke(property, 'root', issued.id);
    expect(await verdict(issued.key)).toMatchObject({ ok: false, cause: 'revoked' });
    await expect(webhooks.keys.update(property, 'root', issued.id, { name: 'x' })).rejects.toThrow(
      ServiceError,
    );
    const log = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', issued.id)
      .execute();
    expect(log.map(({ action }) => action).sort()).toEqual(['webhook_key.issued', 'webhook_key.revoked']);
  });

  it('changed in two members at once, has both changes, and so have settings and the property', async () => {
    const { id } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 60 });
    for (let n = 1; n <= 10; n += 1) {
      await Promise.all([
        webhooks.keys.update(property, 'root', id, { name: `Shop ${n}` }),
        webhooks.keys.update(property, 'root', id, { rateLimit: 60 + n }),
        webhooks.settings.update(property, 'root', { enabled: n % 2 === 0 }),
        webhooks.settings.update(property, 'root', { lookbackDays: n }),
        properties.update(OURS, 'root', property.id, { name: `Shop ${n}` }),
        properties.update(OURS, 'root', property.id, { domain: `shop-${n}.example` }),
      ]);
      expect(await webhooks.keys.list(property)).toMatchObject([{ name: `Shop ${n}`, rateLimit: 60 + n }]);
      expect(await webhooks.settings.read(property)).toMatchObject({ enabled: n % 2 === 0, lookbackDays: n });
      expect(await properties.get(OURS, property.id)).toMatchObject({
        ...{ name: `Shop ${n}`, domain: `shop-${n}.example` },
      });
    }
  });

  it('revoked six times at once, has one audit row', async () => {
    const { id } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 60 });
    for (const { status } of await atOnce(db, 6, () => webhooks.keys.revoke(property, 'root', id)))
      expect(status).toBe('fulfilled');
    const log = await db.reader.selectFrom('audit_log').select('action').where('subject', '=', id).execute();
    expect(log.map(({ action }) => action).sort()).toEqual(['webhook_key.issued', 'webhook_key.revoked']);
  });

  it('says when a key was last used, and from which network', async () => {
    const issued = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 60 });
    now += 1_000;
    await webhooks.keys.verify(bearerKey(`Bearer ${issued.key}`), () => '203.0.113.77');
    await webhooks.close();
    expect((await webhooks.keys.list(property))[0]).toMatchObject({
      lastUsedAt: now,
      lastUsedFrom: '203.0.113.0/24',
    });
  });

  it('lets only the owner see or change a key', async () => {
    const issued = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 60 });
    const sibling = await properties.create(OURS, 'root', { name: 'Other', domain: 'other.example' });
    const stranger = { id: property.id, organizationId: '00000000-0000-4000-8000-00000000000f' };
    for (const owner of [sibling, stranger]) {
      expect(await webhooks.keys.list(owner)).toEqual([]);
      await expect(webhooks.keys.revoke(owner, 'root', issued.id)).rejects.toThrow('no such webhook key');
      await expect(webhooks.keys.update(owner, 'root', issued.id, { rateLimit: 1 })).rejects.toThrow();
    }
    expect(await verdict(issued.key)).toMatchObject({ ok: true });
  });

  it('receives only while enabled, in any letter case, and no longer than the property stands', async () => {
    expect(await webhooks.settings.receiver(property.id)).toBeNull();
    expect(await webhooks.settings.read(property)).toEqual({
      enabled: false,
      lookbackDays: 30,
      consentDefault: 'by_region',
    });
    await webhooks.settings.update(property, 'root', { enabled: true });
    await webhooks.settings.update(property, 'root', { lookbackDays: 90 });
    const receiver = { enabled: true, lookbackDays: 90, organizationId: DEFAULT_ORGANIZATION_ID };
    expect(await webhooks.settings.receiver(property.id.toUpperCase())).toMatchObject(receiver);
    for (const id of ['', 'x', '00000000-0000-4000-8000-00000000000f', `${property.id} `])
      expect(await webhooks.settings.receiver(id)).toBeNull();
    await webhooks.settings.update(property, 'root', { enabled: false });
    expect(await webhooks.settings.receiver(property.id)).toBeNull();
    const { key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 60 });
    await webhooks.settings.update(property, 'root', { enabled: true });
    await properties.delete(OURS, 'root', property.id);
    now += 6_000;
    expect(await webhooks.settings.receiver(property.id)).toBeNull();
    expect(await verdict(key)).toMatchObject({ ok: false, cause: 'revoked' });
  });

  it('audits every change of the settings in its own words', async () => {
    await webhooks.settings.update(property, 'root', { enabled: true });
    await webhooks.settings.update(property, 'root', { lookbackDays: 7 });
    await webhooks.settings.update(property, 'root', { enabled: false });
    const rows = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'webhooks.%')
      .execute();
    expect(rows.map(({ action }) => action).sort()).toEqual([
      'webhooks.disabled',
      'webhooks.enabled',
      'webhooks.updated',
    ]);
  });
});

describe('the header of a webhook request', () => {
  const key = `svc_wh_${'a'.repeat(43)}`;
  it('is taken in one form only', () => {
    expect(bearerKey(`Bearer ${key}`)).toEqual({ ok: true, key });
    for (const header of [
      undefined,
      '',
      key,
      `bearer ${key}`,
      `BEARER ${key}`,
      `Bearer  ${key}`,
      `Bearer ${key} `,
      `Bearer ${key} x`,
      `Bearer\t${key}`,
      `Bearer "${key}"`,
      `Bearer ${key}, Bearer ${key}`,
      `Bearer svc_cf_${'a'.repeat(43)}`,
      `Bearer ${key}a`,
      `Token ${key}`,
      `Basic ${btoa(key)}`,
    ])
      expect(bearerKey(header), String(header)).toMatchObject({ ok: false });
  });
});
