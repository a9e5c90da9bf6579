import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope } from '../../common/index.ts';
import type { Database } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import { createProperties, type Properties, type Property } from '../../properties/index.ts';
import { hitSink, WarehouseUnavailable } from '../../warehouse/index.ts';
import {
  makeBatch,
  makeHit,
  openTestWarehouse,
  type TestWarehouse,
} from '../../warehouse/testing/warehouse.ts';
import { createQuotas, type Quotas } from '../index.ts';

const databases = await openTestDatabases();
let place: TestWarehouse;
beforeAll(async () => {
  place = await openTestWarehouse();
});
afterAll(async () => {
  await place.close();
  await databases.close();
});

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
/** Two in the morning in Tokyo. */
const NOW = Date.UTC(2026, 6, 1, 17);

describe.each(databases.backends)('quotas on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  let quotas: Quotas;
  let shop: Property;
  let questions: number;
  const open = (property: number | null, organization: number | null = null): Quotas =>
    createQuotas({
      ...{ database: db, clock, log: silentLog, defaults: { property, organization } },
      warehouse: {
        rows: (...args) => {
          questions += 1;
          return place.warehouse.rows(...args);
        },
      },
    });
  /** @param before each question */
  const failing = (before: (sql: string) => void): Quotas =>
    createQuotas({
      ...{ database: db, clock, log: silentLog, defaults: { property: 10, organization: null } },
      warehouse: {
        rows: async (kind, statement, signal) => {
          before(statement.sql);
          return await place.warehouse.rows(kind, statement, signal);
        },
      },
    });
  const agency = async (): Promise<Scope> => {
    const id = randomUUID();
    await db.kysely.insertInto('organizations').values({ id, name: 'Agency', created_at: 0 }).execute();
    return { kind: 'organization', id };
  };
  beforeEach(async () => {
    now = NOW;
    questions = 0;
    home = await backend.fresh({ clock });
    db = await home.node();
    properties = createProperties(db, { clock });
    quotas = open(10);
    const timeZone = 'Asia/Tokyo';
    shop = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example', timeZone });
  });
  afterEach(() => home.remove());

  const put = async (property: Property, hits: number, more = {}): Promise<void> => {
    const scope = { organizationId: property.organizationId, attributionIds: [property.id] as const };
    const made = Array.from({ length: hits }, () => makeHit(scope, { at: now, received_at: now, ...more }));
    await hitSink(place.warehouse).insert(makeBatch(made));
  };
  /** As a node sees it that has looked the property up just now. */
  const stateOf = async (property: Property): Promise<string> => {
    properties.forgetAll();
    await properties.ownerOf(property.id);
    return properties.quotaOf(property.id);
  };

  it('are shown as they were set, before they are counted again', async () => {
    await put(shop, 4);
    await quotas.run();
    const until = NOW + 22 * HOUR_MS;
    await quotas.set(shop, 'root', 1_000_000);
    expect(await quotas.read(shop)).toEqual({
      ...{ limit: 1_000_000, of: 'property', own: 1_000_000, used: 4, state: 'open', until },
    });
    await quotas.set(shop, 'root', null);
    expect(await quotas.read(shop)).toMatchObject({ limit: 10, own: null, used: 4 });
    await quotas.setOrganization(OURS.id, 'root', 3);
    await quotas.run();
    expect(await quotas.read(shop)).toMatchObject({ limit: 3, of: 'organization', used: 4 });
    await quotas.setOrganization(OURS.id, 'root', 5);
    expect(await quotas.read(shop)).toMatchObject({ limit: 5, of: 'organization', used: 4 });
    // What was counted is of another quota.
    await quotas.setOrganization(OURS.id, 'root', null);
    expect(await quotas.read(shop)).toMatchObject({ limit: 10, of: 'property', used: 0 });
  });

  it('count what the property has received since its midnight, without imports', async () => {
    // Yesterday in Tokyo.
    await put(shop, 4, { received_at: NOW - 3 * HOUR_MS });
    await put(shop, 3, { source: 'import' });
    await put(shop, 9);
    await quotas.run();
    const until = NOW + 22 * HOUR_MS;
    expect(await quotas.read(shop)).toEqual({
      ...{ limit: 10, of: 'property', own: null, used: 9, state: 'open', until },
    });
    expect(await stateOf(shop)).toBe('open');
    await put(shop, 1);
    await quotas.run();
    expect(await stateOf(shop)).toBe('no_samples');
    await put(shop, 10);
    await quotas.run();
    expect(await quotas.read(shop)).toMatchObject({ used: 20, state: 'closed' });
    expect(await quotas.states()).toEqual(new Map([['closed', 1]]));
    // At midnight at once, even before it is counted again.
    now = until;
    expect(await stateOf(shop)).toBe('open');
    expect(await quotas.read(shop)).toMatchObject({ used: 0, state: 'open', limit: 10 });
    await quotas.run();
    expect(await quotas.read(shop)).toMatchObject({ used: 0, state: 'open', until: until + DAY_MS });
  });

  it('of an organization count all its properties, and the nearer quota decides', async () => {
    quotas = open(null, 12);
    const second = await properties.create(OURS, 'root', { name: 'Second', domain: 'second.example' });
    await put(shop, 8);
    await quotas.run();
    expect(await quotas.read(shop)).toMatchObject({ limit: 12, of: 'organization', used: 8, state: 'open' });
    await put(second, 4);
    await quotas.run();
    for (const property of [shop, second])
      expect(await quotas.read(property)).toMatchObject({ used: 12, state: 'no_samples' });
    await quotas.setOrganization(DEFAULT_ORGANIZATION_ID, 'root', 100);
    await quotas.set(shop, 'root', 4);
    await quotas.run();
    expect(await quotas.read(shop)).toMatchObject({
      limit: 4,
      own: 4,
      of: 'property',
      used: 8,
      state: 'closed',
    });
    expect(await quotas.read(second)).toMatchObject({ limit: 100, used: 12, state: 'open' });
    await expect(quotas.setOrganization(randomUUID(), 'root', 1)).rejects.toMatchObject({
      code: 'not_found',
    });
    const log = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'like', '%quota%')
      .execute();
    expect(log.map(({ action }) => action).sort()).toEqual(['organization.quota_updated', 'quota.updated']);
  });

  it('of one organization that can’t be counted leave those of the others in force', async () => {
    const site = await properties.create(await agency(), 'root', { name: 'Site', domain: 'site.example' });
    await put(shop, 10);
    await put(site, 10);
    for (const broken of [shop, site]) {
      now += DAY_MS;
      await put(shop, 10);
      await put(site, 10);
      const some = failing((sql) => {
        if (sql.includes(broken.id)) throw new WarehouseUnavailable('It takes too long.');
      });
      await expect(some.run()).rejects.toThrow('Some organizations could not be counted');
      expect([await stateOf(shop), await stateOf(site)]).toEqual(
        broken === shop ? ['open', 'no_samples'] : ['no_samples', 'open'],
      );
    }
    // What is known of the day stands.
    const none = failing(() => {
      throw new WarehouseUnavailable('It does not answer.');
    });
    await expect(none.run()).rejects.toThrow('Some organizations');
    expect(await stateOf(shop)).toBe('no_samples');
  });

  it('begin with no organization after the stop was asked for', async () => {
    const theirs = await agency();
    await properties.create(theirs, 'root', { name: 'Site', domain: 'site.example' });
    const stopping = new AbortController();
    const some = failing(() => {
      questions += 1;
      stopping.abort();
    });
    await some.run(stopping.signal);
    expect(questions).toBe(1);
  });

  it('remember the days on which something was dropped, and until when everything was', async () => {
    const remembered = async () =>
      await db.reader
        .selectFrom('over_quota_days')
        .select(['day', 'over_at', 'closed_at', 'closed_until'])
        .where('attribution_id', '=', shop.id)
        .orderBy('day')
        .execute();
    await put(shop, 9);
    await quotas.run();
    expect(await remembered()).toEqual([]);
    await put(shop, 1);
    await quotas.run();
    // Two in the morning in Tokyo is still the day before in UTC.
    const first = { day: '2026-07-02', over_at: NOW };
    expect(await remembered()).toEqual([{ ...first, closed_at: null, closed_until: null }]);
    now += HOUR_MS;
    await put(shop, 10);
    await quotas.run();
    const until = NOW + 22 * HOUR_MS;
    const closed = { ...first, closed_at: NOW + HOUR_MS };
    expect(await remembered()).toEqual([{ ...closed, closed_until: until }]);
    now += HOUR_MS;
    await quotas.set(shop, 'root', 15);
    await quotas.run();
    expect(await remembered()).toEqual([{ ...closed, closed_until: now }]);
    now += HOUR_MS;
    await put(shop, 10);
    await quotas.run();
    expect(await remembered()).toEqual([{ ...closed, closed_until: until }]);
    now = until;
    await quotas.run();
    await put(shop, 30);
    await quotas.run();
    expect(await remembered()).toEqual([
      { ...closed, closed_until: until },
      { day: '2026-07-03', over_at: now, closed_at: now, closed_until: until + DAY_MS },
    ]);
  });

  it('ask nothing of the warehouse where there are none, and forget a state that has lost its quota', async () => {
    await quotas.set(shop, 'root', 1);
    await put(shop, 2);
    await quotas.run();
    expect(await stateOf(shop)).toBe('closed');
    await quotas.set(shop, 'root', null);
    const none = open(null);
    questions = 0;
    await none.run();
    expect(questions).toBe(0);
    expect(await stateOf(shop)).toBe('open');
    expect(await none.read(shop)).toMatchObject({ limit: null, state: 'open', used: 0 });
  });
});
