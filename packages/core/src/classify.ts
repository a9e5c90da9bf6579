/** Decides which class a hit belongs to. The service does this for every hit; the edge's verdict only decided what was forwarded. */
import type { Intent, ObservedHit, ReferralSignal } from './hit.ts';
import type { BotLists, IpRangeSet } from './lists.ts';
import { compileRanges, isEmptyRangeSet, type RangeSet } from './ranges.ts';
import { comesFromOwnSite, compileReferrers, type ReferrerMatcher } from './referrer.ts';
import { compileSignatureAgents, type SignatureAgentFinder } from './signatureAgents.ts';
import { compileTokens, type TokenMatcher } from './tokens.ts';

/** Who is behind an AI bot hit, as stored. */
export interface BotIdentity {
  readonly bot_name: string;
  readonly vendor: string;
  readonly engine: string;
  readonly intent: Intent;
}

export type DropReason = 'not_ai';

export type Verdict =
  | ({ readonly class: 'ai_bot' } & BotIdentity)
  | { readonly class: 'ai_referral'; readonly engine: string; readonly signal: ReferralSignal }
  | { readonly class: 'sample' }
  /** Only of properties that tell search crawlers apart; `findSearchEngine` makes it. */
  | ({ readonly class: 'search_engine' } & BotIdentity)
  /** Its sender made it up. `bot`: the crawler that it names, or null. */
  | { readonly class: 'test'; readonly bot: BotIdentity | null }
  | { readonly class: 'dropped'; readonly reason: DropReason };

/** Lists made ready for matching: once per list version, not per hit. */
export interface CompiledLists {
  readonly version: number;
  readonly tokens: TokenMatcher<BotIdentity & { readonly pattern: string }>;
  readonly referrers: ReferrerMatcher;
  /** Bot name → its own published ranges; bots whose vendor publishes none are absent. */
  readonly ranges: Pick<ReadonlyMap<string, BotRanges>, 'get'>;
  readonly signatureAgents: SignatureAgentFinder;
  /** Engine → vendor's name, from the patterns: signature agents name only their engine. */
  readonly vendors: ReadonlyMap<string, string>;
}

export interface BotRanges {
  readonly set: RangeSet;
  /** Nothing of it has been read: no verdict, never "spoofed". Amazon's page once parsed to nothing. */
  readonly empty: boolean;
  /** Whether being outside means anything. */
  readonly complete: boolean;
  /** Day of the oldest of the bot's sets (`YYYY-MM-DD`); empty: of unknown age. */
  readonly asOf: string;
  /** Epoch milliseconds at which it begins; NaN: of unknown age. */
  readonly day: number;
}

/** A few milliseconds for a list of usual size; keep the result until the list changes. */
export function compileLists(lists: BotLists): CompiledLists {
  return {
    version: lists.version,
    tokens: compileTokens(lists.bot_patterns),
    referrers: compileReferrers(lists),
    ranges: rangesByBot(lists),
    signatureAgents: compileSignatureAgents(lists.signature_agents),
    vendors: new Map(lists.bot_patterns.map(({ engine, vendor }) => [engine, vendor])),
  };
}

/**
 * A bot's sets are compiled when it is first asked for: all of them are two thirds of the whole work, and an edge isolate that takes
 * a new list has 10 ms of CPU for everything.
 */
function rangesByBot(lists: BotLists): CompiledLists['ranges'] {
  const published = new Map<string, IpRangeSet[]>();
  for (const set of lists.ip_ranges) {
    for (const bot of set.bots) {
      const sets = published.get(bot);
      if (sets === undefined) published.set(bot, [set]);
      else sets.push(set);
    }
  }
  const compiled = new Map<string, BotRanges>();
  return {
    get(bot) {
      const sets = published.get(bot);
      if (sets !== undefined) {
        published.delete(bot);
        const set = compileRanges(sets.flatMap(({ prefixes }) => prefixes));
        // `''` sorts before every day.
        const asOf = sets.map(({ as_of }) => as_of ?? '').sort()[0] ?? '';
        compiled.set(bot, {
          set,
          empty: isEmptyRangeSet(set),
          complete: sets.every(({ complete }) => complete !== false),
          asOf,
          day: startOfDay(asOf),
        });
      }
      return compiled.get(bot);
    },
  };
}

