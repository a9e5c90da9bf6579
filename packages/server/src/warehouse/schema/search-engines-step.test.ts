import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWarehouse, type TestWarehouse } from '../testing/warehouse.ts';
import { MIGRATIONS } from './migrations.ts';

let store: TestWarehouse;
beforeAll(async () => {
  store = await openTestWarehouse();
});
afterAll(async () => await store.close());

const STEP = 8;
/** Beside the tables that are there: these are as they were before the step. */
const apart = (sql: string): string =>
  sql.replace(/\bTABLE (IF NOT EXISTS )?(\w+)/g, (_, exists: string | undefined) => {
    const [name] = _.split(' ').slice(-1);
    return `TABLE ${exists ?? ''}before_${name}`;
  });

it('leaves older rows as they are, in every table, and takes search crawlers from then on', async () => {
  const { warehouse } = store;
  const options = { replicated: false, retentionDays: 400 } as const;
  const run = async (steps: typeof MIGRATIONS) => {
    for (const statement of steps.flatMap(({ statements }) => statements(options)))
      await warehouse.command({ sql: apart(statement), settings: { mutations_sync: 2 } });
  };
  await run(MIGRATIONS.filter(({ version }) => version < STEP));
  const property = randomUUID();
  const tables = [
    { table: 'before_hits', columns: 'at, received_at', values: 'now(), now()' },
    ...['daily_totals', 'daily_pages', 'daily_bot_pages'].map((name) => ({
      table: `before_${name}`,
      columns: 'day, run',
      values: 'today(), 1',
    })),
  ];
  const put = async (of: string) => {
    for (const { table, columns, values } of tables)
      await warehouse.command({
        sql: `INSERT INTO ${table} (attribution_id, class, bot_name, ${columns})
SELECT {property:UUID}, arrayJoin({classes:Array(String)}), 'x', ${values}`,
        params: { property, classes: of.split(' ') },
      });
  };
  await put('ai_bot ai_referral sample');
  await expect(put('search_engine')).rejects.toThrow();

  await run(MIGRATIONS.filter(({ version }) => version >= STEP));
  await put('search_engine ai_bot');

  for (const { table } of tables) {
    const rows = await warehouse.rows<{ class: string; n: number }>('report', {
      sql: `SELECT toString(h.class) AS class, toUInt32(count()) AS n FROM ${table} AS h
WHERE h.attribution_id = {property:UUID} GROUP BY class ORDER BY class`,
      params: { property },
    });
    expect(rows, table).toEqual([
      { class: 'ai_bot', n: 2 },
      { class: 'ai_referral', n: 1 },
      { class: 'sample', n: 1 },
      { class: 'search_engine', n: 1 },
    ]);
    // In the order of the key, too: what is asked by class reads the right stretch.
    const [found] = await warehouse.rows<{ n: number }>('report', {
      sql: `SELECT toUInt32(count()) AS n FROM ${table} AS h WHERE h.attribution_id = {property:UUID} AND h.class IN ('search_engine')`,
      params: { property },
    });
    expect(found).toEqual({ n: 1 });
  }
});
