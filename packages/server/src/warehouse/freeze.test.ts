import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { attachTables, freezeTables, openWarehouse } from './index.ts';
import { openTestWarehouse, silent } from './testing/warehouse.ts';

it('counts what a backup holds, though the engine would merge or drop some of it', async () => {
  const home = await openTestWarehouse();
  onTestFinished(() => home.close());
  const put = (sql: string) => home.warehouse.command({ sql });
  await put(
    'CREATE TABLE probe (day Date, n UInt32) ENGINE = ReplacingMergeTree ORDER BY n TTL day + INTERVAL 1 DAY',
  );
  await put('SYSTEM STOP MERGES probe');
  for (const day of ['2020-01-01', '2020-01-02'])
    await put(`INSERT INTO probe SELECT toDate('${day}'), number FROM numbers(10)`);
  const { tables, files } = await (
    await freezeTables(home.warehouse, join(home.dataDir, 'warehouse'))
  ).describe();

  const elsewhere = await mkdtemp(join(tmpdir(), 'ghostlight-restored-'));
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
  for (const { name, path } of files) await cp(path, join(elsewhere, 'parts', name), { recursive: true });
  const engine = await openWarehouse({
    ...{ url: null, dataDir: elsewhere, retentionDays: 1, log: silent, clock: Date.now },
  });
  try {
    const counted = await attachTables(engine, tables, join(elsewhere, 'parts'), () => undefined);
    expect(counted.get('probe')).toBe(tables.find(({ name }) => name === 'probe')?.rows);
    // Later too, as long as this engine is open: large backups take minutes to attach.
    await expect(engine.command({ sql: 'OPTIMIZE TABLE probe FINAL' })).rejects.toThrow();
  } finally {
    await engine.close();
  }
});
