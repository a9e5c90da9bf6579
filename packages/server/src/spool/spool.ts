/**
 * The spool: what is acknowledged is on this disk until the warehouse has it on its own.
 *
 * Promises
 * - `append` resolves after the COMMIT whose fsync put the rows, their counts and what was quarantined on disk, all or nothing.
 * - A row leaves after the warehouse has confirmed its batch. A batch has a random id, durable before its first insert; after a crash or a
 *   doubtful answer the warehouse is asked how many rows of that id it has, before anything is inserted again.
 * - Rows with the same deduplication key within 48 h are one row; an upload takes effect whole or not at all.
 * - `received = kept + dropped + rejected + duplicate` holds after every transaction; `kept = stored + unstorable` after the drain.
 *
 * How it is fast: while one group of requests is being committed, the next one gathers (natural group commit: one fsync for as many requests
 * as came meanwhile). A group's rows are packed into a few chunks of JSONEachRow bytes, handed to the worker thread without a copy,
 * and stored as they are: SQLite sees one row per chunk, not per hit.
 *
 * What bounds it: `maxBytes` of used pages and log (above it `accepting()` is false until a tenth is free again), the callers' own limits
 * on bodies, and one group under way at a time.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../kit/index.ts';
import { countersOf } from './counters.ts';
import { checkAddsUp, packGroup } from './pack.ts';
import type { StoredQuarantine } from './quarantine.ts';
import { type RemoteStore, startRemoteStore } from './remote.ts';
import { type Shipper, type ShipperOptions, startShipper } from './shipper.ts';
import type { RecordedUpload } from './store.ts';
import type { BatchSink, Source, SpoolEntry, SpoolReceipt, SpoolStats, SpoolUpload } from './types.ts';
import { createUpload } from './upload.ts';
import type { Reply } from './worker.ts';

export interface SpoolOptions {
  /** Made when absent. */
  readonly directory: string;
  /** File name without ending: hits and events have a file, and so a cap, of their own. */
  readonly name?: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** For tests: a real "disk full" at this many pages. */
  readonly maxPages?: number;
}

export interface Spool {
  /** @throws SpoolWriteError when the disk refuses; nothing was taken then. @throws RangeError when the entry does not add up */
  append(entry: SpoolEntry): Promise<SpoolReceipt>;
  openUpload(endpoint: Source): SpoolUpload;
  /** False: answer 503 before reading a body. */
  accepting(): boolean;
  /** Cheap; as of the last transaction. */
  stats(): SpoolStats;
  /** Oldest first. */
  uncollectedQuarantine(limit: number): Promise<StoredQuarantine[]>;
  removeQuarantine(ids: readonly string[]): Promise<void>;
  /** Digests of uploads that took effect here within 48 h, for the claims that nodes share. */
  recordedUploads(): Promise<RecordedUpload[]>;
  startShipper(sink: BatchSink, options?: Partial<ShipperOptions>): Shipper;
  /** Takes nothing more, finishes what was begun, closes the file. Stop the shipper first. */
  close(): Promise<void>;
}

/** After a full spool, intake opens again below this share: else it would flicker at the edge. */
const REOPEN_SHARE = 0.9;
const PROBE_MS = 1_000;
const TIDY_MS = 60_000;

interface Pending {
  readonly entry: SpoolEntry;
  readonly resolve: (receipt: SpoolReceipt) => void;
  readonly reject: (error: unknown) => void;
}

