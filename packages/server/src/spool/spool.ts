/**
 * The spool: what is acknowledged is on disk until the warehouse has it on its own. The place is a `SpoolStore` (`port.ts`); `file/` keeps it on
 * this node's disk.
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
 * over without a copy, and stored as they are: one row per chunk, not per hit.
 *
 * How it ships: `shipper.ts` asks for a batch, inserts, and lets it be forgotten in the transaction that counts it as stored. Each call of the
 * store is a bounded piece of work, so that neither shipping nor an upload holds up single hits.
 *
 * How it recovers: opening the store deletes what was staged and not committed; batches that were begun are asked about. Uploads that were
 * staged before the store broke are refused.
 *
 * What bounds it: `maxBytes` of what the store uses (above it `accepting()` is false until a tenth is free again, and uploads are refused),
 * 64 MiB of requests that wait for their commit, 1 MiB of an upload in memory, and deduplication keys that are forgotten early when
 * nothing else fills the spool.
 */
import type { Clock, Log } from '../common/index.ts';
import { countersOf, pendingOf, sumOf } from './counters.ts';
import { SpoolWriteError } from './errors.ts';
import { GroupCommit, WAITING_CHARACTERS } from './groups.ts';
import { Health } from './health.ts';
import { checkAddsUp, checkRows } from './pack.ts';
import type { Gauges, RecordedUpload, Reporter, SpoolStore } from './port.ts';
import type { StoredQuarantine } from './quarantine.ts';
import { type Shipper, type ShipperOptions, startShipper } from './shipper.ts';
import { startTidying } from './tidying.ts';
import type {
  BatchSink,
  Closure,
  Damage,
  Durability,
  Endpoint,
  SpoolEntry,
  SpoolReceipt,
  SpoolSnapshot,
  SpoolStats,
  SpoolUpload,
} from './types.ts';
import { createUpload } from './upload.ts';

const MOST_DAMAGES = 20;

export interface SpoolDependencies {
  readonly kind: Closure['store'];
  /** Where it is, for messages: the path of its file; host and database of its server. */
  readonly place: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the backend, which tells of itself from then on. */
  readonly openStore: (health: Health, report: Reporter) => Promise<SpoolStore>;
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
  /** Where a row is when it is acknowledged. */
  readonly durability: Durability;
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
  /** What it holds now, for a backup. Pause its shipper first. Null: it is in tables of a server. */
  snapshot(): Promise<SpoolSnapshot | null>;
  /** Takes nothing more, finishes what was begun, closes the file. Stop the shipper first. */
  close(): Promise<void>;
}

/** The spool over a backend. @throws SpoolOpenError */
export async function createSpool({
  kind: backend,
  place,
  maxBytes,
  clock,
  log,
  openStore,
}: SpoolDependencies): Promise<Spool> {
  const counters = new Map<string, number>();
  let others: ReadonlyMap<string, number> = new Map();
  const health = new Health(maxBytes);
  const damages: Damage[] = [];
  let gauges: Gauges = { bytes: 0, oldestAt: null };
  let closed = false;
  let nextUpload = 1;
  const rowsListeners = new Set<() => void>();
  const rowsCame = () => {
    for (const listener of rowsListeners) listener();
  };

  const store = await openStore(health, (report) => {
    for (const [name, value] of report.counters) counters.set(name, value);
    if (report.others !== undefined) others = new Map(report.others);
    if (report.known !== undefined) damages.splice(0, damages.length, ...report.known);
    for (const damage of report.damages ?? []) {
      damages.push(damage);
      // Which spool it is, its log says of every line.
      const { spool: _spool, ...facts } = damage;
      log.error(facts, 'the spool was damaged');
    }
    damages.splice(0, damages.length - MOST_DAMAGES);
    if (report.gauges === null) return;
    gauges = report.gauges;
    health.measured(gauges.bytes);
  });
  const groups = new GroupCommit(store, clock, rowsCame);

  const stats = (): SpoolStats => {
    const parsed = countersOf(counters);
    const all = others.size === 0 ? parsed : countersOf(sumOf([counters, others]));
    return {
      bytes: gauges.bytes,
      maxBytes,
      // The others' counts are some moments old: what they kept and this node stored must not make it negative.
      pendingRows: Math.max(0, pendingOf(all)),
      oldestSeconds: gauges.oldestAt === null ? 0 : Math.max(0, (clock() - gauges.oldestAt) / 1_000),
      counters: parsed,
      all,
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
  const stopTidying = startTidying({ store, clock, log, health, stats });

  return {
    durability: store.durability,
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
        store: store.forUpload(),
        clock,
        checkRoom: () => {
          if (health.full) throw new SpoolWriteError('it is full');
        },
        onCommitted: rowsCame,
      }),
    accepting: () => closureKind() === null,
    closure() {
      const kind = closureKind();
      return kind === null
        ? null
        : { store: backend, kind, path: place, said: health.failing, bytes: gauges.bytes, maxBytes };
    },
    stats,
    uncollectedQuarantine: (limit) => store.quarantined(limit),
    removeQuarantine: (ids) => store.removeQuarantine(ids),
    scrub: (texts) => store.scrub(texts),
    snapshot: () => store.snapshot(),
    recordedUploads: () => store.recordedUploads(clock()),
    startShipper(sink, shipping = {}) {
      const onRows = (wake: () => void) => {
        rowsListeners.add(wake);
        return () => rowsListeners.delete(wake);
      };
      return startShipper({ store, sink, clock, log, onRows, ...shipping });
    },
    async close() {
      closed = true;
      stopTidying();
      await groups.settled();
      await store.close();
    },
  };
}
