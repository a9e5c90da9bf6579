/** The room: events in, sessions and touches recorded, rows on to the warehouse; matching, erasure, retention. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Property } from '../properties/index.ts';
import type { SpoolStats } from '../spool/index.ts';
import { EventCounters, type Refusal } from './counters.ts';
import { createEndpoint, type EventsEndpoint } from './endpoint.ts';
import { createErasure, type Erasure } from './erasure.ts';
import { type ArrivalStatus, createObservations } from './observations.ts';
import type { SessionsDeps } from './ports.ts';
import { createRateLimit } from './rate-limit.ts';
import { createErasedFilter, createRecorder } from './recorder.ts';
import { forgetOld } from './retention.ts';
import { rotateClients } from './rotate-secrets.ts';
import { createSettings, type SettingsStore } from './settings.ts';

export interface EventStats {
  /** Events on their way into the database: `received = kept + rejected + duplicate`, after the drain `kept = stored + unstorable`. */
  readonly accepted: SpoolStats;
  /** Their rows on the way into the warehouse. */
  readonly rows: SpoolStats;
  /** Requests that were refused before their events were looked at, since the start. */
  readonly refused: ReadonlyMap<Refusal, number>;
}

export interface Sessions {
  readonly endpoint: EventsEndpoint;
  readonly settings: SettingsStore;
  readonly erasure: Erasure;
  status(property: Pick<Property, 'id' | 'organizationId'>): Promise<ArrivalStatus>;
  stats(): EventStats;
  /** Events on this node's disk that a store has not confirmed yet. */
  waiting(): number;
  /** Neither recorded nor shipped from then on. @returns goes on @throws when a batch is still under way after that time */
  pauseShipping(timeoutMs: number): Promise<() => void>;
  /** The hourly job. */
  forgetOld(): Promise<void>;
  /** Takes no more events on this node and brings what waits where it belongs; true when all of it is there. */
  drain(timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Visitors are looked up moments after their event: a database that was down is asked again soon. */
const RECORDING_BACKOFF = { first: 100, longest: 2_000 };
const SETTLE_MS = 10_000;
/** At the stop; the rest waits in the spools. */
const DRAIN_AT_STOP_MS = 3_000;
const INSERT_AT_STOP_MS = 1_000;

export function createSessions(deps: SessionsDeps): Sessions {
  const { database, spools, events, clock, log } = deps;
  const settings = createSettings(database, clock);
  const observations = createObservations({ database, clock, log });
  const counters = new EventCounters();
  const recording = spools.accepted.startShipper(
    createRecorder({ ...deps, rows: spools.rows, toRow: events.toRow }),
    { backoffMs: RECORDING_BACKOFF },
  );
  const shipping = spools.rows.startShipper(events.sink(createErasedFilter(deps)));
  let draining = false;

  const endpoint = createEndpoint({
    ...deps,
    settings,
    observations,
    counters,
    spool: {
      accepting: () => !draining && spools.accepted.accepting() && spools.rows.accepting(),
      append: spools.accepted.append,
    },
    limits: {
      address: createRateLimit(deps.limits.perAddress, clock),
      property: createRateLimit(deps.limits.perProperty, clock),
    },
  });
  const settleTimer = setInterval(() => void endpoint.settle(), SETTLE_MS);
  settleTimer.unref();

  const drain = async (timeoutMs: number): Promise<boolean> => {
    draining = true;
    const until = performance.now() + timeoutMs;
    return (
      (await recording.drain(timeoutMs)) && (await shipping.drain(Math.max(1, until - performance.now())))
    );
  };

  return {
    endpoint,
    settings,
    erasure: createErasure({ ...deps }),
    status: observations.status,
    stats: () => ({
      accepted: spools.accepted.stats(),
      rows: spools.rows.stats(),
      refused: counters.refused,
    }),
    waiting: () => spools.accepted.stats().pendingRows + spools.rows.stats().pendingRows,
    async forgetOld() {
      if (deps.rotating) await rotateClients(database, deps.cipher);
      const forgotten = await forgetOld(database, clock, deps.retentionDays);
      if (Object.values(forgotten).some((count) => count > 0))
        log.info(forgotten, 'old visits were forgotten');
    },
    drain,
    async pauseShipping(timeoutMs) {
      // First what fills the second spool.
      const resumeRecording = await recording.pause(timeoutMs);
      try {
        const resumeShipping = await shipping.pause(timeoutMs);
        return () => {
          resumeShipping();
          resumeRecording();
        };
      } catch (error) {
        resumeRecording();
        throw error;
      }
    },
    async close() {
      clearInterval(settleTimer);
      await endpoint.settle();
      await drain(DRAIN_AT_STOP_MS);
      await recording.stop();
      // An insert that hangs is left to the next start, which asks what became of it.
      await Promise.race([shipping.stop(), sleep(INSERT_AT_STOP_MS, undefined, { ref: false })]);
      await observations.close();
    },
  };
}
