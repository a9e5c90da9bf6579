/**
 * A backup of BACKUP_HITS hits over 90 days while hits are posted: how long it takes, how large it is, what the posts notice of it; then reading
 * it to its end, and restoring it elsewhere. BENCH_DATA: of the store in that folder instead (`report-store.ts`).
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openWarehouse } from '../packages/server/src/warehouse/index.ts';
import { silent } from '../packages/server/src/warehouse/testing/warehouse.ts';
import { ADMIN_TOKEN, TestService, workerHit } from '../tests/harness/service.ts';
import { type Figure, thousands } from './harness.ts';
import { makeHits } from './report-hits.ts';
import { openReportStore, progress } from './report-store.ts';

const HITS = Number(process.env['BACKUP_HITS'] ?? 1_000_000);
const LAUNCHER = fileURLToPath(new URL('../packages/server/bin/ghostlight.js', import.meta.url));
const PASSPHRASE = 'correct horse battery';
const GOAL_PAUSE_MS = 2_000;
const POST_EVERY_MS = 20;

export async function backup(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ghostlight-bench-'));
  const { service, stored: count } = await (process.env['BENCH_DATA'] === undefined ? filled() : given());
  /** 50 million hits in ten minutes, in proportion; a small backup has its fixed costs. */
  const goal = Math.max(10, (count / 50_000_000) * 600);
  try {
    await service.start();
    const { key } = await service.property('Posts', 'posts.example');
    await service.hits(key, [workerHit()]);

    const run = async (words: readonly string[], dataDir: string): Promise<string> => {
      const env = {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: dataDir,
        BACKUP_PASSPHRASE: PASSPHRASE,
        ADMIN_TOKEN,
      };
      const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...words], {
        env,
        maxBuffer: 64 * 1024 ** 2,
      });
      return stdout;
    };
    const posts = postAllTheWhile(service, key);
    const file = join(folder, 'backup.tar.zst');
    const made = JSON.parse(await run(['backup', 'create', file, '--json'], service.dataDir)) as {
      seconds: number;
      paused_ms: number;
    };
    const longest = await posts.stop();
    const verified = await timed(() => run(['backup', 'verify', file], service.dataDir));
    const restored = await timed(() => run(['restore', file], join(folder, 'restored')));
    const bytes = statSync(file).size;
    const stored = sizeOf(join(service.dataDir, 'warehouse', 'store'));
    const hits = `${thousands(count)} hits`;
    return [
      seconds(`backup of ${hits}, hits posted meanwhile`, made.seconds, goal),
      {
        what: `its file, and the warehouse on disk`,
        measured: `${megabytes(bytes)}, ${megabytes(stored)}`,
        target: 'not larger',
        holds: bytes <= stored * 1.1,
      },
      {
        what: 'how long shipping paused for it',
        measured: `${made.paused_ms} ms`,
        target: `< ${GOAL_PAUSE_MS} ms`,
        holds: made.paused_ms < GOAL_PAUSE_MS,
      },
      {
        what: 'posts meanwhile: the slowest, refused',
        measured: `${Math.round(longest.ms)} ms, ${longest.refused}`,
        target: '< 1,000 ms, 0',
        holds: longest.ms < 1_000 && longest.refused === 0,
      },
      seconds('reading it to its end', verified, goal),
      seconds('restoring it', restored, goal),
    ];
  } finally {
    await service.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(what: string, measured: number, goal: number): Figure {
  return {
    what,
    measured: `${measured.toFixed(1)} s`,
    target: `< ${goal.toFixed(0)} s`,
    holds: measured < goal,
  };
}

const megabytes = (bytes: number) => `${thousands(bytes / 1_000_000)} MB`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

interface Stored {
  /** Not started. */
  readonly service: TestService;
  readonly stored: number;
}

async function given(): Promise<Stored> {
  const { service, hits } = await openReportStore();
  return { service, stored: hits };
}

async function filled(): Promise<Stored> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  await service.start();
  const { id } = await service.property();
  const { body } = await service.api('GET', `/api/v1/properties/${id}`);
  await service.stop();
  const owner = {
    attributionId: id,
    organizationId: (body as { organization_id: string }).organization_id,
  };
  const warehouse = await openWarehouse({
    ...{ url: null, dataDir: service.dataDir, retentionDays: 400, log: silent, clock: Date.now },
  });
  try {
    let made = 0;
    await makeHits(warehouse, owner, {
      ...{ hits: HITS, now: Date.now(), seed: 1 },
      done(rows) {
        made += rows;
        progress(`${thousands(made)} of ${thousands(HITS)} hits`);
      },
    });
  } finally {
    await warehouse.close();
  }
  return { service, stored: HITS };
}

function postAllTheWhile(service: TestService, key: string) {
  let stopped = false;
  const longest = { ms: 0, refused: 0 };
  const posting = (async () => {
    while (!stopped) {
      const began = performance.now();
      const { status } = await service.hits(key, [workerHit()]);
      longest.ms = Math.max(longest.ms, performance.now() - began);
      if (status !== 204) longest.refused += 1;
      await sleep(POST_EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await posting;
      return longest;
    },
  };
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
