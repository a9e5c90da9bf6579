/** What all test files of a run share (Vitest's globalSetup): a temporary directory in memory, one PostgreSQL, and the service built and compiled. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { offerPostgres, POSTGRES_OF_RUN } from '../../packages/server/src/database/testing-postgres.ts';
import {
  openTestWarehouse,
  SERVICE_RETENTION_DAYS,
  TEST_RETENTION_DAYS,
  WAREHOUSES_OF_RUN,
} from '../../packages/server/src/warehouse/testing/warehouse.ts';

const MEMORY = '/dev/shm';
const LAUNCHER = fileURLToPath(new URL('../../packages/server/bin/ghostlight.js', import.meta.url));
const BUILD = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url));
/** Where the launcher has Node keep what it has compiled; the processes that tests start without the launcher find it there too. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/ghostlight', import.meta.url));
const PREFIX = 'ghostlight-run-';
/** Older ones are of runs that were killed, and would hold memory until the machine restarts. */
const LEFT_BEHIND_MS = 86_400_000;
/** A run leaves about 1 GiB at its height: stores, profiles of browsers, an unpacked Chromium. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

export default async function setUp(): Promise<() => Promise<void>> {
  const place = inMemory() ? MEMORY : tmpdir();
  removeLeftBehind(place);
  const directory = mkdtempSync(join(place, PREFIX));
  // PostgreSQL runs as another user where tests run as root, and has its data in here.
  chmodSync(directory, 0o711);
  process.env['TMPDIR'] = directory;
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
  // A run of a single file does not come by way of `npm test`, which builds.
  await promisify(execFile)(process.execPath, [BUILD]);
  await offerWarehouses(directory, await compileService(directory));
  const postgres = await offerPostgres();
  process.env[POSTGRES_OF_RUN] = postgres.address;
  return async () => {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
}

/**
 * Node keeps what it compiled when a process ends in order, and most services of tests are killed, so that each of them would compile
 * everything again.
 * @returns the data directory that was migrated
 */
async function compileService(directory: string): Promise<string> {
  // Nothing else of our own environment: a DATABASE_URL in it may be a real one.
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: mkdtempSync(join(directory, 'ghostlight-compile-')),
    LISTS_REFRESH: 'off',
  };
  await promisify(execFile)(process.execPath, [LAUNCHER, 'migrate'], { env });
  return env.DATA_DIR;
}

/** Migrated warehouses for tests to copy: as the service keeps its days by default, and as the rooms' tests do. */
async function offerWarehouses(directory: string, migrated: string): Promise<void> {
  const offered = join(directory, 'warehouses');
  const service = join(offered, String(SERVICE_RETENTION_DAYS));
  const rooms = join(offered, String(TEST_RETENTION_DAYS));
  mkdirSync(offered);
  for (const place of [service, rooms])
    cpSync(join(migrated, 'warehouse'), join(place, 'warehouse'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  await (await openTestWarehouse({ dataDir: rooms })).warehouse.close();
  process.env[WAREHOUSES_OF_RUN] = offered;
}

function removeLeftBehind(place: string): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(place, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== userInfo().uid) continue;
    if (Date.now() - found.mtimeMs > LEFT_BEHIND_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Tests kill processes, never the machine: what the page cache holds survives them either way, and an fsync that waits for a disk proves
 * nothing more than one that does not. Programs are started in there too, which `noexec` (containers) forbids.
 */
function inMemory(): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    return mounted?.[3]?.split(',').includes('noexec') === false && bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
