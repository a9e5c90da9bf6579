/** Closed days that a version with fewer daily tables has counted: read as they are, and made up for, whatever breaks in between. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, silent, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { createCompleteDays } from './complete-days.ts';
import { createLedger } from './ledger.ts';
import { openPlace, type Site } from './testing/place.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 15, 12);
const LATER = ['daily_page_lists', 'daily_bot_page_lists', 'daily_page_days'] as const;
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

/** Each page of each list as a row. */
const contents = async (warehouse: Warehouse): Promise<unknown[]> =>
  await Promise.all(
    LATER.map((table) => {
      const columns = table === 'daily_page_days' ? '*' : '* EXCEPT (pages, weights), page, weight';
      const rows = table === 'daily_page_days' ? '' : 'ARRAY JOIN pages AS page, weights AS weight';
      return warehouse.rows('live', { sql: `SELECT ${columns} FROM ${table} ${rows} ORDER BY ALL` });
    }),
  );

it('answer the same before, while and after they get the other rows', async () => {
  const { warehouse } = store;
  const fresh = await databases.backends[0]?.fresh({ clock: () => NOW });
  if (fresh === undefined) throw new Error('There is no backend');
  const database = await fresh.node();
  const place = openPlace({ warehouse, database, clock: () => NOW });
  const sites = [place.site(), place.site('7d7f4d1c-58c4-4a57-9d3c-4b1b8d1d9a01')];
  for (const site of sites)
    for (const days of [1, 40])
      await place.put(
        site,
        ['/', '/a', '/b/c', '/robots.txt'].flatMap((path, index) => [
          { at: NOW - days * DAY, path, bot_name: 'GPTBot', verified: true },
          { at: NOW - days * DAY, path, bot_name: 'GPTBot', verified: true, host: 'other.example' },
          {
            at: NOW - days * DAY,
            path,
            bot_name: 'ClaudeBot',
            verified: null,
            status: index > 1 ? 404 : 200,
          },
          { at: NOW - days * DAY, path, bot_name: 'CCBot', verified: false },
        ]),
      );
  await place.reports.rollup.run();
  const asked = async () =>
    await Promise.all(
      sites.flatMap((site: Site) =>
        ['pages?group=bot_page', 'pages?kind=all&include=spoofed', 'bots'].map((path) =>
          place.json(site, `${path}${path.includes('?') ? '&' : '?'}from=2026-01-20&to=2026-03-14&limit=200`),
        ),
      ),
    );
  const expected = await asked();
  const filled = await contents(warehouse);
  expect(filled).toEqual(LATER.map(() => expect.arrayContaining([expect.anything()])));

  for (const table of LATER) await warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
  await database.kysely.updateTable('daily_rows').set({ complete_run: null }).execute();
  expect(await asked()).toEqual(expected);

  const ledger = createLedger(database, () => NOW);
  const withLock = (_name: string, run: () => Promise<void>) => run().then(() => true);
  const options = { ledger, withLock, clock: () => NOW, log: silent };
  let statements = 0;
  const breaking: Warehouse = {
    ...warehouse,
    command: (...of) => {
      statements += 1;
      if (statements === 4) throw new Error('the warehouse went away');
      return warehouse.command(...of);
    },
  };
  await expect(createCompleteDays({ ...options, warehouse: breaking }).run()).rejects.toThrow('went away');
  expect(await ledger.incomplete(100)).not.toHaveLength(0);
  expect(await asked()).toEqual(expected);

  await createCompleteDays({ ...options, warehouse }).run();
  expect(await ledger.incomplete(100)).toEqual([]);
  expect(await contents(warehouse)).toEqual(filled);
  expect(await asked()).toEqual(expected);
  await fresh.remove();
});
