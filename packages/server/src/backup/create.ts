/**
 * Makes a backup of the running service (docs/decisions/0027). The cut takes moments: shipping and the counting of closed days pause, every store
 * is held as it is, and they go on. Copying and writing the file come after it, from what is held. Intake never pauses.
 */
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, type Log, size } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Spool } from '../spool/index.ts';
import { placeFault, type Warehouse } from '../warehouse/index.ts';
import { sizeOf, writeArchive } from './archive.ts';
import { holdSpools, holdState, holdWarehouse } from './hold.ts';
import {
  BackupError,
  backupName,
  FORMAT,
  hasSpoolsElsewhere,
  type Manifest,
  type TargetKinds,
} from './manifest.ts';
import { spoolsElsewhere } from './nodes.ts';
import { PASSPHRASE_CHARACTERS, type Secrets, sealSecrets } from './secrets.ts';

/** Longer than the embedded database keeps the lock of a process that was killed while it made a backup. */
const ANOTHER_WAIT_MS = 20_000;

export interface BackupDeps {
  readonly version: string;
  readonly nodeId: string;
  readonly dataDir: string;
  readonly kinds: TargetKinds;
  /** Of PostgreSQL; null: the store is in the data directory. */
  readonly urls: { readonly state: string | null; readonly spool: string | null };
  readonly secretKeyId: string;
  readonly secrets: () => Secrets;
  readonly database: Database;
  readonly warehouse: Warehouse;
  /** By their names, in the order in which rows pass them. */
  readonly spools: Readonly<Record<string, Spool>>;
  /** Newest format of the spools. */
  readonly spoolFormat: number;
  /** Nothing leaves the spools from then on. @returns goes on @throws when something is still under way after that time */
  readonly pauseShipping: (timeoutMs: number) => Promise<() => void>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface BackupRequest {
  /** Absolute path of the file to make. */
  readonly to: string;
  /** Null: secrets are left out. */
  readonly passphrase: string | null;
  /** Where a ClickHouse server puts its own copy: see `placeFault`. */
  readonly warehouseTo?: string | null;
}

export interface BackupProgress {
  /** What is being done, as a clause: "writing the file". */
  readonly step: string;
  readonly bytes?: number;
  readonly of?: number;
}

export interface BackupReport {
  readonly file: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly manifest: Manifest;
  readonly seconds: number;
  /** How long nothing left the spools. */
  readonly paused_ms: number;
}

export interface Backups {
  /** @throws BackupError with a sentence; and what the stores throw. There is no file then */
  create(
    request: BackupRequest,
    onProgress: (progress: BackupProgress) => void,
    signal: AbortSignal,
  ): Promise<BackupReport>;
  /** Ends the one under way, and removes what there is of it. */
  stop(): Promise<void>;
}

const STAGING = 'backup-staging';
/** How long a batch may still be on its way when shipping is to pause. */
const PAUSE_MS = 75_000;
/** The counting of a night may take minutes, and is waited for. */
const COUNTING_MS = 30 * MINUTE_MS;
const LOCK_POLL_MS = 250;
/** What counts closed days holds one of these. */
const COUNTING = ['reports:rollup', 'reports:recount'];
/** Beyond the bytes that are known of. */
const SPARE_BYTES = 64 * 1024 * 1024;

export function createBackups(deps: BackupDeps): Backups {
  const { dataDir, database, clock, log } = deps;
  const staging = join(dataDir, STAGING);
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;

  const make = async (
    request: BackupRequest,
    onProgress: (progress: BackupProgress) => void,
    signal: AbortSignal,
  ): Promise<BackupReport> => {
    const began = performance.now();
    const { to, passphrase } = request;
    if (passphrase !== null && passphrase.length < PASSPHRASE_CHARACTERS)
      throw new BackupError(`The passphrase needs at least ${PASSPHRASE_CHARACTERS} characters.`);
    const fault = request.warehouseTo == null ? null : placeFault(request.warehouseTo);
    if (fault !== null) throw new BackupError(`The destination of the warehouse ${fault}`);
    await checkTarget(to);
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    let held: Held | null = null;
    try {
      await checkSpace(deps, to);
      const sealed = passphrase === null ? null : await sealSecrets(deps.secrets(), passphrase);
      onProgress({ step: 'waiting for the counting of closed days' });
      held = await whileNothingIsCounted(database, signal, () => cut(deps, request, onProgress, signal));
      onProgress({ step: 'copying the spool and the state database' });
      const { files: spoolFiles, ...spools } = await held.spools.copyTo(staging, signal);
      const { files: stateFiles, ...state } = await held.state.copyTo(staging, signal);
      const { files: parts, ...warehouse } = await held.warehouse.copyTo(staging, signal);
      const files = [...spoolFiles, ...stateFiles, ...parts];
      const manifest: Manifest = {
        format: FORMAT,
        version: deps.version,
        created_at: new Date(held.at).toISOString(),
        node_id: deps.nodeId,
        state: { kind: deps.kinds.state, ...state },
        warehouse: { kind: deps.kinds.warehouse, ...warehouse },
        spools: {
          ...{ kind: deps.kinds.spools, format: deps.spoolFormat, ...spools },
          elsewhere: hasSpoolsElsewhere(deps.kinds)
            ? await spoolsElsewhere(database, deps.nodeId, held.at)
            : [],
        },
        secret_key_id: deps.secretKeyId,
        secrets: sealed,
        files: files.length,
        bytes: files.reduce((sum, file) => sum + file.size, 0),
      };
      const of = manifest.bytes;
      onProgress({ step: 'writing the file', bytes: 0, of });
      const written = await writeArchive(
        { to, manifest: `${JSON.stringify(manifest, null, 2)}\n`, files, at: held.at },
        (bytes) => onProgress({ step: 'writing the file', bytes, of }),
        signal,
      );
      const seconds = Math.round(performance.now() - began) / 1_000;
      return { file: to, size: written, manifest, seconds, paused_ms: held.pausedMs };
    } finally {
      await held?.release();
      await rm(staging, { recursive: true, force: true });
    }
  };

  return {
    async create(request, onProgress, signal) {
      if (running !== null) throw new BackupError('A backup is being made already. Wait until it is done.');
      const either = AbortSignal.any([signal, stopping.signal]);
      let report: BackupReport | undefined;
      const work = (async () => {
        const alone = () =>
          database.withLock('backup', async () => {
            report = await make(request, onProgress, either);
          });
        const deadline = performance.now() + ANOTHER_WAIT_MS;
        while (!(await alone())) {
          if (performance.now() > deadline)
            throw new BackupError('Another backup is being made already. Wait until it is done.');
          onProgress({ step: 'waiting for another backup' });
          await sleep(LOCK_POLL_MS, undefined, { signal: either });
        }
      })();
      running = work.catch(() => undefined);
      try {
        await work;
      } catch (error) {
        if (either.aborted)
          throw new BackupError('The backup was stopped before it was complete; there is no file.');
        throw error;
      } finally {
        running = null;
      }
      if (report === undefined) throw new Error('unreachable');
      const { size: bytes, seconds, paused_ms, manifest } = report;
      log.info({ file: request.to, bytes, seconds, paused_ms, at: clock() }, 'a backup was made');
      const { elsewhere = [] } = manifest.spools;
      if (elsewhere.length > 0)
        log.warn({ file: request.to, nodes: elsewhere }, 'the spools of other nodes are not in the backup');
      return report;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Every store as it was at one moment. */
interface Held {
  /** What was done before it is in each store, and some of what was done within the next moments. */
  readonly at: number;
  readonly pausedMs: number;
  readonly spools: Awaited<ReturnType<typeof holdSpools>>;
  readonly state: Awaited<ReturnType<typeof holdState>>;
  readonly warehouse: Awaited<ReturnType<typeof holdWarehouse>>;
  release(): Promise<void>;
}

/**
 * Spools before the database, the database before the warehouse: what passes from one to the next meanwhile is in both rather than in none, and
 * each of the later ones knows it when it comes again. Rows leave the spools for the warehouse only by shipping, which pauses: they are in
 * exactly one of the two.
 */
async function cut(
  deps: BackupDeps,
  { warehouseTo }: BackupRequest,
  onProgress: (progress: BackupProgress) => void,
  signal: AbortSignal,
): Promise<Held> {
  const { spools, database, warehouse, dataDir, urls, kinds, clock } = deps;
  onProgress({ step: 'holding the stores' });
  const releases: (() => Promise<void>)[] = [];
  const release = async () => {
    for (const each of releases.splice(0).reverse()) await each();
  };
  const resume = await deps.pauseShipping(PAUSE_MS);
  const paused = performance.now();
  try {
    signal.throwIfAborted();
    // Before the first store is held: all that was acknowledged, and all that was deleted, until then is in the backup.
    const at = clock();
    const heldSpools = await holdSpools(spools, urls.spool);
    releases.push(heldSpools.release);
    const state = await holdState(database, urls.state, urls.state === urls.spool ? heldSpools.tables : null);
    releases.push(state.release);
    const hold = await holdWarehouse(warehouse, {
      directory: kinds.warehouse === 'embedded' ? join(dataDir, 'warehouse') : null,
      storeTo: warehouseTo ?? null,
      name: backupName(at),
      onWait() {
        signal.throwIfAborted();
        checkSpools(spools);
      },
    });
    releases.push(hold.release);
    await heldSpools.resume();
    const pausedMs = Math.round(performance.now() - paused);
    return { at, pausedMs, spools: heldSpools, state, warehouse: hold, release };
  } catch (error) {
    await release();
    throw error;
  } finally {
    resume();
  }
}

/** A server's own backup may take long, and hits gather meanwhile. */
function checkSpools(spools: Readonly<Record<string, Spool>>): void {
  for (const [name, spool] of Object.entries(spools)) {
    const { bytes, maxBytes } = spool.stats();
    if (bytes > maxBytes / 2)
      throw new BackupError(
        `The spool "${name}" became half full while the warehouse was written to its backup, and shipping goes on now; there is no file. Raise SPOOL_MAX_BYTES, or choose a faster destination.`,
      );
  }
}

/** Counts that are being made are half in the warehouse and half in the database. */
async function whileNothingIsCounted<T>(
  database: Database,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + COUNTING_MS;
  const under = async ([lock, ...others]: readonly string[]): Promise<T> => {
    if (lock === undefined) return await run();
    for (;;) {
      let done: { result: T } | null = null;
      await database.withLock(lock, async () => {
        done = { result: await under(others) };
      });
      if (done !== null) return (done as { result: T }).result;
      if (performance.now() > deadline)
        throw new BackupError(
          'Closed days have been counted for half an hour without an end. Look at the log, then try again.',
        );
      await sleep(LOCK_POLL_MS, undefined, { signal });
    }
  };
  return await under(COUNTING);
}

async function checkTarget(to: string): Promise<void> {
  if (!isAbsolute(to)) throw new BackupError('The path of a backup must be absolute.');
  if ((await sizeOf(to)) !== null) throw new BackupError(`${to} exists already. Choose another name.`);
  const folder = await stat(dirname(to)).catch(() => null);
  if (folder?.isDirectory() !== true)
    throw new BackupError(`There is no folder ${dirname(to)} where the service runs. Make it first.`);
}

async function checkSpace({ dataDir, spools, warehouse, kinds }: BackupDeps, to: string): Promise<void> {
  const state = kinds.state === 'file' ? ((await sizeOf(join(dataDir, 'state.sqlite'))) ?? 0) : 0;
  const spooled = Object.values(spools).reduce((sum, spool) => sum + spool.stats().bytes, 0);
  const parts = kinds.warehouse === 'embedded' ? await partBytes(warehouse) : 0;
  const staged = state + spooled + SPARE_BYTES;
  const whole = staged + parts;
  const isSame = (await stat(dataDir)).dev === (await stat(dirname(to))).dev;
  const need = isSame
    ? [[dataDir, staged + whole] as const]
    : [[dataDir, staged] as const, [dirname(to), whole] as const];
  for (const [path, bytes] of need) {
    const { bavail, bsize } = await statfs(path);
    if (bavail * bsize < bytes)
      throw new BackupError(
        `The backup may need ${size(bytes)} on the disk of ${path}, where ${size(bavail * bsize)} are free. Make room, or choose another disk.`,
      );
  }
}

async function partBytes(warehouse: Warehouse): Promise<number> {
  const [row] = await warehouse.rows<{ n: string }>('write', {
    sql: 'SELECT toString(sum(bytes_on_disk)) AS n FROM system.parts WHERE database = currentDatabase() AND active',
  });
  return Number(row?.n ?? 0);
}
