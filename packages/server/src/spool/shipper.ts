/**
 * Moves batches from the spool into the warehouse, one at a time: take one (its id is durable before it is handed out), insert, delete.
 *
 * The spool's table is the only list of what is under way. After any failure (a broken connection, a lost thread, a crash) the loop starts
 * over and is handed the oldest batch that was begun; because it was begun, the warehouse is asked how many of its rows it has before it is
 * inserted again, under a new attempt number. A refused batch is halved there, and its halves come back the same way.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, type Log, UnstorableError } from '../common/index.ts';
import { BATCH_BYTES, type OutgoingStore, type TakenBatch } from './port.ts';
import type { Batch, BatchSink } from './types.ts';
import { Waiter } from './waiter.ts';

export interface ShipperOptions {
  /** Pause between inserts while no more waits than one can have, so that the engine gets few, larger parts; milliseconds. */
  readonly gatherMs: number;
  /** The same under load, where larger parts save the engine merges; `gatherMs` unless it is given. */
  readonly loadedGatherMs: number;
  /** Of one batch. The engine likes few, large parts: one that is four times as large costs it half as much for a row. */
  readonly batchBytes: number;
  /** First and longest pause after a failure; each is doubled and jittered. */
  readonly backoffMs: { readonly first: number; readonly longest: number };
  /** How often a batch that is stored in part is asked about again; milliseconds. */
  readonly askAgainMs: number;
}

export interface ShipperState {
  readonly lastError: string | null;
  /** Failures in a row. */
  readonly failures: number;
  /** The pause under way after a failure, milliseconds; 0 when there is none. */
  readonly backoffMs: number;
  /** Batches that the warehouse holds in part: a fault that no retry can fix, and that others must not wait for. */
  readonly parked: number;
}

export interface Shipper {
  /** Ships without waiting for company until nothing is left. @returns whether that was reached in time */
  drain(timeoutMs: number): Promise<boolean>;
  state(): ShipperState;
  /**
   * Takes no batch until it is resumed. Resolves when none is under way any more.
   * @returns resumes it @throws when one is still under way after that time; it goes on then
   */
  pause(timeoutMs: number): Promise<() => void>;
  /** Ends after the insert under way. What is not shipped stays in the spool. */
  stop(): Promise<void>;
}

interface Dependencies extends Partial<ShipperOptions> {
  readonly store: OutgoingStore;
  readonly sink: BatchSink;
  readonly clock: Clock;
  readonly log: Log;
  /** Registers what is to be called when rows were added. @returns takes it back */
  readonly onRows: (wake: () => void) => () => void;
}

