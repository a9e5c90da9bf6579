/** The lists that travel with the code: what a service or a collector knows before its first refresh. */
import bots from '../data/bots.json' with { type: 'json' };
import ranges from '../data/ip-ranges.json' with { type: 'json' };
import referrers from '../data/referrers.json' with { type: 'json' };
import agents from '../data/signature-agents.json' with { type: 'json' };
import { type AgentsFile, buildLists } from './listFiles.ts';
import type { BotLists, SignatureAgentType } from './lists.ts';

/** Where a vendor publishes the ranges of some of its bots. */
export interface RangeSource {
  readonly id: string;
  readonly engine: string;
  readonly bots: readonly string[];
  /** JSON, or a page with JSON in it; `parseRangeFile` reads both. */
  readonly url: string;
  readonly embedded: EmbeddedCopy;
}

/** The key directory of a vendor whose agents sign their requests. */
export interface KeySource {
  readonly bots: readonly string[];
  readonly url: string;
  /** What answers at the URL. */
  readonly type: SignatureAgentType;
  readonly embedded: EmbeddedCopy;
}

/** What of a source travels with the code. */
export interface EmbeddedCopy {
  /** Prefixes or keys; 0 where the vendor's file could not be had when the lists were made. */
  readonly entries: number;
  /** When the vendor said so: a day, or words where the copy names none. Empty where there is no copy. */
  readonly as_of: string;
}

/** What the daily refresh reads. A source that was read whole becomes one `IpRangeSet`, without `complete`. */
export function rangeSources(): RangeSource[] {
  return ranges.sets.map(({ id, engine, bots: names, url, prefixes, as_of }) => ({
    id,
    engine,
    bots: [...names],
    url,
    embedded: { entries: prefixes.length, as_of },
  }));
}

/** The directories among them. Agents that are known by host pattern have none of their own. */
export function keySources(): KeySource[] {
  const { agents: rows }: AgentsFile = agents;
  return rows.flatMap(({ bot_name, bots: names = [bot_name], url, type = 'directory', keys }) =>
    url === undefined
      ? []
      : [
          {
            bots: [...names],
            url,
            type: type as SignatureAgentType,
            embedded: { entries: keys.length, as_of: keys.length === 0 ? '' : agents.updated },
          },
        ],
  );
}

/**
 * The embedded lists as though every source had been read on a day: where made-up visitors come from the ranges that travel with the code.
 * @param at epoch milliseconds, somewhere in that day
 */
export function embeddedListsReadAt(at: number): BotLists {
  const lists = embeddedLists();
  const as_of = new Date(at).toISOString().slice(0, 10);
  return {
    ...lists,
    ip_ranges: lists.ip_ranges.map((set) => (set.prefixes.length === 0 ? set : { ...set, as_of })),
  };
}

/** A fresh copy each time: the caller may change it. */
export function embeddedLists(): BotLists {
  return buildLists({ bots, ranges, referrers, agents });
}
