/**
 * A warehouse that may be down when the service starts. Intake needs the spool and the database alone, so the service starts without it;
 * the tables are brought to this version when it answers. Until then every query gets `WarehouseUnavailable`: readers get 503,
 * the shipper waits, and no statement meets tables of another version.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../common/index.ts';
import { type Warehouse, WarehouseUnavailable } from '../warehouse/index.ts';

export interface WarehouseGate {
  /** Refuses everything but `migrate` and `close` until the tables are of this version. */
  readonly warehouse: Warehouse;
  /** One attempt. @throws what kept the tables from being brought to this version */
  open(): Promise<void>;
  /**
   * Attempts until one succeeds; resolves after `firstMs` at the latest and goes on in the background.
   * @throws what no later attempt will fix, when it shows within that time
   */
  openWhenBack(firstMs: number): Promise<void>;
  /** No further attempt; ends when the one under way has. Close the warehouse first, or it may take a minute. */
  stopped(): Promise<void>;
  /** To be called before the warehouse is closed. */
  stop(): void;
}

export interface GateOptions {
  /** Brings the tables to this version, once over all nodes. */
  readonly migrate: () => Promise<void>;
  /** Whether an error says that this service must not use this warehouse, however often it asks. */
  readonly isFinal: (error: unknown) => boolean;
  readonly log: Log;
  /** Pauses between attempts, milliseconds; doubled from the first to the longest. */
  readonly backoffMs?: { readonly first: number; readonly longest: number };
}

const BACKOFF = { first: 500, longest: 10_000 };
/** What readers see; the log has the error itself. */
const notYet = (code: string | null) =>
  `The warehouse has not answered since the service started${code === null ? '' : ` (${code})`}. Hits are kept in the meantime; try again in a moment.`;

export function gateWarehouse(inner: Warehouse, options: GateOptions): WarehouseGate {
  const { migrate, isFinal, log, backoffMs = BACKOFF } = options;
  const stop = new AbortController();
  let isOpen = false;
  let reason = notYet(null);
  let attempts: Promise<void> = Promise.resolve();

  const open = async () => {
    try {
      // Without the lock: an attempt that hangs must not keep other nodes from theirs.
      await inner.ping();
      await migrate();
      isOpen = true;
    } catch (error) {
      reason = isFinal(error) && error instanceof Error ? error.message : notYet(codeOf(error));
      throw error;
    }
  };

  const keepTrying = async () => {
    for (let pause = backoffMs.first; !stop.signal.aborted; pause = Math.min(pause * 2, backoffMs.longest)) {
      try {
        await open();
        log.info({}, 'the warehouse answers, and its tables are of this version');
        return;
      } catch (error) {
        if (stop.signal.aborted) return;
        if (isFinal(error)) throw error;
        log.warn(
          { err: error, retryInMs: pause },
          'CLICKHOUSE_URL: the warehouse does not answer yet; hits wait in the spool',
        );
      }
      await sleep(pause, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };

  const passing =
    <Arguments extends unknown[], Result>(ask: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (!isOpen) throw new WarehouseUnavailable(reason);
      return await ask(...given);
    };

  return {
    warehouse: {
      ...inner,
      // Its type has a parameter of its own, which a wrapper loses.
      rows: passing(inner.rows) as Warehouse['rows'],
      lines: passing(inner.lines),
      command: passing(inner.command),
      insertRows: passing(inner.insertRows),
      ping: passing(inner.ping),
    },
    open,
    async openWhenBack(firstMs) {
      const trying = keepTrying();
      attempts = trying.catch((error: unknown) =>
        log.error({ err: error }, 'this service can’t use the warehouse; hits stay in the spool'),
      );
      await Promise.race([trying, sleep(firstMs, undefined, { ref: false })]);
    },
    stop: () => stop.abort(),
    stopped: () => attempts,
  };
}

/** A system's word (`ECONNREFUSED`) or ClickHouse's number; never an address, which may hold a password. */
export function codeOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: unknown };
    if (typeof code === 'string' || typeof code === 'number') return String(code);
  }
  return null;
}