const IDLE_POLL_MS = 1_000;
/** The first row after a silence waits this long for company at most: Live is to show it soon. */
const FIRST_GATHER_MS = 40;
/** So much in one batch is load: within a pause of 220 ms, some 2,500 hits a second. */
const LOADED_BYTES = 256 * 1024;
/** Shipped since the log was last given back to the file system. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;

export function startShipper({ store, sink, clock, log, onRows, ...given }: Dependencies): Shipper {
  const gatherMs = given.gatherMs ?? 220;
  const loadedGatherMs = given.loadedGatherMs ?? gatherMs;
  const batchBytes = given.batchBytes ?? BATCH_BYTES;
  const backoff = given.backoffMs ?? { first: 200, longest: 30_000 };
  const askAgainMs = given.askAgainMs ?? MINUTE_MS;
  const waiter = new Waiter();
  const drains = new Set<() => void>();
  const parked = new Map<string, number>();
  let failures = 0;
  let lastError: string | null = null;
  let pausing = 0;
  let rowsCame = false;
  let shippedBytes = 0;
  /** How many keep it from taking a batch. */
  let pauses = 0;
  let underWay = false;
  const quiet = new Set<() => void>();
  const forget = onRows(() => {
    rowsCame = true;
    waiter.wake('rows');
  });

  /**
   * Of a batch whose node was down, rows may have been deleted from the warehouse before it is asked about: with their property, with their
   * visitor, or because of their age. @returns whether each missing row is of those
   */
  const isRestDeleted = async (batch: Batch): Promise<boolean> => {
    const missing = await sink.missing?.(batch);
    if (missing === undefined) return false;
    const gone = new Set(await sink.duplicates?.(batch)).union(new Set(await sink.outlived?.(batch)));
    return missing.every((line) => gone.has(line));
  };

  /**
   * Damage to the spool may have taken rows of a batch after it was stored; they were counted as lost then.
   * @returns how many are stored; 0: none, or that is not certain
   */
  const foundAgain = async (batch: Batch): Promise<number> => {
    const distinct = await sink.distinct?.(batch);
    const missing = await sink.missing?.(batch);
    // All that is here is stored, and other rows under an id that only this batch ever had: they were part of it.
    return distinct === undefined || missing === undefined || missing.length > 0
      ? 0
      : Math.max(0, distinct - batch.rows);
  };

  /** Asks the warehouse about a batch that was begun before. @returns whether there is nothing more to do with it now */
  const settled = async (batch: Batch): Promise<boolean> => {
    const { id, month, rows } = batch;
    const stored = await sink.count({ id, month });
    if (stored === 0) return false;
    if (stored >= rows) {
      const found = stored > rows ? await foundAgain(batch) : 0;
      if (found > 0)
        log.warn({ batch: id, rows, stored, found }, 'rows that were counted as lost are in the warehouse');
      if (stored > rows + found)
        log.error({ batch: id, rows, stored }, 'a batch is stored with too many rows');
      await store.finishBatch(id, found);
      return true;
    }
    // One insert makes one part, whole or not at all: some rows are there, so all were.
    if (await isRestDeleted(batch)) {
      log.info({ batch: id, rows, stored }, 'a batch was stored, and some of its rows were deleted since');
      await store.finishBatch(id);
      return true;
    }
    // Inserting again would double rows, forgetting would lose some.
    parked.set(id, performance.now() + askAgainMs);
    log.error({ batch: id, rows, stored }, 'a batch is stored in part; it stays in the spool');
    return true;
  };

  /**
   * The warehouse may have taken the insert for one that it had before, and lost those rows since: then it knows the attempt and not the rows.
   * @returns the pause after it, milliseconds
   */
  const confirmed = async (batch: Batch): Promise<number> => {
    if (await settled(batch)) return gatherMs;
    const again = await store.retryBatch(batch.id);
    if (again === null) return gatherMs;
    await sink.insert(again);
    await store.finishBatch(again.id);
    return gatherMs;
  };

  const checkHolds = (): void => {
    if (!store.holds()) throw new Error('the lease could not be renewed');
  };

  /** @returns the pause after it, milliseconds */
  const ship = async ({ batch: taken, doubtful, more }: TakenBatch): Promise<number> => {
    let batch = taken;
    const asks = doubtful && sink.repeatable !== true;
    if (asks) {
      if (await settled(batch)) return gatherMs;
      // Where another node may have begun it and go on any moment, only the same attempt makes the two inserts one.
      if (!store.shared) {
        const again = await store.retryBatch(batch.id);
        if (again === null) return gatherMs;
        batch = again;
      }
    }
    const known = (await sink.duplicates?.(batch)) ?? [];
    if (known.length > 0) {
      const rest = await store.leaveOut(batch.id, known);
      if (rest === null) return gatherMs;
      batch = rest;
    }
    // Between the claim and here this process may have stood still for long.
    checkHolds();
    try {
      await sink.insert(batch);
      if (asks && store.shared) return await confirmed(batch);
    } catch (error) {
      if (!(error instanceof UnstorableError)) throw error;
      await store.splitBatch(batch.id, error.message, clock());
      if (batch.rows === 1)
        log.warn({ batch: batch.id, reason: error.message }, 'a row that can’t be stored went to quarantine');
      return 0;
    }
    const bytes = batch.body.length;
    await store.finishBatch(batch.id);
    shippedBytes += bytes;
    if (more) return 0;
    return bytes < LOADED_BYTES ? gatherMs : loadedGatherMs;
  };

  const idle = async (): Promise<void> => {
    if (drains.size > 0 || shippedBytes > CHECKPOINT_BYTES) {
      shippedBytes = 0;
      await store.checkpoint();
    }
    if (parked.size === 0 && !rowsCame) for (const done of drains) done();
    if (!rowsCame) await waiter.wait(IDLE_POLL_MS, 'rows');
    if (rowsCame && drains.size === 0) await waiter.wait(Math.min(gatherMs, FIRST_GATHER_MS), 'drain');
  };

  const failed = async (error: unknown): Promise<void> => {
    failures += 1;
    lastError = error instanceof Error ? error.message : String(error);
    const longest = Math.min(backoff.longest, backoff.first * 2 ** Math.min(failures - 1, 20));
    pausing = Math.round(longest * (0.5 + Math.random() / 2));
    log.warn(
      { err: error, failures, waitMs: pausing },
      'a batch could not be shipped; its rows wait in the spool',
    );
    await waiter.wait(pausing, 'stop');
    pausing = 0;
  };

  const working = async <T>(work: () => Promise<T>): Promise<T> => {
    underWay = true;
    try {
      return await work();
    } finally {
      underWay = false;
      for (const heard of quiet) heard();
    }
  };

  const run = async (): Promise<void> => {
    while (!waiter.stopped) {
      if (pauses > 0) {
        await waiter.wait(IDLE_POLL_MS, 'drain');
        continue;
      }
      try {
        for (const [id, at] of parked) if (performance.now() >= at) parked.delete(id);
        rowsCame = false;
        // A claim that can't be renewed would only keep the batch from the others.
        checkHolds();
        const pauseMs = await working(async () => {
          const taken = await store.takeBatch([...parked.keys()], batchBytes);
          return taken === null ? null : await ship(taken);
        });
        if (pauseMs === null) {
          await idle();
          continue;
        }
        if (failures > 0) log.info({ failures }, 'batches are shipped again');
        failures = 0;
        lastError = null;
        if (pauseMs > 0 && drains.size === 0) await waiter.wait(pauseMs, 'drain');
      } catch (error) {
        if (!waiter.stopped) await failed(error);
      }
    }
  };
  const running = run();

  return {
    async drain(timeoutMs) {
      let done: () => void = () => {};
      let timer: NodeJS.Timeout | undefined;
      const reached = await new Promise<boolean>((resolve) => {
        done = () => resolve(true);
        timer = setTimeout(() => resolve(false), timeoutMs);
        drains.add(done);
        waiter.onStop(() => resolve(false));
        waiter.wake('drain');
      });
      clearTimeout(timer);
      drains.delete(done);
      return reached;
    },
    state: () => ({ lastError, failures, backoffMs: pausing, parked: parked.size }),
    async pause(timeoutMs) {
      pauses += 1;
      let resumed = false;
      const resume = () => {
        if (resumed) return;
        resumed = true;
        pauses -= 1;
        waiter.wake('drain');
      };
      if (!underWay) return resume;
      let heard: () => void = () => {};
      let timer: NodeJS.Timeout | undefined;
      const isQuiet = await new Promise<boolean>((resolve) => {
        heard = () => resolve(true);
        quiet.add(heard);
        timer = setTimeout(() => resolve(false), timeoutMs);
      });
      clearTimeout(timer);
      quiet.delete(heard);
      if (isQuiet) return resume;
      resume();
      throw new Error(`A batch is still on its way to its store after ${timeoutMs / 1_000} s.`);
    },
    async stop() {
      forget();
      waiter.stop();
      await running;
    },
  };
}
