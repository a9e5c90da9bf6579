/** How many files and sockets this process may open, looked at before anything is opened: later every store would be blamed in its turn. */
import { readFileSync } from 'node:fs';
import { type Log, StartError } from './common/index.ts';

/** Stores, threads, the warehouse child and a few connections. */
const NEEDED = 256;
/** The listener takes 10,000 connections; below this, a busy day comes near the limit. */
const ADVISED = 4_096;
const HOW = 'Allow more with `ulimit -n 65536`, or LimitNOFILE= of the systemd unit.';

/** The limit of this process; null where the system does not tell (macOS, where Node raises it by itself). */
export function openFilesLimit(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/** @throws StartError when the service could not even open its stores */
export function checkOpenFiles(log: Log, limit = openFilesLimit()): void {
  if (limit === null || limit >= ADVISED) return;
  if (limit < NEEDED)
    throw new StartError(`This process may open ${limit} files; Ghostlight needs at least ${NEEDED}. ${HOW}`);
  log.warn({ limit }, `this process may open few files and connections. ${HOW}`);
}
