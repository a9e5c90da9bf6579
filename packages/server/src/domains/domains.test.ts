import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { atOnce, openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createProperties, type Properties, type Property } from '../properties/index.ts';
import { createDomains, createTxtLookup, type Domains, freeDomains } from './index.ts';
import { startNameServer, type TestNameServer } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const DAY = 86_400_000;
const NAME = '_ghostlight.t.shop.example';

describe.each(databases.backends)('tracking domains on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  let property: Property;
  let dns: TestNameServer;
  let domains: Domains;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 3);
    home = await backend.fresh({ clock });
    db = await home.node();
    properties = createProperties(db, { clock, onDelete: freeDomains });
    property = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
    dns = await startNameServer();
    domains = node(db);
  });
  afterEach(async () => {
    domains.close();
    await dns.close();
    await home.remove();
  });
  const node = (database: Database) =>
    createDomains({
      database,
      lookup: createTxtLookup({ servers: [dns.address] }),
      ownHosts: () => ['app.example'],
      clock,
      log: silentLog,
    });
  const claim = async (owner: Property) => await domains.add(owner, 'root', 'T.Shop.example.');
  const prove = async (owner: Property) => {
    const { record } = await claim(owner);
    dns.records.set(record.name, ['v=spf1 -all', record.value]);
    return await domains.verify(owner, 'root', 't.shop.example');
  };
  const other = () => properties.create(OURS, 'root', { name: 'Other', domain: 'other.example' });

  it('is claimed, proved by its record, served, and given up', async () => {
    const claimed = await claim(property);
    expect(claimed).toMatchObject({
      domain: 't.shop.example',
      state: 'pending',
      record: { name: NAME, value: expect.stringMatching(/^ghostlight-verify=[\w-]{32}$/) },
    });
    expect(await claim(property)).toEqual(claimed);
    expect(await domains.verify(property, 'root', 't.shop.example')).toMatchObject({
      state: 'pending',
      error: expect.stringContaining('it has none'),
    });
    dns.records.set(NAME, ['ghostlight-verify=wrong']);
    expect(await domains.verify(property, 'root', 't.shop.example')).toMatchObject({
      state: 'pending',
      error: expect.stringContaining(claimed.record.value),
    });
    expect(domains.domainOf('t.shop.example')).toBeNull();
    expect(domains.mayServe('t.shop.example')).toBe(false);
    dns.records.set(NAME, [`"${claimed.record.value}"`]);
    now += 1_000;
    expect(await domains.verify(property, 'root', 'T.shop.example')).toMatchObject({
      state: 'verified',
      verifiedAt: now,
      error: null,
    });
    expect(domains.domainOf('t.shop.example')).toEqual({
      domain: 't.shop.example',
      attributionId: property.id,
    });
    expect(domains.mayServe('T.SHOP.example')).toBe(true);
    await domains.remove(property, 'root', 't.shop.example');
    expect(domains.domainOf('t.shop.example')).toBeNull();
    expect(await domains.list(property)).toEqual([]);
    await expect(domains.verify(property, 'root', 't.shop.example')).rejects.toThrow(
      'no such tracking domain',
    );
  });

  it('is seen by another node when that one looks again', async () => {
    const second = node(await home.node());
    await second.start();
    await prove(property);
    expect(second.domainOf('t.shop.example')).toBeNull();
    await expect.poll(() => second.domainOf('t.shop.example')?.attributionId).toBe(property.id);
    second.close();
  });

  it('is one property’s at a time, and follows the record', async () => {
    await prove(property);
    const thief = await other();
    const { record } = await claim(thief);
    expect(await domains.verify(thief, 'root', 't.shop.example')).toMatchObject({ state: 'pending' });
    // Both records: the present owner keeps it.
    dns.records.get(NAME)?.push(record.value);
    await expect(domains.verify(thief, 'root', 't.shop.example')).rejects.toThrow('Another property serves');
    dns.records.set(NAME, [record.value]);
    expect(await domains.verify(thief, 'root', 't.shop.example')).toMatchObject({ state: 'verified' });
    expect(domains.domainOf('t.shop.example')?.attributionId).toBe(thief.id);
    expect(await domains.list(property)).toMatchObject([{ state: 'pending', error: expect.any(String) }]);
  });

  it('is looked at again every day, and lost a week after its record', async () => {
    await prove(property);
    const before = dns.records.get(NAME) ?? [];
    dns.records.clear();
    now += DAY;
    await domains.recheck();
    expect(await domains.list(property)).toMatchObject([{ state: 'failing', failingSince: now }]);
    expect(domains.domainOf('t.shop.example')).not.toBeNull();
    now += 6 * DAY;
    dns.records.set(NAME, before);
    await domains.recheck();
    expect(await domains.list(property)).toMatchObject([
      { state: 'verified', failingSince: null, error: null },
    ]);
    dns.failing = true;
    await domains.recheck();
    now += 7 * DAY;
    await domains.recheck();
    expect(await domains.list(property)).toMatchObject([
      { state: 'pending', error: expect.stringContaining('could not be reached') },
    ]);
    expect(domains.domainOf('t.shop.example')).toBeNull();
  });

  it('proved and given up six times at once, is so once, with one audit row each', async () => {
    const { record } = await claim(property);
    dns.records.set(record.name, [record.value]);
    const six = <T>(run: () => Promise<T>) => atOnce(db, 6, run);
    for (const { status } of await six(() => domains.verify(property, 'root', 't.shop.example')))
      expect(status).toBe('fulfilled');
    const removed = await six(() => domains.remove(property, 'root', 't.shop.example'));
    expect(removed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const log = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', 'tracking_domain.%')
      .execute();
    expect(log.map(({ action }) => action).sort()).toEqual([
      'tracking_domain.added',
      'tracking_domain.removed',
      'tracking_domain.verified',
    ]);
  });

  it('is free when its property is deleted, and not visible to others before', async () => {
    await prove(property);
    const stranger = { id: property.id, organizationId: '00000000-0000-4000-8000-00000000000f' };
    expect(await domains.list(stranger)).toEqual([]);
    await expect(domains.remove(stranger, 'root', 't.shop.example')).rejects.toThrow();
    await properties.delete(OURS, 'root', property.id);
    await domains.start();
    expect(domains.domainOf('t.shop.example')).toBeNull();
  });

  it('can be no address, no word, and not the service’s own host', async () => {
    for (const name of ['localhost', '10.0.0.1', 'app.example', 'a b.example', '', 'x@y.example', '[::1]'])
      await expect(domains.add(property, 'root', name), name).rejects.toThrow('can’t be a tracking domain');
    for (let n = 0; n < 20; n += 1) await domains.add(property, 'root', `t${n}.shop.example`);
    await expect(domains.add(property, 'root', 't20.shop.example')).rejects.toThrow('at most 20');
  });

  it('are at most twenty of a property, however many are added at once', async () => {
    const added = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => domains.add(property, 'root', `n${n}.shop.example`)),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });
});
