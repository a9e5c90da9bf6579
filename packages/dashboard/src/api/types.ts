/** What the management API answers (contract §5), as the dashboard reads it. Times are ISO 8601 unless said otherwise. */
import type { VerdictReason } from '@ghostlight/core';

export type HitClass = 'ai_bot' | 'ai_referral' | 'sample' | 'search_engine' | 'event';
export type Intent = 'training' | 'search' | 'on_demand' | 'other';
export type Provider = 'edge_worker' | 'edge_logpush';

/** What a member of an organization may do; each may what the next one may. */
export const ROLES = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Who is signed in. */
export interface Session {
  readonly kind: 'root' | 'person' | 'token';
  /** What the audit log calls them. */
  readonly actor: string;
  readonly role: Role;
  /** Null for the root token, which is nobody. */
  readonly person: (Named & { readonly email: string }) | null;
  /** Null: every organization. */
  readonly organization: Named | null;
}

export type SignIn =
  | { readonly token: string }
  | { readonly email: string; readonly password: string; readonly code?: string };

export interface SignInOptions {
  /** A forgotten password is reset by mail. */
  readonly mail: boolean;
  /** False: nobody has an account yet. */
  readonly people: boolean;
}

export interface Property {
  id: string;
  name: string;
  domain: string;
  /** IANA name; the days of reports are days there. */
  time_zone: string;
  /** The first day of that zone; null: every day is of it. */
  time_zone_since: string | null;
  /** Visits of search crawlers are stored, under a class of their own. */
  search_engines: boolean;
  /** Days that are counted again since the zone was changed; null: none. */
  recount: { days: number; counted: number } | null;
  created_at?: string;
}

export type PropertyFields = Pick<Property, 'name' | 'domain' | 'time_zone'>;

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

interface RowCounts {
  ai_bot: number;
  ai_referral: number;
  sample: number;
  search_engine: number;
  event: number;
  /** Those of `ai_bot` that are not who they say. */
  spoofed: number;
}

/** The Live window counted by the service: stored rows, however few of them a list holds. */
export interface LiveSummaryAnswer {
  from: string;
  /** By the service's clock, as `received_at`: a row that arrived later is not counted yet. */
  to: string;
  totals: RowCounts;
  /** 30 whole minutes, oldest first. */
  minutes: readonly (RowCounts & { at: string })[];
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
  /** Why the verdict is what it is; empty for people, and for hits of before it was recorded. */
  verdict_reason: VerdictReason | '';
  /** Day of the address ranges that decided (`YYYY-MM-DD`); empty where none did. */
  ranges_as_of: string;
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

/** What was refused, as received; addresses and query values are taken out by the service. */
export interface RejectedElement {
  id: string;
  at: string;
  endpoint: string;
  reason: string;
  field: string | null;
  body: string;
}

export interface ServiceConfig {
  version: string;
  base_url: string;
  app_base_url: string;
  retention_days: number;
}

/** One file that the service reads daily: published address ranges, or the keys that agents sign with. */
export interface ListSource {
  source: string;
  kind: 'list' | 'ranges' | 'keys';
  url: string;
  entries: number;
  skipped: number;
  /** Null: the copy that came with the code. */
  fetched_at: string | null;
  /** How old that copy is, in the list's words. */
  as_of: string | null;
  checked_at: string | null;
  /** Why the last look failed; the last good copy is in use. */
  error: string | null;
}

export interface Lists {
  version: number;
  sources: readonly ListSource[];
}
