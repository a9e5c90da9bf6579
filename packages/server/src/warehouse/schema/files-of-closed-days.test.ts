import { afterAll, beforeAll, expect, it } from 'vitest';
import { newScope, openTestWarehouse, type TestWarehouse } from '../testing/warehouse.ts';

let store: TestWarehouse;
beforeAll(async () => {
  store = await openTestWarehouse();
});
afterAll(async () => await store.close());

it('tells files from pages in rows that were counted before the step', async () => {
  const { warehouse } = store;
  const { organizationId, attributionIds } = newScope();
  const paths = ['/', '/about', '/robots.txt', '/paper.PDF', '/blog/feed/', '/.well-known/webmcp.json'];
  // As the tables were.
  await warehouse.command({
    sql: 'ALTER TABLE daily_pages DROP COLUMN asset',
    settings: { mutations_sync: 2 },
  });
  await warehouse.command({
    sql: 'DELETE FROM schema_migrations WHERE version = 7',
    settings: { lightweight_deletes_sync: 2 },
  });
  for (const table of ['daily_pages', 'daily_bot_pages'])
    await warehouse.command({
      sql: `INSERT INTO ${table} (organization_id, attribution_id, day, run, class, host, path, status, weight)
SELECT {organization:UUID}, {property:UUID}, today(), 1, 'ai_bot', 'shop.example', arrayJoin({paths:Array(String)}), 200, 1`,
      params: { organization: organizationId, property: attributionIds[0], paths },
    });

  await warehouse.migrate();

  const files = async (table: string) =>
    (
      await warehouse.rows<{ path: string }>('report', {
        sql: `SELECT path FROM ${table} WHERE attribution_id = {property:UUID} AND asset ORDER BY path`,
        params: { property: attributionIds[0] },
      })
    ).map(({ path }) => path);
  const expected = paths.slice(2).sort();
  expect(await files('daily_pages')).toEqual(expected);
  await expect.poll(async () => await files('daily_bot_pages'), { timeout: 20_000 }).toEqual(expected);
  const unwritten = async () =>
    await warehouse.rows<{ command: string }>('report', {
      sql: 'SELECT command FROM system.mutations WHERE database = currentDatabase() AND NOT is_done',
    });
  await expect.poll(unwritten, { timeout: 20_000 }).toEqual([]);
});
