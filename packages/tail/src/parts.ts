/** What both commands are made of. */

import { Counters } from './counters.ts';
import { Judge } from './judge.ts';
import { type LineCounts, LineIds } from './line-ids.ts';
import { Lists } from './lists.ts';
import { type OpenCounts, Others } from './others.ts';
import { Sender } from './sender.ts';
import type { Settings } from './settings.ts';
import { Shipper, type ShipperParts } from './shipper.ts';
import { Sieve } from './sieve.ts';
import type { StateFile } from './state.ts';
import type { Surroundings } from './surroundings.ts';

export interface Parts {
  readonly lists: Lists;
  readonly counters: Counters;
  readonly others: Others;
  readonly sieve: Sieve;
  readonly shipper: Shipper;
}

export interface PartsOptions {
  readonly source: 'tail' | 'import';
  /** Null: no position is kept. */
  readonly stateFile: StateFile | null;
  readonly counts: LineCounts;
  /** Of an earlier run; absent: none. */
  readonly open?: OpenCounts | undefined;
  readonly isPatient: boolean;
  readonly patienceMs: number;
}

export function makeParts(
  settings: Settings,
  { source, stateFile, counts, open, isPatient, patienceMs }: PartsOptions,
  around: Surroundings,
): Parts {
  const { service, property, key, stream, trusted, searchEngines, dryRun } = settings;
  const say = (sentence: string): void => around.error(`${sentence}\n`);
  const lists = new Lists(service, searchEngines);
  const counters = new Counters();
  const ids = new LineIds(stream, counts);
  const others = new Others(stream, open);
  const sieve = new Sieve({ judge: new Judge(lists), ids, others, counters, trusted });
  const sender =
    dryRun || service === null || key === null
      ? printing
      : new Sender({
          url: addressOf(service, source, property),
          key,
          isPatient,
          patienceMs,
          say,
          stop: around.stop,
          now: around.now,
          sleep: around.sleep,
          random: around.random,
        });
  return {
    lists,
    counters,
    others,
    sieve,
    shipper: new Shipper({ sender, stateFile, ids, others, counters, say }),
  };
}

export function addressOf(service: string, source: string, property: string | null): string {
  return `${service}/v1/logs/${source}${property === null ? '' : `?attribution_id=${property}`}`;
}

/** With `--dry-run` nothing is sent. */
const printing: ShipperParts['sender'] = {
  post: async (_body, visits) => ({
    kept: visits,
    dropped: 0,
    duplicate: 0,
    rejected: 0,
    reasons: new Map(),
  }),
};
