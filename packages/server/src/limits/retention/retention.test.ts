import { DAY_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DEFAULT_ORGANIZATION_ID,
  type RetentionLimits,
  retentionLimits,
  type Scope,
} from '../../common/index.ts';
import type { Database } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import { createProperties, type Properties, type Property } from '../../properties/index.ts';
import { hitSink } from '../../warehouse/index.ts';
import {
  makeBatch,
  makeHit,
  openTestWarehouse,
  type TestWarehouse,
} from '../../warehouse/testing/warehouse.ts';
import { createRetention, type Retention } from '../index.ts';
import { fillState } from '../testing.ts';
import { createOutlivedRows } from './outlived-rows.ts';

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
const NOW = Date.UTC(2026, 6, 1, 12);
const LIMITS: RetentionLimits = retentionLimits({
  ...{ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 },
  byClass: { samples: 60 },
});

describe.each(databases.backends)('retention on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let properties: Properties;
  let retention: Retention;
  let shop: Property;
  let other: Property;
  const get = (property: Property) => properties.get(OURS, property.id);

  beforeEach(async () => {
    now = NOW;
    home = await backend.fresh({ clock });
    db = await home.node();
    properties = createProperties(db, { clock });
    retention = createRetention({
      ...{ database: db, warehouse: place.warehouse, properties, limits: LIMITS, auditDays: null, clock },
      log: silentLog,
    });
    shop = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
    other = await properties.create(OURS, 'root', { name: 'Other', domain: 'other.example' });
  });
  afterEach(() => home.remove());

  const putHits = async (property: Property, ages: readonly number[], more = {}): Promise<void> => {
    const scope = { organizationId: property.organizationId, attributionIds: [property.id] as const };
    for (const days of ages)
      await hitSink(place.warehouse).insert(
        makeBatch([makeHit(scope, { at: NOW - days * DAY_MS, ...more })]),
      );
  };
  /** Ages of the stored hits in days, by class. */
  const ages = async (property: Property): Promise<Record<string, number[]>> => {
    const rows = await place.warehouse.rows<{ class: string; ages: number[] }>('report', {
      sql: `SELECT toString(class) AS class, arraySort(groupArray(toInt32(round((${NOW} - toUnixTimestamp64Milli(at)) / ${DAY_MS})))) AS ages
FROM hits WHERE attribution_id = {id:UUID} GROUP BY class`,
      params: { id: property.id },
    });
    return Object.fromEntries(rows.map((row) => [row.class, row.ages]));
  };

  it('tells which rows of a batch it deletes or has deleted, and no others', async () => {
    const outlivedRows = createOutlivedRows({ database: db, limits: LIMITS, clock, log: silentLog });
    const line = (property: Property, days: number, hit = 'ai_bot') =>
      JSON.stringify({ attribution_id: property.id, class: hit, at: NOW - days * DAY_MS });
    const body = Buffer.from(
      [line(shop, 20), line(shop, 40), line(other, 40), line(other, 70, 'sample'), line(other, 401)]
        .map((text) => `${text}\n`)
        .join(''),
    );
    expect(await outlivedRows('hits', body)).toEqual([3, 4]);
    expect(await outlivedRows('events', body)).toEqual([4]);
    await retention.set(OURS, 'person:7', shop, { ai_visits: 30 });
    expect(await outlivedRows('hits', body)).toEqual([1, 3, 4]);
    await putHits(shop, [40]);
    await retention.run();
    await retention.set(OURS, 'person:7', await get(shop), { ai_visits: 365 });
    // What was deleted while the rule was another stays deleted.
    expect(await outlivedRows('hits', body)).toEqual([1, 3, 4]);
  });

  it('deletes what a property keeps for less long, says how much, and touches nothing else', async () => {
    for (const property of [shop, other]) {
      await putHits(property, [1, 20, 40, 90]);
      await putHits(property, [20, 40, 90], { class: 'ai_referral', verified: null });
      await putHits(property, [20, 40, 90], { class: 'sample', sample_rate: 0.1 });
    }
    const rules = { ai_visits: 30, referrals: 60 };
    const preview = await retention.preview(shop, rules);
    expect(preview.slice(0, 3)).toEqual([
      // 90 and 40 days old.
      {
        ...{ name: 'ai_visits', days: 30, rows: 2, oldestDay: '2026-04-02', keptFrom: '2026-06-01' },
        deletedBy: NOW + 2 * 3_600_000,
      },
      expect.objectContaining({ name: 'referrals', days: 60, rows: 1 }),
      expect.objectContaining({ name: 'samples', days: 60, rows: 1 }),
    ]);
    expect(await ages(shop)).toMatchObject({ ai_bot: [1, 20, 40, 90] });

    await retention.set(OURS, 'person:7', shop, rules);
    await retention.run();
    expect(await ages(shop)).toEqual({ ai_bot: [1, 20], ai_referral: [20, 40], sample: [20, 40] });
    // The installation keeps samples for 60 days where a property says nothing.
    expect(await ages(other)).toEqual({
      ai_bot: [1, 20, 40, 90],
      ai_referral: [20, 40, 90],
      sample: [20, 40],
    });
    const runs = await retention.runs(await get(shop));
    expect(runs.map((run) => [run.class, run.deleted, run.total, run.rest]).toSorted()).toEqual([
      ['ai_visits', 2, 2, 0],
      ['referrals', 1, 1, 0],
      ['samples', 1, 1, 0],
    ]);
    const log = await db.reader
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', shop.id)
      .execute();
    expect(log.map(({ action }) => action).sort()).toEqual([
      'property.created',
      ...['retention.applied', 'retention.applied', 'retention.applied'],
      'retention.updated',
    ]);
    // Nothing has grown too old since: no row is written again, nor is the log.
    await retention.run();
    expect(await retention.runs(await get(shop))).toEqual(runs);
    now += 15 * DAY_MS;
    await retention.run();
    expect(await ages(shop)).toMatchObject({ ai_bot: [1] });
    expect((await retention.runs(await get(shop))).find((run) => run.class === 'ai_visits')).toMatchObject({
      ...{ deleted: 1, total: 3, rest: 0 },
    });
  });

  it('deletes conversions, deliveries, visitors and daily figures too', async () => {
    await fillState(db, shop);
    const tables = [
      ...['conversions', 'browser_conversions', 'deliveries', 'touches', 'sessions', 'visitors'],
      'daily_rows',
    ] as const;
    const left = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const table of tables) {
        const { rows } =
          await sql`select 1 from ${sql.table(table)} where attribution_id = ${shop.id}`.execute(db.reader);
        if (rows.length > 0) found.push(table);
      }
      return found;
    };
    await db.kysely.updateTable('daily_rows').set({ day: '2025-01-01' }).execute();
    expect(await left()).toEqual([...tables]);
    await retention.run();
    expect(await left()).toEqual([...tables]);
    await retention.set(OURS, 'root', shop, {
      conversions: 30,
      visitors: 7,
      ai_visits: 30,
      referrals: 30,
      daily: 60,
    });
    await retention.run();
    expect(await left()).toEqual(['deliveries']);
  });

  it('says the oldest day of daily figures as they have it, in a time zone behind UTC too', async () => {
    const owner = { organizationId: shop.organizationId, attributionId: shop.id };
    const abroad = await properties.update(OURS, 'root', shop.id, {
      zone: { timeZone: 'America/New_York', since: null },
    });
    const oldest = async () =>
      (await retention.preview(abroad, { daily: 60, ai_visits: 30, referrals: 30 })).find(
        ({ name }) => name === 'daily',
      );
    await place.warehouse.command({
      sql: `INSERT INTO daily_totals (organization_id, attribution_id, day)
SELECT {organizationId:UUID}, {attributionId:UUID}, toDate('2026-01-01')`,
      params: owner,
    });
    // Eight in the morning there.
    expect(await oldest()).toMatchObject({ rows: 1, oldestDay: '2026-01-01', keptFrom: '2026-05-02' });
    await db.kysely
      .insertInto('over_quota_days')
      .values({
        ...{ organization_id: owner.organizationId, attribution_id: owner.attributionId, day: '2025-12-31' },
        ...{ over_at: 0, closed_at: null, closed_until: null },
      })
      .execute();
    expect(await oldest()).toMatchObject({ rows: 2, oldestDay: '2025-12-31' });
  });

  it('refuses rules that the installation does not allow, and figures that would go before their visits', async () => {
    const wrong = async (rules: object): Promise<unknown> =>
      await retention.set(OURS, 'root', shop, rules).catch((error: unknown) => error);
    expect(await wrong({ ai_visits: 401 })).toMatchObject({
      errors: [{ pointer: '/ai_visits', message: 'Enter 7 to 400 days.' }],
    });
    expect(await wrong({ samples: 6, conversions: 29 })).toMatchObject({
      errors: [{ pointer: '/samples' }, { pointer: '/conversions', message: 'Enter 30 to 400 days.' }],
    });
    expect(await wrong({ daily: 90 })).toMatchObject({ errors: [{ pointer: '/daily' }] });
    expect(await wrong({ daily: 90, ai_visits: 90, referrals: 30 })).toMatchObject({
      retention: { daily: 90, ai_visits: 90, referrals: 30 },
    });
    // Longer than the default of the installation, within what it allows.
    expect(await wrong({ samples: 200 })).toMatchObject({ retention: { samples: 200 } });
    expect(await wrong({})).not.toHaveProperty('retention');
  });

  it('keeps the audit log as long as the installation says', async () => {
    const entries = async () => (await db.reader.selectFrom('audit_log').select('id').execute()).length;
    const before = await entries();
    now += 31 * DAY_MS;
    await retention.run();
    expect(await entries()).toBe(before);
    const forgetful = createRetention({
      ...{ database: db, warehouse: place.warehouse, properties, limits: LIMITS, auditDays: 30, clock },
      log: silentLog,
    });
    await forgetful.run();
    expect(await entries()).toBe(0);
  });
});
