/** Puts refreshed parts into lists that stand, so that an empty or missing answer never takes anything away. */
import type { BotLists, IpRangeSet, SignatureAgentKey } from './lists.ts';

export interface ListUpdate {
  version: number;
  /** RFC 3339, UTC. */
  generated_at: string;
  /** Sets read whole from their vendor. */
  ip_ranges?: readonly IpRangeSet[];
  /** Directory URL → the keys it holds now, and the day on which it was read (`YYYY-MM-DD`). */
  agent_keys?: ReadonlyMap<string, { readonly keys: readonly SignatureAgentKey[]; readonly as_of: string }>;
}

/**
 * A refreshed set replaces the standing sets of the same bots; empty sets and unknown agents are ignored. Neither argument is changed.
 */
export function mergeLists(base: BotLists, update: ListUpdate): BotLists {
  const fresh = (update.ip_ranges ?? []).filter(({ prefixes }) => prefixes.length > 0);
  const replaced = new Set(fresh.flatMap(({ bots }) => bots));
  const kept = base.ip_ranges
    .map((set) => ({ ...set, bots: set.bots.filter((bot) => !replaced.has(bot)) }))
    .filter(({ bots }) => bots.length > 0);
  const ipRanges = [...kept, ...fresh];
  return {
    ...base,
    version: update.version,
    generated_at: update.generated_at,
    ip_ranges: ipRanges,
    signature_agents: base.signature_agents.map((agent) => {
      const read = agent.url === undefined ? undefined : update.agent_keys?.get(agent.url);
      return read === undefined ? agent : { ...agent, keys: [...read.keys], as_of: read.as_of };
    }),
  };
}
