/** What is done beside the traffic: forgetting what is older than its time, and finding out whether a failed disk writes again. */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import type { Health } from './health.ts';
import { REMEMBER_MS, type SpoolStore } from './port.ts';
import type { SpoolStats } from './types.ts';

const PROBE_MS = 1_000;
const TIDY_MS = 5_000;
/** Slices of the key space per turn: all of it in six hours, or under pressure in six minutes. */
const SLICES = 1;
const SLICES_UNDER_PRESSURE = 64;
const SHORTEST_MEMORY_MS = HOUR_MS;
const FEW_ROWS = 10_000;

interface TidyingDependencies {
  readonly store: Pick<SpoolStore, 'tidy' | 'probe'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly health: Health;
  readonly stats: () => SpoolStats;
}

/** @returns stops it */
export function startTidying({ store, clock, log, health, stats }: TidyingDependencies): () => void {
  let memory = REMEMBER_MS;
  let tidying = false;
  let probing = false;

  const tidy = async (): Promise<void> => {
    // Half the cap is used and hardly a row waits: it is the keys. Shipping can't free them, so intake would stay shut for two days.
    const { bytes, maxBytes, pendingRows } = stats();
    const pressed = bytes > maxBytes / 2 && pendingRows < FEW_ROWS;
    const before = memory;
    memory = pressed ? Math.max(SHORTEST_MEMORY_MS, memory / 2) : Math.min(REMEMBER_MS, memory * 1.01);
    if (pressed && memory < before)
      log.warn(
        { bytes, maxBytes, hours: memory / HOUR_MS },
        'deduplication keys fill the spool; they are kept for less long',
      );
    for (let slice = 0; slice < (pressed ? SLICES_UNDER_PRESSURE : SLICES); slice += 1)
      await store.tidy(clock(), memory);
  };

  const tidyTimer = setInterval(() => {
    if (tidying || health.failing !== null) return;
    tidying = true;
    tidy()
      .catch((error: unknown) => log.warn({ err: error }, 'the spool could not be tidied'))
      .finally(() => {
        tidying = false;
      });
  }, TIDY_MS).unref();
  const probeTimer = setInterval(() => {
    if (probing || health.failing === null) return;
    probing = true;
    store
      .probe()
      .then(
        () => log.info({}, 'the spool writes again'),
        // That it fails still is known already, and shows in `stats().failing`.
        () => undefined,
      )
      .finally(() => {
        probing = false;
      });
  }, PROBE_MS).unref();

  return () => {
    clearInterval(tidyTimer);
    clearInterval(probeTimer);
  };
}