/** @param day `YYYY-MM-DD`  @returns epoch milliseconds; NaN for what is no day */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The members of a hit that decide its class. */
export type ClassifiableHit = Pick<
  ObservedHit,
  | 'host'
  | 'userAgent'
  | 'referrer'
  | 'query'
  | 'platformCategory'
  | 'signatureAgent'
  | 'edgeVerified'
  | 'edgeVerifiedBy'
  | 'sampleRate'
>;

/**
 * Order: AI bot, AI referral (human user agents only), sample, dropped.
 *
 * A click within the site is no referral, whatever tag the address still carries: `utm_source=chatgpt.com` stays in the links of
 * many sites after the first page.
 * @param isBot whether a user agent is not a person's browser or app (`isbot`); asked only when a referral is in question
 * @param ownDomains the property's domains, lower-case; the hit's own host is one of them without being named
 */
export function classify(
  hit: ClassifiableHit,
  lists: CompiledLists,
  isBot: (userAgent: string) => boolean,
  ownDomains: readonly string[] = [],
): Verdict {
  const bot = identifyBot(hit, lists);
  if (bot !== null) {
    return {
      class: 'ai_bot',
      bot_name: bot.bot_name,
      vendor: bot.vendor,
      engine: bot.engine,
      intent: bot.intent,
    };
  }
  const sampled = hit.sampleRate !== null && hit.sampleRate > 0 && hit.sampleRate <= 1;
  const referral =
    // Of a sample the edge sends the referring host alone: a list that has learned it since must still find it.
    (sampled ? lists.referrers.matchHost(hit.referrer) : null) ??
    lists.referrers.match(hit.referrer, hit.query.get('utm_source'));
  const arrives = referral !== null && !comesFromOwnSite(hit.referrer, hit.host, ownDomains);
  if (arrives && hit.userAgent !== '' && !isBot(hit.userAgent)) {
    return { class: 'ai_referral', engine: referral.engine, signal: referral.signal };
  }
  if (sampled) return { class: 'sample' };
  return { class: 'dropped', reason: 'not_ai' };
}

function identifyBot(hit: ClassifiableHit, lists: CompiledLists): BotIdentity | null {
  const byToken = lists.tokens.match(hit.userAgent);
  if (byToken !== null) return byToken;
  if (hit.platformCategory?.startsWith('AI_')) return unlistedBot(hit.platformCategory);
  return signedAgent(hit, lists);
}

/** Most signed agents send a plain browser's user agent: the signature alone tells, so it must have been verified. */
function signedAgent(hit: ClassifiableHit, lists: CompiledLists): BotIdentity | null {
  if (hit.signatureAgent === '' || hit.edgeVerified !== true || hit.edgeVerifiedBy !== 'signature')
    return null;
  const agent = lists.signatureAgents.find(hit.signatureAgent);
  if (agent === null) return null;
  const vendor = lists.vendors.get(agent.engine) ?? agent.bot_name;
  return { bot_name: agent.bot_name, vendor, engine: agent.engine, intent: agent.intent };
}

const CATEGORY_INTENTS: ReadonlyMap<string, Intent> = new Map([
  ['AI_CRAWLER', 'training'],
  ['AI_SEARCH', 'search'],
  ['AI_ASSISTANT', 'on_demand'],
]);

/** Cloudflare knows the bot, our list doesn't: Cloudflare gives a category, never a name. */
function unlistedBot(category: string): BotIdentity {
  return {
    bot_name: `Unlisted ${category.slice(0, 64)}`,
    vendor: 'Unknown',
    engine: 'unlisted',
    intent: CATEGORY_INTENTS.get(category) ?? 'other',
  };
}
