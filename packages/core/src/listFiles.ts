/** The list files of `data/` and how lists are made of them. The maintenance of the lists builds with it what it checks. */
import type { Intent } from './hit.ts';
import { type BotLists, type IpRangeSet, type SignatureAgentType, VERIFIABLE_ENGINES } from './lists.ts';

interface ListFile {
  /** Raised with every change; the lists' version is the sum of the four. */
  version: number;
  /** `YYYY-MM-DD` */
  updated: string;
}

export interface BotRow {
  /** Lower-case; what is looked for. */
  token: string;
  name: string;
  vendor: string;
  engine: string;
  /** One of `INTENTS`. */
  intent: string;
  /** `core`, `listed`, `contested`, `retired`: how sure it is; see the file. */
  tier: string;
  source: string;
}

export interface BotsFile extends ListFile {
  sources: {
    name: string;
    licence: string;
    retrieved: string;
    url?: string;
    commit?: string;
    note?: string;
  }[];
  bots: BotRow[];
  /** Upstream name → why it is left out. */
  denied: Record<string, string>;
}

export interface RangeRow {
  id: string;
  engine: string;
  bots: string[];
  /** Where the vendor publishes the set: JSON, or a page with JSON in it. */
  url: string;
  complete: boolean;
  /** Day on which the copy was last known to be the vendor's (`YYYY-MM-DD`); empty where there is no copy. */
  as_of: string;
  copied_from: string;
  prefixes: string[];
}

export interface RangesFile extends ListFile {
  sets: RangeRow[];
}

export interface ReferrersFile extends ListFile {
  domains: { domain: string; engine: string }[];
  apps: { package: string; engine: string }[];
}

export interface AgentsFile extends ListFile {
  agents: {
    engine: string;
    bot_name: string;
    intent: string;
    url?: string;
    url_pattern?: string;
    type?: string;
    bots?: string[];
    keys: { x: string; kid: string }[];
  }[];
}

export interface ListFiles {
  bots: BotsFile;
  ranges: RangesFile;
  referrers: ReferrersFile;
  agents: AgentsFile;
}

/** Shares nothing with the files: the caller may change what it gets. */
export function buildLists({ bots, ranges, referrers, agents }: ListFiles): BotLists {
  const files = [bots, ranges, referrers, agents];
  // A set without prefixes stays in: it tells a bot whose vendor publishes, but was not read yet, from one without any.
  const ipRanges: IpRangeSet[] = ranges.sets.map(({ engine, bots: names, prefixes, complete, as_of }) => ({
    engine,
    bots: [...names],
    prefixes: [...prefixes],
    ...(complete ? {} : { complete: false }),
    as_of,
  }));
  return {
    version: files.reduce((sum, { version }) => sum + version, 0),
    generated_at: `${files
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
    verifiable_engines: [...VERIFIABLE_ENGINES],
    ip_ranges: ipRanges,
    signature_agents: agents.agents.map((agent) => ({
      engine: agent.engine,
      bot_name: agent.bot_name,
      intent: agent.intent as Intent,
      ...(agent.url === undefined ? {} : { url: agent.url }),
      ...(agent.url_pattern === undefined ? {} : { url_pattern: agent.url_pattern }),
      ...(agent.type === undefined ? {} : { type: agent.type as SignatureAgentType }),
      ...(agent.bots === undefined ? {} : { bots: [...agent.bots] }),
      ...(agent.keys.length === 0 ? {} : { as_of: agents.updated }),
      keys: agent.keys.map(({ x, kid }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid })),
    })),
  };
}
