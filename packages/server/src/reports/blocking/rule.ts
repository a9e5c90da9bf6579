/**
 * The rule that refuses impersonators: a visitor that names a covered bot from an address that its vendor does not publish. What it says
 * follows from the bot list alone. It never matches an address of a covered vendor's ranges, of whichever bot of that vendor, and never a user
 * agent that also names a crawler of another vendor with published addresses.
 */
import { type BotLists, compileRanges, FRESH_DAYS, startOfDay } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { prefixesOf } from './prefixes.ts';

export interface BlockingRule {
  /** Names of the covered bots. */
  readonly bots: readonly string[];
  /** Their tokens, lower-case: what they call themselves in a user agent. */
  readonly claims: readonly string[];
  /** Texts that spare a user agent, lower-case. */
  readonly spares: readonly string[];
  /** CIDR prefixes that are never blocked. */
  readonly allowed: readonly string[];
}

/** Whether an address can refute a bot's name now. */
export const RANGE_STATES = ['ok', 'no_ranges', 'not_loaded', 'incomplete', 'outdated'] as const;
export interface RangeState {
  readonly state: (typeof RANGE_STATES)[number];
  /** `YYYY-MM-DD` of the oldest of its sets; empty: unknown. */
  readonly asOf: string;
  readonly prefixes: number;
}

/** @param now epoch milliseconds */
export function rangeStateOf(lists: Pick<BotLists, 'ip_ranges'>, bot: string, now: number): RangeState {
  const sets = lists.ip_ranges.filter(({ bots }) => bots.includes(bot));
  const asOf = sets.map(({ as_of = '' }) => as_of).sort()[0] ?? '';
  const prefixes = sets.reduce((sum, set) => sum + set.prefixes.length, 0);
  const found = (state: RangeState['state']): RangeState => ({ state, asOf, prefixes });
  if (sets.length === 0) return found('no_ranges');
  if (prefixes === 0) return found('not_loaded');
  if (sets.some(({ complete }) => complete === false)) return found('incomplete');
  // An unknown day is NaN, which is less than nothing: outdated.
  return found(now < startOfDay(asOf) + (FRESH_DAYS + 1) * DAY_MS ? 'ok' : 'outdated');
}

/** Claude Code on a developer's own machine says that it is `Claude-User`: no impersonator, and from any address. */
const ON_USERS_MACHINE = { engine: 'anthropic', mark: '(claude-code/' } as const;

/** @param bots names of bots whose ranges are in order */
export function blockingRule(
  lists: Pick<BotLists, 'ip_ranges' | 'bot_patterns'>,
  bots: readonly string[],
): BlockingRule {
  const covered = new Set(bots);
  const patterns = lists.bot_patterns.filter(({ bot_name }) => covered.has(bot_name));
  const claims = patterns.map(({ pattern }) => pattern);
  const engines = new Set(patterns.map(({ engine }) => engine));
  const ofEngines = lists.ip_ranges.filter(
    (set) => engines.has(set.engine) || set.bots.some((bot) => covered.has(bot)),
  );
  const elsewhere = new Set(
    lists.ip_ranges
      .filter((set) => !ofEngines.includes(set) && set.prefixes.length > 0)
      .flatMap((set) => set.bots),
  );
  const spares = lists.bot_patterns.filter(
    ({ bot_name, pattern }) =>
      !covered.has(bot_name) &&
      // A rule that can only look for text finds `gptbot` in a longer name too.
      (elsewhere.has(bot_name) || claims.some((claim) => pattern.includes(claim))),
  );
  return {
    bots: [...covered].sort(),
    claims: [...new Set(claims)].sort(),
    spares: [
      ...new Set([
        ...spares.map(({ pattern }) => pattern),
        ...(engines.has(ON_USERS_MACHINE.engine) ? [ON_USERS_MACHINE.mark] : []),
      ]),
    ].sort(),
    allowed: prefixesOf(compileRanges(ofEngines.flatMap(({ prefixes }) => prefixes))),
  };
}
