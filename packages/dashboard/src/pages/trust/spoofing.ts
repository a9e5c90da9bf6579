/** What stands out in the spoofed visits of a period: whose name was used, and when. */

/** Below so many spoofed visits, shares of them say nothing. */
const LEAST_VISITS = 20;
/** What has this part of them stands out. */
const MOST = 0.5;
/** A day beside a burst belongs to it from this part of the burst's average day on. */
const AS_HIGH = 0.5;
/** A burst is at most so many days, and at most one of so many of the period. */
const LONGEST_DAYS = 7;
const DAYS_OF_EACH = 3;

interface Claim {
  readonly bot: string;
  /** Of all spoofed visits, 0 to 1. */
  readonly share: number;
}

interface Burst {
  /** `YYYY-MM-DD`, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Of all spoofed visits, 0 to 1. */
  readonly share: number;
}

type Spoofed = { readonly spoofed: number };

/**
 * The name that at least half of the spoofed visits claimed; null: none, or there are few.
 * @param items rows of all bots @param all spoofed visits of the period
 */
export function claimOf(items: readonly (Spoofed & { readonly bot: string })[], all: number): Claim | null {
  if (all < LEAST_VISITS) return null;
  // A name with two intents has two rows.
  const byBot = new Map<string, number>();
  for (const { bot, spoofed } of items) byBot.set(bot, (byBot.get(bot) ?? 0) + spoofed);
  const found = [...byBot].find(([, spoofed]) => spoofed >= all * MOST);
  return found === undefined ? null : { bot: found[0], share: Math.min(1, found[1] / all) };
}

/**
 * The days on which most of the spoofed visits came: the fewest days in a row with at least half of them, and the days before and after
 * that are at least half as high as those on average. null: they are spread over the period, or there are few.
 * @param series one for each day of the period, oldest first
 */
export function burstOf(series: readonly (Spoofed & { readonly day: string })[]): Burst | null {
  const counts = series.map(({ spoofed }) => spoofed);
  const all = sum(counts);
  const longest = Math.min(LONGEST_DAYS, Math.floor(series.length / DAYS_OF_EACH));
  const core = all < LEAST_VISITS ? null : shortestRun(counts, all * MOST, longest);
  if (core === null) return null;
  const [first, last] = widened(counts, core);
  const [from, to] = [series[first]?.day, series[last]?.day];
  return last - first + 1 > longest || from === undefined || to === undefined
    ? null
    : { from, to, share: sum(counts.slice(first, last + 1)) / all };
}

/** Places of the first and the last day. */
type Run = readonly [first: number, last: number];

/** The fewest days in a row that have so many; of several as short, the one that has most. */
function shortestRun(counts: readonly number[], least: number, longest: number): Run | null {
  for (let length = 1; length <= longest; length += 1) {
    let best: { run: Run; had: number } | null = null;
    for (let first = 0; first + length <= counts.length; first += 1) {
      const had = sum(counts.slice(first, first + length));
      if (had >= least && had > (best?.had ?? 0)) best = { run: [first, first + length - 1], had };
    }
    if (best !== null) return best.run;
  }
  return null;
}

/** A run with the days on both sides that are as high. */
function widened(counts: readonly number[], [start, end]: Run): Run {
  const least = (sum(counts.slice(start, end + 1)) / (end - start + 1)) * AS_HIGH;
  const isHigh = (place: number) => (counts[place] ?? 0) >= least;
  let [first, last] = [start, end];
  while (isHigh(first - 1)) first -= 1;
  while (isHigh(last + 1)) last += 1;
  return [first, last];
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
