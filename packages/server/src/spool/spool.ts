/**
 * The spool: what is acknowledged is on this disk until the warehouse has it on its own.
 *
 * Promises
 * - `append` resolves after the COMMIT whose fsync put the rows, their counts and what was quarantined on disk, all or nothing.
 * - A row leaves after the warehouse has confirmed its batch. A batch has a random id, durable before its first insert; after a crash or a
 *   doubtful answer the warehouse is asked how many rows of that id it has, before anything is inserted again.
 * - Rows with the same deduplication key within 48 h are one row; an upload takes effect whole or not at all.
 * - `received = kept + dropped + rejected + duplicate` holds after every transaction; `kept = stored + unstorable + late duplicates + lost` after
 *   the drain. Late duplicates are there only where several nodes share a warehouse (docs/decisions/0005); lost is what damage to the disk
 *   has destroyed, and is reported (docs/decisions/0013).
 *
 * How it is fast: natural group commit (`groups.ts`). A group's rows are packed into a few chunks of JSONEachRow bytes (`pack.ts`), handed
 * to the worker thread without a copy, and stored as they are: SQLite sees one row per chunk, not per hit (`file.ts`, `intake.ts`).
 *
 * How it ships: `shipper.ts` asks for a batch (`outgoing.ts`), inserts, and lets it be forgotten in the transaction that counts it as stored.
 * The worker answers one message after the other, each with a bounded piece of work and no cursor left open, so that neither shipping nor
 * an upload holds up single hits, and the log can always be written back.
 *
 * How it recovers: opening the file deletes what was staged and not committed; batches that were begun are asked about. A thread that dies is
 * started again (`link.ts`); uploads that it had staged are refused. A file has one owner: a second one gets the error that it is locked.
 *
 * What bounds it: `maxBytes` of used pages and log (above it `accepting()` is false until a tenth is free again, and uploads are refused),
 * 64 MiB of requests that wait for their commit, 1 MiB of an upload in memory, and deduplication keys that are forgotten early when
 * nothing else fills the spool.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../common/index.ts';
import { countersOf } from './counters.ts';
import { SpoolWriteError } from './errors.ts';
import { GroupCommit, WAITING_CHARACTERS } from './groups.ts';
import { Health } from './health.ts';
import type { Damage } from './integrity/aside.ts';
import { openLink } from './link.ts';
import type { Gauges } from './messages.ts';
import { checkAddsUp, checkRows } from './pack.ts';
import type { StoredQuarantine } from './quarantine.ts';
import { type Shipper, type ShipperOptions, startShipper } from './shipper.ts';
import type { RecordedUpload } from './store.ts';
import { startTidying } from './tidying.ts';
import type {
  BatchSink,
  Closure,
  Endpoint,
  SpoolEntry,
  SpoolReceipt,
  SpoolStats,
  SpoolUpload,
} from './types.ts';
import { createUpload } from './upload.ts';

const MOST_DAMAGES = 20;

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
  /** Default true. False: what was taken is on disk only after `close`; for data that can be rebuilt. */
  readonly durable?: boolean;
  /** Default false. True: what leaves the file is overwritten with zeros; for what tells of persons. */
  readonly secureDelete?: boolean;
}

export interface Spool {
  /**
   * @throws SpoolWriteError when the disk refuses; nothing was taken then, unless it broke in the midst of the commit itself
   * @throws RangeError, TypeError at once when the entry does not add up, or a row is not one line with an object
   */
  append(entry: SpoolEntry): Promise<SpoolReceipt>;
  openUpload(endpoint: Endpoint): SpoolUpload;
  /** False: answer 503 before reading a body. */
  accepting(): boolean;
  /** Why it isn't `accepting`; null when it is. */
  closure(): Closure | null;
  /** Cheap; as of the last transaction. */
  stats(): SpoolStats;
  /** Oldest first. */
  uncollectedQuarantine(limit: number): Promise<StoredQuarantine[]>;
  removeQuarantine(ids: readonly string[]): Promise<void>;
  /** Digests of uploads that took effect here within 48 h, for the claims that nodes share. */
  recordedUploads(): Promise<RecordedUpload[]>;
  startShipper(sink: BatchSink, options?: Partial<ShipperOptions>): Shipper;
  /** Removes everything else than rows that contains these texts, and releases the log: see `upkeep.ts`. */
  scrub(texts: readonly string[]): Promise<void>;
  /** Takes nothing more, finishes what was begun, closes the file. Stop the shipper first. */
  close(): Promise<void>;
}

