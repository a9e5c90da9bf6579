import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWarehouse, type TestWarehouse } from '../testing/warehouse.ts';
import { MIGRATIONS } from './migrations.ts';

let store: TestWarehouse;
beforeAll(async () => {
  store = await openTestWarehouse();
});
afterAll(async () => await store.close());

const STEP = 10;
/** Beside the tables that are there: these are as they were before the step. */
const apart = (sql: string): string =>
  sql.replace(/\bTABLE (IF NOT EXISTS )?(\w+)/g, (_, exists: string | undefined, name: string) => {
    return `TABLE ${exists ?? ''}old_${name}`;
  });

it('keeps the source of every older row, in every table that has it, and takes any other from then on', async () => {
  const { warehouse } = store;
  const options = { replicated: false, retentionDays: 400 } as const;
  const run = async (steps: typeof MIGRATIONS) => {
    for (const statement of steps.flatMap(({ statements }) => statements(options)))
      await warehouse.command({ sql: apart(statement), settings: { mutations_sync: 2 } });
  };
  await run(MIGRATIONS.filter(({ version }) => version < STEP));
  const property = randomUUID();
  const tables = [
    { table: 'old_hits', columns: 'at, received_at', values: 'now(), now()' },
    ...['daily_totals', 'daily_bot_pages'].map((name) => ({
      table: `old_${name}`,
      columns: 'day, run',
      values: 'today(), 1',
    })),
  ];
  const put = async (of: string) => {
    for (const { table, columns, values } of tables)
      await warehouse.command({
        sql: `INSERT INTO ${table} (attribution_id, class, source, ${columns})
SELECT {property:UUID}, 'ai_bot', arrayJoin({sources:Array(String)}), ${values}`,
        params: { property, sources: of.split(' ') },
      });
  };
  await put('edge_worker edge_logpush edge_logpush');
  await expect(put('nginx')).rejects.toThrow();
  const ofAll = [
    { source: 'edge_logpush', n: 2 },
    { source: 'edge_worker', n: 1 },
  ];
  const count = async (table: string) =>
    await warehouse.rows<{ source: string; n: number }>('report', {
      sql: `SELECT toString(h.source) AS source, toUInt32(count()) AS n FROM ${table} AS h
WHERE h.attribution_id = {property:UUID} GROUP BY source ORDER BY source`,
      params: { property },
    });
  for (const { table } of tables) expect(await count(table), table).toEqual(ofAll);

  await run(MIGRATIONS.filter(({ version }) => version >= STEP));
  for (const { table } of tables) expect(await count(table), table).toEqual(ofAll);
  await put('nginx edge_worker');
  for (const { table } of tables) {
    expect(await count(table), table).toEqual([
      { source: 'edge_logpush', n: 2 },
      { source: 'edge_worker', n: 2 },
      { source: 'nginx', n: 1 },
    ]);
    const [found] = await warehouse.rows<{ n: number }>('report', {
      sql: `SELECT toUInt32(count()) AS n FROM ${table} AS h
WHERE h.attribution_id = {property:UUID} AND h.source = {source:String}`,
      params: { property, source: 'nginx' },
    });
    expect(found).toEqual({ n: 1 });
  }
  // Whether there is a column of the same name anywhere else, which this step forgot.
  const columns = await warehouse.rows<{ table: string; type: string }>('report', {
    sql: `SELECT c.table AS table, c.type AS type FROM system.columns AS c
WHERE c.database = currentDatabase() AND c.name = 'source' AND NOT startsWith(c.table, 'old_') ORDER BY c.table`,
  });
  expect(columns).toEqual(
    ['daily_bot_pages', 'daily_totals', 'hits'].map((table) => ({ table, type: 'LowCardinality(String)' })),
  );
});
