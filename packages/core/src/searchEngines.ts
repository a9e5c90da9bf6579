/**
 * Crawlers of search engines (Googlebot, Bingbot …): a list of its own beside the AI bots, in use only for properties that ask for it. The
 * bot list is never changed by it: what collectors read and what AI reports count stays as it is.
 */
import file from '../data/search-engines.json' with { type: 'json' };
import type { BotIdentity, CompiledLists } from './classify.ts';
import type { RangeSource } from './embedded.ts';
import type { BotLists, BotPattern, IpRangeSet } from './lists.ts';

export interface SearchEngines {
  /** In the form that collectors read; `intent` is always `search`. */
  readonly patterns: readonly BotPattern[];
  /** Sets of the vendors that publish one for their search crawlers alone. */
  readonly ip_ranges: readonly IpRangeSet[];
  /** Crawler → the AI bot of the bot list whose published ranges hold for it too. */
  readonly rangesOf: Readonly<Record<string, string>>;
}

/** What travels with the code. A fresh copy each time. */
export function embeddedSearchEngines(): SearchEngines {
  return {
    patterns: file.crawlers.map(({ token, name, vendor, engine }) => ({
      pattern: token,
      bot_name: name,
      intent: 'search',
      engine,
      vendor,
    })),
    ip_ranges: file.sets.map(({ engine, bots, prefixes, complete, as_of }) => ({
      engine,
      bots: [...bots],
      prefixes: [...prefixes],
      ...(complete ? {} : { complete: false }),
      as_of,
    })),
    rangesOf: Object.fromEntries(
      file.crawlers.flatMap(({ name, ...row }) => ('ranges_of' in row ? [[name, row.ranges_of]] : [])),
    ),
  };
}

/** What the daily refresh reads for them. */
export function searchEngineRangeSources(): RangeSource[] {
  return file.sets.map(({ id, engine, bots, url, prefixes, as_of }) => ({
    id,
    engine,
    bots: [...bots],
    url,
    embedded: { entries: prefixes.length, as_of },
  }));
}

/**
 * The bot list with the search crawlers behind it: what a collector asks for with `search_engines=1`. A token that the list has already
 * stays the list's. Neither argument is changed.
 */
export function withSearchEngines(lists: BotLists, search: SearchEngines): BotLists {
  const taken = new Set(lists.bot_patterns.map(({ pattern }) => pattern));
  const shared = Object.entries(search.rangesOf);
  return {
    ...lists,
    bot_patterns: [...lists.bot_patterns, ...search.patterns.filter(({ pattern }) => !taken.has(pattern))],
    ip_ranges: [
      ...lists.ip_ranges.map((set) => {
        const also = shared.flatMap(([crawler, bot]) => (set.bots.includes(bot) ? [crawler] : []));
        return also.length === 0 ? set : { ...set, bots: [...set.bots, ...also] };
      }),
      ...search.ip_ranges,
    ],
  };
}

/**
 * Which search engine's crawler a visitor says that it is. To be asked after `classify` has found no AI bot: then whatever matches is a
 * search crawler.
 * @param lists `withSearchEngines`, compiled
 * @param isBot whether a user agent is not a person's browser or app; asked only where a token was found
 */
export function findSearchEngine(
  userAgent: string,
  { tokens }: Pick<CompiledLists, 'tokens'>,
  isBot: (userAgent: string) => boolean,
): ({ readonly class: 'search_engine' } & BotIdentity) | null {
  const found = tokens.match(userAgent);
  if (found === null || !isBot(userAgent)) return null;
  const { bot_name, vendor, engine, intent } = found;
  return { class: 'search_engine', bot_name, vendor, engine, intent };
}