export async function openSpool({ clock, log, maxBytes, ...options }: SpoolOptions): Promise<Spool> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const file = join(options.directory, `${options.name ?? 'hits'}.spool`);
  const counters = new Map<string, number>();
  const health = new Health(maxBytes);
  const damages: Damage[] = [];
  let gauges: Gauges = { bytes: 0, oldestAt: null };
  let closed = false;
  let nextUpload = 1;
  const rowsListeners = new Set<() => void>();
  const rowsCame = () => {
    for (const listener of rowsListeners) listener();
  };

  const { maxPages, durable = true, secureDelete = false } = options;
  const link = await openLink({ file, maxBytes, maxPages, durable, secureDelete }, health, log, (reply) => {
    for (const [name, value] of reply.counters) counters.set(name, value);
    if (reply.known !== undefined) damages.splice(0, damages.length, ...reply.known);
    for (const damage of reply.damages ?? []) {
      damages.push(damage);
      // Which spool it is, its log says of every line.
      const { spool: _spool, ...facts } = damage;
      log.error(facts, 'the spool’s files were damaged');
    }
    damages.splice(0, damages.length - MOST_DAMAGES);
    if (reply.gauges === null) return;
    gauges = reply.gauges;
    health.measured(gauges.bytes);
  });
  const groups = new GroupCommit(link.call, clock, rowsCame);

  const stats = (): SpoolStats => {
    const parsed = countersOf(counters);
    const kept = [...parsed.kept.values()]
      .flatMap((labels) => [...labels.values()])
      .reduce((sum, count) => sum + count, 0);
    return {
      bytes: gauges.bytes,
      maxBytes,
      pendingRows: kept - parsed.stored - parsed.unstorable - parsed.lateDuplicate - parsed.lost,
      oldestSeconds: gauges.oldestAt === null ? 0 : Math.max(0, (clock() - gauges.oldestAt) / 1_000),
      counters: parsed,
      failing: health.failing,
      damages: [...damages],
    };
  };
  const closureKind = (): Closure['kind'] | null => {
    if (closed) return 'closed';
    if (health.failing !== null) return 'disk';
    if (health.full) return 'full';
    return groups.waiting < WAITING_CHARACTERS ? null : 'busy';
  };
  const stopTidying = startTidying({ call: link.call, clock, log, health, stats });

  return {
    append(entry) {
      checkAddsUp(entry, entry.rows.length);
      const characters = checkRows(entry.rows);
      if (closed) return Promise.reject(new SpoolWriteError('it is closed'));
      return groups.append(entry, characters);
    },
    openUpload: (endpoint) =>
      createUpload({
        endpoint,
        id: nextUpload++,
        call: link.bound(),
        clock,
        checkRoom: () => {
          if (health.full) throw new SpoolWriteError('it is full');
        },
        onCommitted: rowsCame,
      }),
    accepting: () => closureKind() === null,
    closure() {
      const kind = closureKind();
      return kind === null ? null : { kind, path: file, said: health.failing, bytes: gauges.bytes, maxBytes };
    },
    stats,
    uncollectedQuarantine: (limit) => link.call('quarantined', [limit]),
    removeQuarantine: (ids) => link.call('removeQuarantine', [ids]),
    scrub: (texts) => link.call('scrub', [texts]),
    recordedUploads: () => link.call('recordedUploads', [clock()]),
    startShipper(sink, shipping = {}) {
      const onRows = (wake: () => void) => {
        rowsListeners.add(wake);
        return () => rowsListeners.delete(wake);
      };
      return startShipper({ call: link.call, sink, clock, log, onRows, ...shipping });
    },
    async close() {
      closed = true;
      stopTidying();
      await groups.settled();
      await link.close();
    },
  };
}
