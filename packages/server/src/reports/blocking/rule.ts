/**
 * The rule that refuses impersonators: a visitor that names a covered bot from an address that its vendor does not publish. What it says
 * follows from the bot list alone. It never matches an address of a covered vendor's ranges, of whichever bot of that vendor. What else a
 * user agent names spares it only where a genuine crawler names both: otherwise an impersonator would add a second name and pass.
 */
import {
  type BotLists,
  type BotPattern,
  compileRanges,
  compileTokens,
  FRESH_DAYS,
  startOfDay,
} from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import known from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import { prefixesOf } from './prefixes.ts';

/** Names, and what a user agent that has one may have besides, so that it is not refused for it. All lower-case. */
export interface Claim {
  /** What covered bots call themselves in a user agent. */
  readonly names: readonly string[];
  readonly spares: readonly string[];
}

export interface BlockingRule {
  /** Names of the covered bots. */
  readonly bots: readonly string[];
  /** Each name in one of them; those without spares first. */
  readonly claims: readonly Claim[];
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
  const others = lists.bot_patterns.filter(({ bot_name }) => !covered.has(bot_name));
  const engines = new Set(patterns.map(({ engine }) => engine));
  const ofEngines = lists.ip_ranges.filter(
    (set) => engines.has(set.engine) || set.bots.some((bot) => covered.has(bot)),
  );
  const sparesOf = ({ pattern: claim, engine }: BotPattern): string[] => {
    const crawlers = crawlersNaming(claim);
    // A rule that can only look for text finds `googleother` in a longer name too.
    const both = others.filter(({ pattern, bot_name: bot }) => pattern.includes(claim) || crawlers.has(bot));
    const marks = engine === ON_USERS_MACHINE.engine ? [ON_USERS_MACHINE.mark] : [];
    return [...new Set([...both.map(({ pattern }) => pattern), ...marks])].sort();
  };
  return {
    bots: [...covered].sort(),
    claims: claimsOf(patterns.map((pattern) => ({ name: pattern.pattern, spares: sparesOf(pattern) }))),
    allowed: prefixesOf(compileRanges(ofEngines.flatMap(({ prefixes }) => prefixes))),
  };
}

/** Genuine crawlers that have the name in their user agents. A bot of some other vendor is none: that would let impersonators pass. */
function crawlersNaming(claim: string): ReadonlySet<string> {
  const { match } = compileTokens([{ pattern: claim }]);
  return new Set(
    known.cases.flatMap(({ bot, user_agent: text }) =>
      bot !== null && text.toLowerCase().includes(claim) && match(text) !== null ? [bot] : [],
    ),
  );
}

/** Names with the same spares together. */
function claimsOf(names: readonly { readonly name: string; readonly spares: readonly string[] }[]): Claim[] {
  const groups = Map.groupBy(names, ({ spares }) => spares.join('\n'));
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({
      names: [...new Set(group.map(({ name }) => name))].sort(),
      spares: group[0]?.spares ?? [],
    }));
}
