/** `ghostlight move` with MOVE_HITS hits over 30 days: from embedded stores to PostgreSQL and an engine that replaces a ClickHouse server, and back. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../packages/core/src/time.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { silentLog, startPostgres } from '../packages/server/src/database/testing-postgres.ts';
import { type MoveReport, type MoveTarget, move as run } from '../packages/server/src/move.ts';
import { createService } from '../packages/server/src/service.ts';
import { hitSink, openWarehouse } from '../packages/server/src/warehouse/index.ts';
import { makeBatch, makeHit, newScope } from '../packages/server/src/warehouse/testing/warehouse.ts';
import { startStandIn } from '../tests/harness/clickhouse.ts';
import { type Figure, thousands } from './harness.ts';

const HITS = Number(process.env['MOVE_HITS'] ?? 200_000);
const BATCH = 5_000;
const DAYS = 30;
/** 50 million hits in an hour. */
const TARGET = 14_000;

export async function move(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-bench-move-'));
  const [postgres, server] = await Promise.all([startPostgres([]), startStandIn()]);
  const environment = { LOG_LEVEL: 'warn', LISTS_REFRESH: 'off', PORT: '0' };
  const home = readConfig({ ...environment, DATA_DIR: join(directory, 'home') });
  const servers = readConfig({
    ...{ ...environment, DATA_DIR: join(directory, 'home') },
    ...{ DATABASE_URL: `${postgres.url}/postgres`, CLICKHOUSE_URL: server.url },
    ...{ SECRET_KEY: 'k'.repeat(40), ADMIN_TOKEN: 'a'.repeat(20) },
  });
  const nowhere: MoveTarget = { databaseUrl: null, warehouseUrl: null, cluster: null, dataDir: null };
  const options = {
    ...{ clock: Date.now, signal: new AbortController().signal },
    print: (line: string) => void process.stderr.write(`${line}\n`),
  };
  try {
    await server.open();
    mkdirSync(home.dataDir);
    await (await createService(home, { listen: false })).stop();
    await fill(home.dataDir);
    const there = { ...nowhere, databaseUrl: servers.databaseUrl, warehouseUrl: servers.clickhouseUrl };
    const figures: Figure[] = [];
    for (const [what, from, to] of [
      ['embedded → server', home, there],
      ['server → embedded', servers, { ...nowhere, dataDir: join(directory, 'back') }],
    ] as const) {
      const began = performance.now();
      figures.push(figureOf(what, await run(from, to, options), performance.now() - began));
    }
    return figures;
  } finally {
    await server.dispose();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function figureOf(what: string, { copied, differences }: MoveReport, ms: number): Figure {
  const rate = copied.rows / copied.seconds;
  return {
    what: `move, ${what}, ${thousands(HITS)} hits`,
    measured: `${thousands(rate)} rows/s copied, ${(ms / 1_000).toFixed(1)} s with the comparison, ${differences.length} differences`,
    target: `${thousands(TARGET)} rows/s`,
    holds: rate >= TARGET && differences.length === 0,
  };
}

async function fill(dataDir: string): Promise<void> {
  const warehouse = await openWarehouse({
    ...{ url: null, dataDir, retentionDays: 400, log: silentLog, clock: Date.now },
  });
  const scope = newScope();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let done = 0; done < HITS; done += BATCH) {
    const day = today - (Math.floor((done / HITS) * DAYS) + 1) * DAY_MS;
    const hits = Array.from({ length: Math.min(BATCH, HITS - done) }, (_, n) =>
      makeHit(scope, {
        ...{
          id: randomUUID(),
          at: day + n * 1_000,
          received_at: day + n * 1_000,
          path: `/products/${n % 997}`,
        },
        ray_id: randomUUID().slice(0, 16),
      }),
    );
    await hitSink(warehouse).insert(makeBatch(hits));
  }
  await warehouse.close();
}
