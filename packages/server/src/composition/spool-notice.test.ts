/** What a node with SPOOL=file and PostgreSQL leaves in the state database when it stops, for the backups of other nodes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@ghostlight/core/time';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { takeDataDir } from '../data-dir.ts';
import { openTestDatabases } from '../database/testing.ts';
import { createService } from '../service.ts';
import { openSpool } from '../spool/index.ts';
import { entry, silent } from '../spool/testing.ts';
import { toRow } from '../warehouse/index.ts';
import { makeHit, newScope, offerWarehouse, SERVICE_RETENTION_DAYS } from '../warehouse/testing/warehouse.ts';

/** Each of its own month, so that each is a batch of its own, and the stop comes before all are shipped. */
const HITS = 12;

const databases = await openTestDatabases();
afterAll(() => databases.close());

it('a node that ships what waits while it stops is named by no backup after that', async () => {
  const database = await databases.backends.find(({ name }) => name === 'postgres')?.fresh();
  if (database?.url == null) throw new Error('there is no PostgreSQL');
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-spool-notice-'));
  offerWarehouse(dataDir, SERVICE_RETENTION_DAYS);
  const config = readConfig({
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY: 'k'.repeat(32), LOG_LEVEL: 'silent' },
    ...{ ADMIN_TOKEN: 't'.repeat(16), PORT: '0', LISTS_REFRESH: 'off' },
  });
  const place = { directory: join(dataDir, 'spool'), maxBytes: 1e9, clock: Date.now, log: silent };
  const db = await database.node();
  const reports = () =>
    db.kysely.selectFrom('installation').select('value').where('key', 'like', 'node-spool:%').execute();
  try {
    const before = await openSpool(place);
    const scope = newScope();
    const rows = Array.from({ length: HITS }, (_, index) => {
      const at = Date.now() - index * 31 * DAY_MS;
      const hit = makeHit(scope, { ray_id: `ray-${index}`, at, received_at: Date.now() });
      const month = new Date(at).toISOString().slice(0, 7).replace('-', '');
      return { line: toRow(hit), month, dedupKey: hit.ray_id, label: hit.class };
    });
    await before.append(entry(rows));
    await before.close();
    const home = takeDataDir(dataDir);
    const [key, value] = [
      `node-spool:${home.nodeId()}`,
      JSON.stringify({ name: 'a', waiting: HITS, at: 0, stopped: true }),
    ];
    home.release();
    await db.kysely.insertInto('installation').values({ key, value }).execute();

    const service = await createService(config, { listen: false });
    await service.stop();
    const after = await openSpool(place);
    expect(after.stats()).toMatchObject({ pendingRows: 0, counters: { stored: HITS } });
    await after.close();
    expect(await reports()).toEqual([]);
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
    await database.remove();
  }
});
