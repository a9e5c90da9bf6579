import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWarehouse, type TestWarehouse } from '../testing/warehouse.ts';
import { SHAPES } from './shapes.ts';

let test: TestWarehouse;
beforeAll(async () => {
  test = await openTestWarehouse();
});
afterAll(() => test.close());

it('are recorded as the newest step leaves them', async () => {
  const ask = <Row>(sql: string) => test.warehouse.rows<Row>('live', { sql });
  const tables = await ask<{ name: string; sorting_key: string; partition_key: string }>(
    'SELECT name, sorting_key, partition_key FROM system.tables WHERE database = currentDatabase() ORDER BY name',
  );
  const columns = await ask<{ table: string; name: string; type: string }>(
    'SELECT table, name, type FROM system.columns WHERE database = currentDatabase() ORDER BY table, position',
  );
  const made = Object.fromEntries(
    tables.map(({ name, sorting_key, partition_key }) => [
      name,
      {
        sortingKey: sorting_key,
        partitionKey: partition_key,
        columns: Object.fromEntries(
          columns.flatMap((column) => (column.table === name ? [[column.name, column.type]] : [])),
        ),
      },
    ]),
  );
  await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot('./shapes.golden.json');
  expect(Object.keys(SHAPES)).toContain('hits');
});
