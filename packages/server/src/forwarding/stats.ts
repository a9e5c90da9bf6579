/** Forwarding in figures, for the metrics of the installation: what waits in the database, and what this node has settled. */

import type { Clock } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { isDue, type State } from './states.ts';

export interface ForwardingFigures {
  /** Deliveries that wait, by platform; 100,000 in all are counted. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Age in seconds of the oldest of them; 0 where none waits. */
  readonly oldestSeconds: number;
  /** Destinations that need a configuration fix, by platform. */
  readonly alarms: ReadonlyMap<string, number>;
}

export interface Outcomes {
  /** Counts what was settled on this node. */
  note(platform: string, state: State, count: number): void;
  /** `platform` → state → how many, since the start of this node. */
  counts(): ReadonlyMap<string, ReadonlyMap<State, number>>;
}

export function createOutcomes(): Outcomes {
  // Bounded by the platforms of this version and the states.
  const counts = new Map<string, Map<State, number>>();
  return {
    note(platform, state, count) {
      const standing = counts.get(platform) ?? new Map<State, number>();
      counts.set(platform, standing);
      standing.set(state, (standing.get(state) ?? 0) + count);
    },
    counts: () => counts,
  };
}

/** A longer queue is an alarm at any length, and counting it would keep others waiting on SQLite. */
const MAX_COUNTED = 100_000;

/** Of all organizations: the metrics are the operator's. */
export async function forwardingFigures(
  { reader }: Pick<Database, 'reader'>,
  clock: Clock,
): Promise<ForwardingFigures> {
  const waiting = await reader
    .selectFrom((query) =>
      query
        .selectFrom('deliveries')
        .select(['platform', 'created_at'])
        .where(isDue())
        .where('state', '!=', 'accepted_async')
        .limit(MAX_COUNTED)
        .as('open'),
    )
    .select(({ fn }) => [
      'platform',
      fn.countAll<number | string>().as('count'),
      fn.min('created_at').as('oldest'),
    ])
    .groupBy('platform')
    .execute();
  const alarms = await reader
    .selectFrom('destinations')
    .select(({ fn }) => ['platform', fn.countAll<number | string>().as('count')])
    .where('alarm', 'is not', null)
    .where('deleted_at', 'is', null)
    .groupBy('platform')
    .execute();
  const now = clock();
  const oldest = Math.min(now, ...waiting.map((row) => row.oldest ?? now));
  return {
    waiting: new Map(waiting.map(({ platform, count }) => [platform, Number(count)])),
    oldestSeconds: Math.max(0, (now - oldest) / 1_000),
    alarms: new Map(alarms.map(({ platform, count }) => [platform, Number(count)])),
  };
}
