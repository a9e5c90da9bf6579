/** A destination that conversions do not arrive at. */

import { HOUR_MS } from '@ghostlight/core/time';
import { outOf, percent } from '../../common/index.ts';
import type { Finding, Rule, WatchedDestination } from './rule.ts';

/** Single ones are lost to single faults. */
const MIN_LOST = 5;
export const MIN_SETTLED = 20;
const MAX_WAIT_MS = 6 * HOUR_MS;

export const forwardingFailing: Rule = ({ now, destinations }, threshold) => {
  const findings = destinations.flatMap((destination): Finding[] => {
    const trouble = troubleOf(destination, now, threshold / 100);
    if (trouble === null) return [];
    return [
      {
        subject: destination.id,
        title: `Forwarding to ${destination.name} is failing`,
        text: trouble,
        now: lost(destination),
        usual: null,
        unit: 'deliveries',
        link: `/destinations/${destination.id}`,
      },
    ];
  });
  return {
    findings,
    isOver: ({ subject }) => (destinations.some(({ id }) => id === subject) ? 'yes' : 'silently'),
  };
};

function lossesOf(losses: number, settled: number): string {
  const told = `${outOf(losses, settled, ['delivery', 'deliveries'])} in 24 hours failed or had an unknown outcome`;
  return losses === settled ? `${told}.` : `${told}: ${percent(1 - losses / settled)} were accepted.`;
}

const lost = ({ dead, unknown }: WatchedDestination): number => dead + unknown;

function troubleOf(destination: WatchedDestination, now: number, leastRate: number): string | null {
  if (destination.alarm !== null) return `It needs a configuration fix: ${destination.alarm}`;
  const settled = destination.delivered + lost(destination);
  const rate = settled > 0 ? destination.delivered / settled : 1;
  const low = settled >= MIN_SETTLED && rate < leastRate;
  if (low || lost(destination) >= MIN_LOST) return lossesOf(lost(destination), settled);
  const waiting = destination.oldestWaitingAt === null ? 0 : now - destination.oldestWaitingAt;
  // A person who pauses one knows that it waits.
  if (!destination.paused && waiting >= MAX_WAIT_MS)
    return `A delivery has been waiting for ${Math.floor(waiting / HOUR_MS)} hours.`;
  return null;
}
