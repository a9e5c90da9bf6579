/** The lists that travel with the code: what a service or a collector knows before its first refresh. */
import bots from '../data/bots.json' with { type: 'json' };
import ranges from '../data/ip-ranges.json' with { type: 'json' };
import referrers from '../data/referrers.json' with { type: 'json' };
import agents from '../data/signature-agents.json' with { type: 'json' };
import { buildLists } from './listFiles.ts';
import type { BotLists } from './lists.ts';

/** Where a vendor publishes the ranges of some of its bots. */
export interface RangeSource {
  readonly id: string;
  readonly engine: string;
  readonly bots: readonly string[];
  /** JSON, or a page with JSON in it; `parseRangeFile` reads both. */
  readonly url: string;
}

/** What the daily refresh reads. A source that was read whole becomes one `IpRangeSet`, without `complete`. */
export function rangeSources(): RangeSource[] {
  return ranges.sets.map(({ id, engine, bots: names, url }) => ({ id, engine, bots: [...names], url }));
}

/** A fresh copy each time: the caller may change it. */
export function embeddedLists(): BotLists {
  return buildLists({ bots, ranges, referrers, agents });
}
