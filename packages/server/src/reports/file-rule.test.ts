/** Closed days whose totals know fewer files than the rule of now: counted again without raw hits, once, whatever breaks in between. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, silent, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { createFileRule } from './file-rule.ts';
import { createLedger } from './ledger.ts';
import { openPlace, type Site } from './testing/place.ts';
import { createZones } from './zones.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 15, 12);
let databases: TestDatabases;
let store: TestWarehouse;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => NOW });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});

it('is as if they had been counted by it, though their raw hits are gone', async () => {
  const { warehouse } = store;
  const fresh = await databases.backends[0]?.fresh({ clock: () => NOW });
  if (fresh === undefined) throw new Error('There is no backend');
  const database = await fresh.node();
  const place = openPlace({ warehouse, database, clock: () => NOW });
  const sites = [place.site(), place.site('7d7f4d1c-58c4-4a57-9d3c-4b1b8d1d9a01')];
  const sample = {
    class: 'sample',
    bot_name: '',
    vendor: '',
    intent: '',
    sample_rate: 0.5,
    weight: 2,
  } as const;
  for (const site of sites)
    for (const days of [1, 2, 40])
      await place.put(
        site,
        ['/', '/a', '/robots.txt', '/paper.pdf', '/x/feed/'].flatMap((path) => [
          { at: NOW - days * DAY, path, verified: true },
          ...Array.from({ length: 20 }, () => ({ at: NOW - days * DAY, path, ...sample })),
        ]),
      );
  await place.reports.rollup.run();
  const asked = async (site: Site) =>
    await Promise.all(
      ['ai-share', 'pages', 'pages?kind=file', 'overview'].map((path) =>
        place.json(site, `${path}${path.includes('?') ? '&' : '?'}from=2026-01-20&to=2026-03-14`),
      ),
    );
  const expected = await Promise.all(sites.map(asked));
  const ids = sites.map(({ id }) => id);
  // As a rule without files beside images has left them.
  await warehouse.command({
    sql: 'ALTER TABLE daily_totals UPDATE asset = false WHERE attribution_id IN {ids:Array(UUID)}',
    params: { ids },
    settings: { mutations_sync: 2 },
  });
  await warehouse.command({
    sql: 'ALTER TABLE hits DELETE WHERE attribution_id IN {ids:Array(UUID)}',
    params: { ids },
    settings: { mutations_sync: 2 },
  });
  expect(await Promise.all(sites.map(asked))).not.toEqual(expected);

  const ledger = createLedger(database, () => NOW);
  const withLock = (_name: string, run: () => Promise<void>) => run().then(() => true);
  const options = { ledger, zones: createZones(database), withLock, clock: () => NOW, log: silent };
  let statements = 0;
  const breaking: Warehouse = {
    ...warehouse,
    command: (...of) => {
      statements += 1;
      if (statements === 15) throw new Error('the warehouse went away');
      return warehouse.command(...of);
    },
  };
  expect(await createFileRule({ ...options, warehouse }).monthsLeft()).toBe(2);
  await expect(createFileRule({ ...options, warehouse: breaking }).run()).rejects.toThrow('went away');
  const rule = createFileRule({ ...options, warehouse });
  await rule.run();
  expect(await rule.monthsLeft()).toBeNull();
  expect(await Promise.all(sites.map(asked))).toEqual(expected);

  const runs = async () => await database.reader.selectFrom('daily_rows').select(['day', 'run']).execute();
  const before = await runs();
  await createFileRule({ ...options, warehouse }).run();
  expect(await runs()).toEqual(before);
});
