/**
 * The three lists as they travel (`GET /v1/config/ai-bots`). Collectors in the field read the first four arrays
 * and `version`: their shape never changes, members may only be added.
 */
import type { Intent } from './hit.ts';

/**
 * The vendors that deployed collectors check. They have eight range files of these three vendors built in, and check every
 * engine named here by them: with another name they would call that vendor's genuine crawlers false.
 */
export const VERIFIABLE_ENGINES: readonly string[] = ['google', 'openai', 'perplexity'];

/**
 * The bots whose own file is among those eight. Their `false` for another bot, of these vendors too, is a check against other bots'
 * addresses.
 */
export const FIELD_CHECKED_BOTS: ReadonlySet<string> = new Set([
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'PerplexityBot',
  'Perplexity-User',
  'GoogleOther',
  'GoogleOther-Image',
  'GoogleOther-Video',
  'Google-CloudVertexBot',
  'Googlebot',
  'Googlebot-Image',
  'Googlebot-News',
  'Googlebot-Video',
  'Storebot-Google',
  'Google-InspectionTool',
]);

export interface BotPattern {
  /** Lower-case token; see `classify.ts` for the boundary rule. */
  pattern: string;
  bot_name: string;
  intent: Intent;
  /** Lower-case key of the vendor's product family, shared with `ip_ranges` and `signature_agents`. */
  engine: string;
  vendor: string;
  /** Added by the operator of this installation. */
  custom?: boolean;
}

export interface IpRangeSet {
  engine: string;
  /** The bot names (of `bot_patterns`) that these prefixes prove. */
  bots: string[];
  /** CIDR prefixes, IPv4 and IPv6. */
  prefixes: string[];
  /** `false`: some of the vendor's prefixes are missing. Being inside proves the bot, being outside proves nothing. Absent: whole. */
  complete?: boolean;
  /**
   * Day of the last good reading (`YYYY-MM-DD`). A set that is older than `FRESH_DAYS` at a visit proves and refutes nothing. Absent or
   * empty: of unknown age, which counts as old.
   */
  as_of?: string;
}

export interface SignatureAgentKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
}

/** How a `Signature-Agent` stands for keys: an origin's well-known directory, a key set's own URL, or an agent card. */
export type SignatureAgentType = 'directory' | 'jwks_uri' | 'cimd';

export interface SignatureAgent {
  engine: string;
  bot_name: string;
  intent: Intent;
  /** What `url` is, and what the requests must say that it is; absent: `directory`. */
  type?: SignatureAgentType;
  /** The key directory, key set or card; `url_pattern` instead where a vendor has one directory per customer. */
  url?: string;
  /** An https URL in whose host `*` stands for a label or part of one (`compileUrlPattern`): no regular expression travels. */
  url_pattern?: string;
  /** Further bots of the vendor (names of `bot_patterns`) whose requests this agent's keys sign. */
  bots?: string[];
  /** Day of the last good reading of the keys (`YYYY-MM-DD`); absent or empty: never read. */
  as_of?: string;
  keys: SignatureAgentKey[];
}

export interface BotLists {
  version: number;
  /** RFC 3339, UTC. */
  generated_at: string;
  bot_patterns: BotPattern[];
  ai_referrer_domains: string[];
  ai_referrer_apps: string[];
  /** Domain or app package → product name (`ChatGPT`). Beside the two arrays, because old collectors read those as they are. */
  ai_referrer_names?: Record<string, string>;
  /** Always `VERIFIABLE_ENGINES`. Newer collectors read `ip_ranges` instead. */
  verifiable_engines: string[];
  ip_ranges: IpRangeSet[];
  signature_agents: SignatureAgent[];
}
