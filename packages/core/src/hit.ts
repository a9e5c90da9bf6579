/**
 * What a hit is. Two shapes, one on each side of classification:
 *
 * - `ObservedHit`: what a decoder read from the wire, coerced and cut to the limits below, not yet judged.
 * - `StoredHit`: what the warehouse keeps, one row per hit; its member names are the column names, the export's
 *   field names and (in part) the Live view's.
 */

export const HIT_CLASSES = ['ai_bot', 'ai_referral', 'sample'] as const;
export type HitClass = (typeof HIT_CLASSES)[number];

export const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
/** What a bot reads for; `on_demand` means that a person is asking now. */
export type Intent = (typeof INTENTS)[number];

export const SOURCES = ['edge_worker', 'edge_logpush'] as const;
/** The endpoint that a hit came by. */
export type Source = (typeof SOURCES)[number];

export const VERIFICATION_METHODS = ['signature', 'edge_cidr', 'edge_platform', 'server_cidr'] as const;
/** How a true verdict was reached; the first two are made at the edge, `server_cidr` is our own range check. */
export type VerifiedBy = (typeof VERIFICATION_METHODS)[number];

export const REFERRAL_SIGNALS = ['referrer', 'app', 'utm_source'] as const;
/** Which of the three traces made a hit an AI referral (contract: classification beyond the referrer). */
export type ReferralSignal = (typeof REFERRAL_SIGNALS)[number];

/** Over-long values are cut to these, never refused. Lengths are UTF-16 code units. */
export const FIELD_LIMITS = {
  userAgent: 1024,
  referrer: 2048,
  path: 4096,
  host: 253,
  method: 16,
  queryParams: 64,
  queryKey: 256,
  queryValue: 2048,
  workerVersion: 64,
  rayId: 64,
  signatureAgent: 256,
} as const;

/** The least share that a sample may stand for. Below it a weight says nothing any more, and near zero it would be infinite. */
export const MIN_SAMPLE_RATE = 1e-6;

/** A hit as a decoder hands it on: every string well-formed and bounded, every number finite and in range. */
export interface ObservedHit {
  readonly source: Source;
  /** Epoch milliseconds, as the edge observed it. */
  readonly at: number;
  /** Lower-case UUID, or null when the element named none. */
  readonly attributionId: string | null;
  /** Lower-case, without a trailing dot. */
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  /** As received; used for the range check, truncated for samples, otherwise forgotten. */
  readonly ip: string | null;
  readonly userAgent: string;
  readonly referrer: string;
  /** 0 when absent. */
  readonly status: number;
  /** Body bytes; 0 when absent. */
  readonly bytes: number;
  /** Two upper-case letters, or empty. */
  readonly country: string;
  /** 0 when absent. */
  readonly asn: number;
  /** The edge's verdict; null when the wire carried none. */
  readonly edgeVerified: boolean | null;
  readonly edgeVerifiedBy: 'signature' | 'edge_cidr' | null;
  /** The edge had nothing to check against (no ranges, no keys yet), so its `false` says nothing. */
  readonly edgeUnchecked: boolean;
  /** Log push `VerifiedBotCategory`, upper-cased, blanks as `_`; only values starting `AI_`, else null. */
  readonly platformCategory: string | null;
  /** In (0, 1], or null when the hit is no sample. */
  readonly sampleRate: number | null;
  readonly workerVersion: string;
  /** The edge's request id, lower-case, without the data-centre suffix; empty when absent. */
  readonly rayId: string;
  /** A signed agent's identity as the collector reports it; empty when absent. */
  readonly signatureAgent: string;
}

/** One row of the warehouse's `hits`. No address is kept except a sample's truncated one. */
export interface StoredHit {
  /** UUID; derived from the ray id where there is one. */
  id: string;
  organization_id: string;
  attribution_id: string;
  /** Epoch milliseconds of the visit. */
  at: number;
  /** Epoch milliseconds when the service took it; the Live window and cursor run on this. */
  received_at: number;
  source: Source;
  class: HitClass;
  bot_name: string;
  vendor: string;
  engine: string;
  intent: Intent | '';
  /** true, false (spoofed), or null: the vendor publishes nothing to check against. */
  verified: boolean | null;
  verified_by: VerifiedBy | '';
  signature_agent: string;
  /** The AI engine's product name (`ChatGPT`), for referrals. */
  referrer_engine: string;
  referral_signal: ReferralSignal | '';
  host: string;
  method: string;
  path: string;
  query_params: Record<string, string>;
  status: number;
  bytes: number;
  country: string;
  asn: number;
  user_agent: string;
  /** The full referrer for bots and samples' bare host; for referrals the host alone. */
  referrer: string;
  /** Samples only: IPv4 /24 or IPv6 /48; empty for every other class. */
  sample_ip: string;
  /** 0 unless the hit came as a sample. */
  sample_rate: number;
  /** 1 / sample_rate for samples, 1 otherwise. */
  weight: number;
  /** A sample whose user agent is a program's: no AI bot, and no person. */
  other_bot: boolean;
  worker_version: string;
  ray_id: string;
  /** Version of the bot list that judged it. */
  list_version: number;
}
