/** Backups at regular times into one folder, of which the newest are kept. What there is, the names of the files say: nothing else is remembered. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import type { Backups } from './create.ts';
import { backupName } from './manifest.ts';

export interface ScheduleOptions {
  readonly backups: Pick<Backups, 'create'>;
  /** Absolute; made where it is missing. */
  readonly directory: string;
  readonly everyMs: number;
  /** Files that are kept. */
  readonly keep: number;
  readonly passphrase: string;
  readonly warehouseTo: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ScheduleStatus {
  readonly everyMs: number;
  /** Moment of the newest backup in the folder, epoch milliseconds; null: there is none. */
  readonly lastAt: number | null;
  /** Bytes of it. */
  readonly lastBytes: number;
  /** Why the last attempt failed; null: it did not. */
  readonly error: string | null;
  /** Attempts that failed, since the start. */
  readonly failures: number;
}

export interface Schedule {
  status(): ScheduleStatus;
  /** One look: makes a backup when one is due, and removes those beyond the limit. Never throws. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_MS = MINUTE_MS;
/** After a failure, or sooner where backups are made more often. */
const RETRY_MS = HOUR_MS;
const NAME = /^ghostlight-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.tar\.zst$/;

/** Of a backup that is made now. */
export const nameAt = (at: number): string => `${backupName(at)}.tar.zst`;

/** @returns epoch milliseconds; null: no name of ours */
function momentOf(name: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

export function startSchedule({
  backups,
  directory,
  everyMs,
  keep,
  passphrase,
  warehouseTo,
  clock,
  log,
}: ScheduleOptions): Schedule {
  const stopping = new AbortController();
  let last: { readonly at: number; readonly bytes: number } | null = null;
  let error: string | null = null;
  let failures = 0;
  let retryAt = 0;
  let looking: Promise<void> | null = null;

  /** Newest first. */
  const list = async () => {
    const names = await readdir(directory);
    const found = names.flatMap((name) => {
      const at = momentOf(name);
      return at === null ? [] : [{ name, at }];
    });
    return found.sort((a, b) => b.at - a.at);
  };
  const note = async () => {
    const [newest] = await list();
    last =
      newest === undefined ? null : { at: newest.at, bytes: (await stat(join(directory, newest.name))).size };
  };
  /** What a killed process has left of one that was not whole. */
  const removeHalves = async () => {
    for (const name of await readdir(directory))
      if (/\.partial$/.test(name) && momentOf(name.slice(0, -'.partial'.length)) !== null)
        await rm(join(directory, name), { force: true });
  };

  const make = async (): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await note();
    const now = clock();
    if (now < retryAt || (last !== null && now - last.at < everyMs)) return;
    await removeHalves();
    const to = join(directory, nameAt(now));
    await backups.create({ to, passphrase, warehouseTo }, () => undefined, stopping.signal);
    error = null;
    retryAt = 0;
    for (const { name } of (await list()).slice(keep)) await rm(join(directory, name), { force: true });
    await note();
  };

  const look = (): Promise<void> => {
    looking ??= make()
      .catch((thrown: unknown) => {
        if (stopping.signal.aborted) return;
        failures += 1;
        error = thrown instanceof Error ? thrown.message : String(thrown);
        retryAt = clock() + Math.min(RETRY_MS, everyMs);
        log.error({ err: thrown, retryAt: new Date(retryAt).toISOString() }, 'a scheduled backup failed');
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();

  return {
    status: () => ({ everyMs, lastAt: last?.at ?? null, lastBytes: last?.bytes ?? 0, error, failures }),
    look,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
    },
  };
}
