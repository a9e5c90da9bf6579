/** Which destinations need a person, for the order of the list and the line above it. */
import type { Destination } from '../../../features/destinations/api.ts';
import { counted } from '../../../format/names.ts';

/** What is wrong, the worst first: nothing gets there; the last request failed; some failed in 24 hours; an admin has paused it; nothing. */
const TROUBLES = ['stopped', 'retrying', 'with recent failures', 'paused', 'none'] as const;
export type Trouble = (typeof TROUBLES)[number];

type Watched = Pick<Destination, 'state' | 'health'>;

export function troubleOf({ state, health }: Watched): Trouble {
  if (state === 'alarm') return 'stopped';
  if (state === 'paused') return 'paused';
  if (health.failures > 0) return 'retrying';
  return health.dead_24h > 0 ? 'with recent failures' : 'none';
}

/** Those in trouble first; the order is otherwise kept. */
export function worstFirst<One extends Watched>(all: readonly One[]): readonly One[] {
  const rank = (one: One) => TROUBLES.indexOf(troubleOf(one));
  return all.toSorted((a, b) => rank(a) - rank(b));
}

/** `3 destinations: 1 retrying`. */
export function summaryOf(all: readonly Watched[]): string {
  const have = (trouble: Trouble) => all.filter((one) => troubleOf(one) === trouble).length;
  const parts = TROUBLES.filter((trouble) => trouble !== 'none')
    .map((trouble) => [have(trouble), trouble] as const)
    .filter(([count]) => count > 0)
    .map(([count, trouble]) => `${count} ${trouble}`);
  const number = counted(all.length, 'destination');
  return parts.length === 0 ? number : `${number}: ${parts.join(', ')}`;
}
