/** What the management API answers (contract §5), as the dashboard reads it. Times are ISO 8601 unless said otherwise. */

export type HitClass = 'ai_bot' | 'ai_referral' | 'sample' | 'event';
export type Intent = 'training' | 'search' | 'on_demand' | 'other';
export type Provider = 'edge_worker' | 'edge_logpush';

export interface Property {
  id: string;
  name: string;
  domain: string;
  created_at?: string;
}

export interface IngestKey {
  id: string;
  prefix: string;
  name: string;
  provider: Provider;
  attribution_id?: string | null;
  created_at?: string;
  last_used_at?: string | null;
  revoked_at?: string | null;
}

/** The answer to issuing: the only time that the whole key is seen. */
export interface IssuedKey {
  id: string;
  key: string;
  prefix: string;
}

export interface LiveItem {
  id: string;
  at: string | number;
  /** When the service took it; the Live window runs on this. */
  received_at?: string | number;
  class: HitClass;
  bot_name: string;
  vendor: string;
  intent: Intent | '' | null;
  /** true, false (spoofed), null (the vendor publishes nothing to check against). */
  verified: boolean | null;
  verified_by: string | null;
  method: string;
  host: string;
  path: string;
  status: number;
  country: string;
  user_agent: string;
  referrer_engine: string;
  source: string;
  /** A browser event that came from a machine. */
  sdk_bot: boolean;
  event_name?: string | null;
}

export interface SetupSource {
  source: string;
  last_at: string | number;
  count?: number;
  host?: string;
  path?: string;
  bot_name?: string;
  worker_version?: string;
}

export interface SetupFinding {
  code?: string;
  severity: 'error' | 'warning' | 'info';
  title: string;
  detail: string;
  action: string;
  count: number;
  last_at: string | number | null;
}

export interface SetupDiagnosis {
  state: 'waiting' | 'active' | 'stale';
  sources: SetupSource[];
  findings: SetupFinding[];
}

export interface ServiceConfig {
  version: string;
  base_url: string;
  app_base_url: string;
  max_upload_bytes?: number;
}

/** The part of the public bot list that the dashboard shows. */
export interface BotList {
  version: number;
  generated_at: string;
  bot_patterns: readonly unknown[];
  ai_referrer_domains: readonly unknown[];
  verifiable_engines: readonly string[];
  ip_ranges: readonly { prefixes: readonly string[] }[];
}
