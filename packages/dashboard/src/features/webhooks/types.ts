/** What the management API answers about receiving conversions. Times are ISO 8601. */
import type { Topic } from '@ghostlight/core/conversion';

export const CONSENT_DEFAULTS = ['by_region', 'unknown', 'granted', 'denied'] as const;
export type ConsentDefault = (typeof CONSENT_DEFAULTS)[number];

export interface WebhookSettings {
  readonly enabled: boolean;
  /** Followed by `/` and a topic. */
  readonly endpoint: string;
  /** 1 to 90. */
  readonly lookback_days: number;
  readonly consent_default: ConsentDefault;
}

export type SettingsChange = Partial<Omit<WebhookSettings, 'endpoint'>>;

export interface WebhookKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** Requests per minute. */
  readonly rate_limit: number;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export type ActivityStatus = 'success' | 'auth_error' | 'validation_error' | 'rate_limited';

export interface ActivityItem {
  readonly id: string;
  readonly at: string;
  readonly status: ActivityStatus;
  /** As it stood in the address: a stranger may have written anything. */
  readonly topic: Topic | string;
  readonly session_matched: boolean;
  readonly match_reason: string | null;
  readonly http_status: number;
  readonly conversion_id: string | null;
  readonly key_prefix: string | null;
  readonly error: string | null;
  /** How many requests the row stands for. */
  readonly count: number;
}

export interface Finding {
  /** JSON pointer into the body. */
  readonly pointer: string;
  readonly message: string;
}

export interface ActivityDetail extends ActivityItem {
  /** The body, personal data masked; null when nothing was read. */
  readonly received: unknown;
  /** `received` holds only the short members of a long body. */
  readonly cut: boolean;
  /** Answered as before; nothing changed. */
  readonly duplicate: boolean;
  readonly warnings: readonly Finding[];
  readonly errors: readonly Finding[];
  /** `cnv_…` of the conversion that it made or repeated. */
  readonly conversion: string | null;
  /** Why it did or did not match, and what to do. */
  readonly explanation: string;
}

export type DomainState = 'pending' | 'verified' | 'failing';

export interface TrackingDomain {
  readonly domain: string;
  readonly state: DomainState;
  /** The TXT record that proves the domain. */
  readonly record: { readonly name: string; readonly value: string };
  readonly checked_at: string | null;
  readonly verified_at: string | null;
  /** Since when the record was not found any longer; the domain is served for seven more days. */
  readonly failing_since: string | null;
  /** What the last look found wrong. */
  readonly error: string | null;
}
