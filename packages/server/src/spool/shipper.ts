/**
 * Moves batches from the spool into the warehouse: take one (its id is durable before anybody sees it), insert, forget. Whatever is in doubt
 * (a crash, a timeout, a broken connection) is settled by asking how many rows of that batch the warehouse has.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Log, UnstorableError } from '../kit/index.ts';
import type { RemoteStore } from './remote.ts';
import type { Batch, BatchSink } from './types.ts';

export interface ShipperOptions {
  /** Rows wait this long for company before they are shipped, so that the engine gets few, larger parts; milliseconds. */
  readonly gatherMs: number;
  /** First and longest pause after a failure; each is doubled and jittered. */
  readonly backoffMs: { readonly first: number; readonly longest: number };
}

export interface ShipperState {
  readonly lastError: string | null;
  /** Failures in a row. */
  readonly failures: number;
}

export interface Shipper {
  /** Ships without waiting for company until nothing is left. @returns whether that was reached in time */
  drain(timeoutMs: number): Promise<boolean>;
  state(): ShipperState;
  /** Ends after the insert under way. What is not shipped stays in the spool. */
  stop(): Promise<void>;
}

interface Dependencies extends Partial<ShipperOptions> {
  readonly call: RemoteStore['call'];
  readonly sink: BatchSink;
  readonly clock: Clock;
  readonly log: Log;
  /** Registers what is to be called when rows were added. */
  readonly onRows: (wake: () => void) => void;
}

/** Failures of the same batch with a wrong row count are told this often at most. */
const IDLE_POLL_MS = 1_000;

export function startShipper({ call, sink, log, onRows, ...given }: Dependencies): Shipper {
  const gatherMs = given.gatherMs ?? 150;
  const backoffMs = given.backoffMs ?? { first: 200, longest: 30_000 };
  const stopping = new AbortController();
  let wake: () => void = () => {};
  let hurry = false;
  let failures = 0;
  let lastError: string | null = null;
  const drained = new Set<() => void>();
  onRows(() => wake());

  /** Waits, but not longer than until something happens. */
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      stopping.signal.addEventListener('abort', wake, { once: true });
    });

  /** Runs one step until it succeeds, pausing longer after each failure. */
  const persistently = async (step: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await step();
        if (failures > 0) log.info({ failures }, 'the warehouse takes hits again');
        failures = 0;
        lastError = null;
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        lastError = error instanceof Error ? error.message : String(error);
        const wait =
          Math.min(backoffMs.longest, backoffMs.first * 2 ** Math.min(failures - 1, 20)) *
          (0.75 + Math.random() / 2);
        log.warn(
          { err: error, failures, waitMs: Math.round(wait) },
          'the warehouse did not take a batch; hits wait in the spool',
        );
        await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
      }
    }
  };

  /** Inserts a batch that certainly is not there yet. */
  const insert = async (batch: Batch): Promise<void> => {
    try {
      await sink.insert(batch);
    } catch (error) {
      if (!(error instanceof UnstorableError)) throw error;
      const halves = await call('splitBatch', [batch.id, error.message, Date.now()]);
      if (batch.rows === 1)
        log.warn(
          { batch: batch.id, reason: error.message },
          'a hit that the warehouse can’t take went to quarantine',
        );
      for (const half of halves) await shipUnfinished(half, false);
      return;
    }
    await call('finishBatch', [batch.id]);
  };

  /** Settles a batch that may or may not be there. */
  const settle = async (id: string): Promise<void> => {
    const batch = await call('readBatch', [id]);
    if (batch === null) return;
    const stored = await sink.count(batch);
    if (stored === batch.rows) {
      await call('finishBatch', [id]);
      return;
    }
    if (stored > 0) {
      // One insert makes one part, whole or not at all; anything else is a fault that must not be made worse by inserting again.
      throw new Error(`the warehouse has ${stored} of ${batch.rows} rows of batch ${id}`);
    }
    const again = await call('retryBatch', [id]);
    if (again !== null) await insert(again);
  };

  /** @param doubtful whether an insert of it may already have happened */
  const shipUnfinished = (id: string, doubtful: boolean): Promise<void> => {
    let doubt = doubtful;
    return persistently(async () => {
      if (doubt) return await settle(id);
      doubt = true;
      const batch = await call('readBatch', [id]);
      if (batch !== null) await insert(batch);
    });
  };

  const run = async (): Promise<void> => {
    await persistently(async () => {
      for (const id of await call('unfinished', [])) await shipUnfinished(id, true);
    });
    while (!stopping.signal.aborted) {
      const started = performance.now();
      let batch: Batch | null = null;
      await persistently(async () => {
        batch = await call('takeBatch', []);
      });
      const taken = batch as Batch | null;
      if (taken === null) {
        if (drained.size > 0) await call('checkpoint', []).catch(() => {});
        for (const done of drained) done();
        await pause(IDLE_POLL_MS);
        if (!hurry && !stopping.signal.aborted)
          await sleep(gatherMs, undefined, { signal: stopping.signal }).catch(() => {});
        continue;
      }
      let first: Batch | null = taken;
      let doubt = false;
      await persistently(async () => {
        if (doubt) return await settle(taken.id);
        doubt = true;
        const fresh = first;
        first = null;
        if (fresh !== null) await insert(fresh);
      });
      const spent = performance.now() - started;
      if (!hurry && taken.body.length < 1_000_000 && spent < gatherMs) {
        await sleep(gatherMs - spent, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  };
  const running = run().catch((error: unknown) =>
    log.error({ err: error }, 'the shipper ended by a fault of ours'),
  );

  return {
    async drain(timeoutMs) {
      hurry = true;
      const empty = new Promise<true>((resolve) => {
        const done = () => {
          drained.delete(done);
          resolve(true);
        };
        drained.add(done);
        wake();
      });
      const late = sleep(timeoutMs, false as const, { signal: stopping.signal }).catch(() => false as const);
      const result = await Promise.race([empty, late]);
      hurry = false;
      return result;
    },
    state: () => ({ lastError, failures }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
