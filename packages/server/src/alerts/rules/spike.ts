/** A bot that comes far more often than in its own busiest times. */
import type { Baseline } from '../baseline.ts';
import {
  type Finding,
  hasUsual,
  RELEASE,
  type Rule,
  report,
  type Snapshot,
  usually,
  visits,
} from './rule.ts';

/** Fewer visits are no anomaly, however many times the baseline they are. */
export const SPIKE_AT_LEAST = { hour: 100, day: 500 } as const;
/** Of the 14 days before, for there to be anything usual. */
const MIN_DAYS = 5;

export const spike: Rule = (snapshot, threshold) => ({
  findings: [...snapshot.recent.bots.keys()].flatMap((bot) => {
    const found = spiking(snapshot, bot, threshold, 1);
    return found === null ? [] : [found];
  }),
  isOver: ({ subject }) => (spiking(snapshot, subject, threshold, RELEASE) === null ? 'yes' : 'no'),
});

/** Whether anything is usual at all. */
export const canSpike = (usual: Baseline): boolean => usual.days >= MIN_DAYS && hasUsual(usual);

const HOURS = { now: 'one hour', before: 'hours' } as const;
const DAYS = { now: '24 hours', before: 'days' } as const;

/** @param ease under 1 for what has begun */
function spiking(
  { usual, recent, known }: Snapshot,
  bot: string,
  threshold: number,
  ease: number,
): Finding | null {
  const now = recent.bots.get(bot);
  // The first day of a new bot is another alert.
  if (now === undefined || !canSpike(usual) || !known.bots.has(bot)) return null;
  const before = usual.bots.get(bot);
  for (const [seen, busy, least, span] of [
    [now.hour, before?.busyHour ?? 0, SPIKE_AT_LEAST.hour, HOURS],
    [now.day, before?.busyDay ?? 0, SPIKE_AT_LEAST.day, DAYS],
  ] as const) {
    // Where next to nothing is usual, the least is measured instead.
    const limit = Math.max(least, threshold * busy);
    if (seen < limit * ease) continue;
    return {
      subject: bot,
      title: `${bot} visits far more often than usual`,
      text: `${visits(seen)} in ${span.now}. ${usually(busy, usual, span.before)}`,
      now: seen,
      usual: busy,
      unit: 'visits',
      link: report('bots', { bot }),
    };
  }
  return null;
}
