/** The lists that travel with the code: what a service or a collector knows before its first refresh. */
import bots from '../data/bots.json' with { type: 'json' };
import ranges from '../data/ip-ranges.json' with { type: 'json' };
import referrers from '../data/referrers.json' with { type: 'json' };
import agents from '../data/signature-agents.json' with { type: 'json' };
import type { Intent } from './hit.ts';
import type { BotLists, IpRangeSet } from './lists.ts';
import { verifiableEngines } from './merge.ts';

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
  const ipRanges: IpRangeSet[] = ranges.sets
    .filter(({ prefixes }) => prefixes.length > 0)
    .map(({ engine, bots: names, prefixes, complete }) => ({
      engine,
      bots: [...names],
      prefixes: [...prefixes],
      ...(complete ? {} : { complete: false }),
    }));
  return {
    version: bots.version + referrers.version + ranges.version + agents.version,
    generated_at: `${[bots, referrers, ranges, agents]
      .map(({ updated }) => updated)
      .sort()
      .at(-1)}T00:00:00Z`,
    bot_patterns: bots.bots.map(({ token, name, vendor, engine, intent }) => ({
      pattern: token,
      bot_name: name,
      intent: intent as Intent,
      engine,
      vendor,
    })),
    ai_referrer_domains: referrers.domains.map(({ domain }) => domain),
    ai_referrer_apps: referrers.apps.map(({ package: name }) => name),
    ai_referrer_names: Object.fromEntries([
      ...referrers.domains.map(({ domain, engine }) => [domain, engine]),
      ...referrers.apps.map(({ package: name, engine }) => [name, engine]),
    ]),
    verifiable_engines: verifiableEngines(ipRanges),
    ip_ranges: ipRanges,
    signature_agents: agents.agents.map(({ source: _, intent, ...agent }) => ({
      ...agent,
      intent: intent as Intent,
      keys: agent.keys.map(({ x, kid }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid })),
    })),
  };
}
