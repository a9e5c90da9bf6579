/** A service with SPOOL=postgres: what it refuses to leave behind, and what it says of itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openTestDatabases } from '../database/testing.ts';
import { createService } from '../service.ts';
import { openPostgresSpool, openSpool } from '../spool/index.ts';
import { entry, nodeOptions, RecordingSink, row, silent } from '../spool/testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

it('starts only when no file holds rows, and then says where an acknowledged hit is', async () => {
  const database = await databases.backends.find(({ name }) => name === 'postgres')?.fresh();
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-spool-in-postgres-'));
  const config = readConfig({
    ...{ DATABASE_URL: database?.url ?? '', CLICKHOUSE_URL: 'http://127.0.0.1:9/none', DATA_DIR: dataDir },
    ...{
      SECRET_KEY: 'k'.repeat(32),
      ADMIN_TOKEN: 't'.repeat(16),
      PORT: '0',
      LOG_LEVEL: 'silent',
      SPOOL: 'postgres',
    },
  });
  const file = () =>
    openSpool({ directory: join(dataDir, 'spool'), maxBytes: 1e9, clock: Date.now, log: silent });
  try {
    const before = await file();
    await before.append(entry([row(1)]));
    await before.close();
    await expect(createService(config, { listen: false })).rejects.toThrow(/^SPOOL: 1 acknowledged rows? /);

    const drained = await file();
    const shipper = drained.startShipper(new RecordingSink());
    expect(await shipper.drain(10_000)).toBe(true);
    await shipper.stop();
    await drained.close();
    const service = await createService(config, { listen: false });
    const get = async (path: string) =>
      await (
        await service.fetch(
          new Request(`http://x${path}`, { headers: { Authorization: `Bearer ${service.adminToken}` } }),
        )
      ).json();
    expect(await get('/readyz')).toMatchObject({ checks: { spool: 'ok' }, acknowledged_on: 'memory' });
    expect(await get('/api/v1/spool')).toMatchObject({
      ...{ pending_rows: 0, acknowledged_on: 'memory', all_nodes: { received: 0, stored: 0 } },
      acknowledged_note: expect.stringContaining('before it is on disk'),
    });
    await service.stop();

    // Back to the file, with rows in the tables that only a node with SPOOL=postgres would ship.
    const shared = await openPostgresSpool(nodeOptions(database?.url ?? '', 'gone'));
    await shared.append(entry([row(1), row(2)]));
    await shared.close();
    await expect(createService({ ...config, spoolDatabaseUrl: null }, { listen: false })).rejects.toThrow(
      /^SPOOL: 2 acknowledged rows wait in the tables .* Start with SPOOL=postgres, /,
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await database?.remove();
  }
});
