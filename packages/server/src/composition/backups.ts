/** Backups over the stores of this service, and how the command line asks for one: over the control socket alone, never over the public API. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import { isObject } from '@ghostlight/core';
import { HOUR_MS } from '@ghostlight/core/time';
import {
  announceSpools,
  BackupError,
  type BackupProgress,
  type BackupReport,
  type BackupRequest,
  type Backups,
  createBackups,
  hasSpoolsElsewhere,
  type KnownVersions,
  type Schedule,
  type SpoolNotice,
  startSchedule,
  type TargetKinds,
} from '../backup/index.ts';
import type { Clock, Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import { keyIdsOf, MIGRATION_NAMES } from '../database/index.ts';
import { SPOOL_FORMATS } from '../spool/index.ts';
import { SCHEMA_STEP } from '../warehouse/index.ts';
import type { Rooms } from './rooms.ts';
import type { Stores } from './stores.ts';

export const kindsOf = ({ databaseUrl, clickhouseUrl, spoolDatabaseUrl }: Config): TargetKinds => ({
  state: databaseUrl === null ? 'file' : 'server',
  warehouse: clickhouseUrl === null ? 'embedded' : 'server',
  spools: spoolDatabaseUrl === null ? 'file' : 'server',
});

/** What this version can restore. */
export const knownVersions = (version: string): KnownVersions => ({
  version,
  migrations: MIGRATION_NAMES,
  schema: SCHEMA_STEP,
  spool: SPOOL_FORMATS,
});

export interface BackupOptions {
  readonly version: string;
  readonly nodeId: string;
  readonly secretKey: string;
  readonly adminToken: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function openBackups(
  config: Config,
  { database, warehouse, spool, eventSpools }: Stores,
  rooms: Pick<Rooms, 'pauseShipping'>,
  { version, nodeId, secretKey, adminToken, clock, log }: BackupOptions,
): Backups {
  const kinds = kindsOf(config);
  return createBackups({
    ...{ version, nodeId, dataDir: config.dataDir, kinds, database, warehouse, clock },
    urls: { state: config.databaseUrl, spool: config.spoolDatabaseUrl },
    spools: { events: eventSpools.accepted, 'event-rows': eventSpools.rows, hits: spool },
    spoolFormat: SPOOL_FORMATS[kinds.spools],
    secretKeyId: keyIdsOf(secretKey, null)[0] ?? '',
    secrets: () => ({ secret_key: secretKey, admin_token: adminToken }),
    pauseShipping: rooms.pauseShipping,
    log: log.child({ room: 'backup' }),
  });
}

/** @returns null: none are scheduled */
export function scheduleBackups(
  { backupSchedule, backupPassphrase, backupWarehouseTo }: Config,
  backups: Backups,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Schedule | null {
  if (backupSchedule === null || backupPassphrase === null) return null;
  const { directory, everyHours, keep } = backupSchedule;
  return startSchedule({
    ...{ backups, directory, keep, clock, everyMs: everyHours * HOUR_MS },
    ...{ passphrase: backupPassphrase, warehouseTo: backupWarehouseTo },
    log: log.child({ room: 'backup' }),
  });
}

/** Where each node has a spool of its own, it tells the others of it. @returns null: there is nothing to tell */
export function tellOfSpools(
  config: Config,
  { database, spool, eventSpools }: Stores,
  { nodeId, clock, log }: Pick<BackupOptions, 'nodeId' | 'clock' | 'log'>,
): SpoolNotice | null {
  if (!hasSpoolsElsewhere(kindsOf(config))) return null;
  return announceSpools(database, [eventSpools.accepted, eventSpools.rows, spool], {
    ...{ node: nodeId, name: hostname(), clock, log: log.child({ room: 'backup' }) },
  });
}

export const BACKUP_PATH = '/control/backup';

/** One line of the answer; the last one is `done` or `failed`. */
export type BackupLine =
  | { readonly progress: BackupProgress }
  | { readonly done: BackupReport }
  | { readonly failed: string };

/** Bytes of a request: a path and a passphrase. */
const MOST_REQUEST_BYTES = 16 * 1024;

/**
 * What the control socket answers besides the API.
 * @returns null: it is a request of the API
 */
export function createBackupControl(backups: Backups, adminToken: string, log: Log) {
  return async (request: Request): Promise<Response | null> => {
    if (new URL(request.url).pathname !== BACKUP_PATH) return null;
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    if (!isToken(request.headers.get('Authorization'), adminToken))
      return new Response(null, { status: 401 });
    const body = await request.text();
    const asked: unknown = body.length > MOST_REQUEST_BYTES ? null : JSON.parse(body);
    if (!isObject(asked) || typeof asked['to'] !== 'string') return new Response(null, { status: 422 });
    const text = (name: string) => (typeof asked[name] === 'string' ? asked[name] : null);
    const wanted = { to: asked['to'], passphrase: text('passphrase'), warehouseTo: text('warehouseTo') };
    return new Response(linesOf(backups, wanted, log), {
      headers: { 'Content-Type': 'application/x-ndjson' },
    });
  };
}

/** A command that goes away ends its backup. */
function linesOf(backups: Backups, request: BackupRequest, log: Log): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      const say = (line: BackupLine) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      const end = () => {
        if (!gone.signal.aborted) controller.close();
      };
      void backups
        .create(request, (progress) => say({ progress }), gone.signal)
        .then(
          (done) => say({ done }),
          (error: unknown) => say({ failed: failureOf(error, log) }),
        )
        .finally(end);
    },
    cancel: () => gone.abort(),
  });
}

function failureOf(error: unknown, log: Log): string {
  if (error instanceof BackupError) return error.message;
  log.error({ err: error }, 'a backup failed');
  return `The backup failed (${error instanceof Error ? error.message : String(error)}). The log of the service says more.`;
}

function isToken(header: string | null, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}
