/** Puts refreshed parts into lists that stand, so that an empty or missing answer never takes anything away. */
import type { BotLists, IpRangeSet, SignatureAgentKey } from './lists.ts';

export interface ListUpdate {
  version: number;
  /** RFC 3339, UTC. */
  generated_at: string;
  /** Sets read whole from their vendor. */
  ip_ranges?: readonly IpRangeSet[];
  /** Directory URL → the keys it holds now. */
  agent_keys?: ReadonlyMap<string, readonly SignatureAgentKey[]>;
}

/** Engines for which an edge may say `false`: at least one of their sets is whole. */
export function verifiableEngines(sets: readonly IpRangeSet[]): string[] {
  const whole = sets.filter(({ prefixes, complete }) => prefixes.length > 0 && complete !== false);
  return [...new Set(whole.map(({ engine }) => engine))].sort();
}

/**
 * A refreshed set replaces the standing sets of the same bots; empty sets and unknown agents are ignored. `verifiable_engines`
 * is drawn anew. Neither argument is changed.
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
    verifiable_engines: verifiableEngines(ipRanges),
    signature_agents: base.signature_agents.map((agent) => {
      const keys = agent.url === undefined ? undefined : update.agent_keys?.get(agent.url);
      return keys === undefined ? agent : { ...agent, keys: [...keys] };
    }),
  };
}