export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { clock, log, maxBytes } = options;
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const file = join(options.directory, `${options.name ?? 'hits'}.spool`);

  const counters = new Map<string, number>();
  let gauges: Reply['gauges'] = { bytes: 0, oldestAt: null };
  let failing: string | null = null;
  let full = false;
  let closed = false;
  let nextUpload = 1;
  let pending: Pending[] = [];
  let committing: Promise<void> | null = null;
  const rowsAdded = new Set<() => void>();

  const onReply = (reply: Reply) => {
    for (const [name, value] of reply.counters) counters.set(name, value);
    gauges = reply.gauges;
    full = gauges.bytes > (full ? maxBytes * REOPEN_SHARE : maxBytes);
  };
  const open = (): Promise<RemoteStore> =>
    startRemoteStore(
      { file, ...(options.maxPages === undefined ? {} : { maxPages: options.maxPages }) },
      onReply,
      (error) => {
        log.error({ err: error }, 'the spool thread died; opening the file again');
        failing = error.message;
        store = reopen();
      },
    );
  const reopen = async (): Promise<RemoteStore> => {
    for (;;) {
      try {
        const opened = await open();
        failing = null;
        return opened;
      } catch (error) {
        failing = String(error);
        await new Promise((resolve) => setTimeout(resolve, PROBE_MS).unref());
      }
    }
  };
  let store: Promise<RemoteStore> = Promise.resolve(await open());

  /** Runs a call and keeps the picture of the disk's health. */
  const call: RemoteStore['call'] = async (method, args, transfer) => {
    try {
      const result = await (await store).call(method, args, transfer);
      failing = null;
      return result;
    } catch (error) {
      if (!closed) failing = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };

  /** Commits what has gathered, again and again until nothing gathers any more. */
  const commitGroups = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      try {
        const { transfer, ...packed } = packGroup(group.map(({ entry }) => entry));
        const conflicts = await call('append', [{ ...packed, at: clock() }], transfer);
        const duplicates = new Map<number, number>();
        for (const { entry } of conflicts) duplicates.set(entry, (duplicates.get(entry) ?? 0) + 1);
        group.forEach(({ entry, resolve }, index) => {
          const duplicate = duplicates.get(index) ?? 0;
          resolve({ kept: entry.rows.length - duplicate, duplicate });
        });
        for (const wake of rowsAdded) wake();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    committing = null;
  };

  const tidy = setInterval(() => {
    const again = (more: boolean): Promise<void> | undefined =>
      more ? call('tidy', [clock()]).then(again) : undefined;
    void call('tidy', [clock()])
      .then(again)
      .catch((error: unknown) => log.warn({ err: error }, 'the spool could not be tidied'));
  }, TIDY_MS).unref();
  const probe = setInterval(() => {
    if (failing !== null) void call('probe', []).catch(() => {});
  }, PROBE_MS).unref();

  return {
    append(entry) {
      checkAddsUp(entry, entry.rows.length);
      return new Promise((resolve, reject) => {
        pending.push({ entry, resolve, reject });
        // Let every request of this turn of the event loop join the group.
        committing ??= Promise.resolve().then(commitGroups);
      });
    },
    openUpload: (endpoint) =>
      createUpload(endpoint, nextUpload++, call, clock, () => {
        for (const wake of rowsAdded) wake();
      }),
    accepting: () => !closed && !full && failing === null,
    stats() {
      const parsed = countersOf(counters);
      const kept = [...parsed.kept.values()]
        .flatMap((labels) => [...labels.values()])
        .reduce((sum, count) => sum + count, 0);
      return {
        bytes: gauges.bytes,
        maxBytes,
        pendingRows: kept - parsed.stored - parsed.unstorable,
        oldestSeconds: gauges.oldestAt === null ? 0 : Math.max(0, (clock() - gauges.oldestAt) / 1_000),
        counters: parsed,
        failing,
      };
    },
    uncollectedQuarantine: (limit) => call('quarantined', [limit]),
    removeQuarantine: (ids) => call('removeQuarantine', [ids]),
    recordedUploads: () => call('recordedUploads', []),
    startShipper: (sink, shipping = {}) =>
      startShipper({ call, sink, clock, log, onRows: (wake) => rowsAdded.add(wake), ...shipping }),
    async close() {
      closed = true;
      clearInterval(tidy);
      clearInterval(probe);
      while (committing !== null) await committing;
      await (await store).close();
    },
  };
}
