/**
 * What a hit is. Two shapes, one on each side of classification:
 *
 * - `ObservedHit`: what a decoder read from the wire, coerced and cut to the limits below, not yet classified.
 * - `StoredHit`: what the warehouse keeps, one row per hit; its member names are the column names, the export's
 *   field names and (in part) the Live view's.
 */

/** `test`: a visit that its sender made up to try the way here. Live and the list of visits show it; no figure counts it. */
export const HIT_CLASSES = ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'test'] as const;
export type HitClass = (typeof HIT_CLASSES)[number];

export const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
/** What a bot reads for; `on_demand` means that a person is asking now. */
export type Intent = (typeof INTENTS)[number];

/** The name of the log source that a hit came by: what the service's register of sources holds, and no closed set. */
export type Source = string;

export const VERIFICATION_METHODS = ['signature', 'edge_cidr', 'edge_platform', 'server_cidr'] as const;
/** How a true verdict was reached; the first two are made at the edge, `server_cidr` is our own range check. */
export type VerifiedBy = (typeof VERIFICATION_METHODS)[number];

/**
 * Why a bot's verdict is what it is, with the words for people; a closed set (docs/sending-data.md). The first five belong to
 * *verified*, the next two to *spoofed*, all others to *unknown*.
 */
export const VERDICT_REASONS = {
  signature: 'The collector verified a signature of the bot’s own vendor.',
  log_signature: 'The service verified the signature of the bot’s own vendor that the log holds.',
  edge_ranges: 'The collector found the address in the ranges that the vendor publishes for this bot.',
  ranges: 'The service found the address in the ranges that the vendor publishes for this bot.',
  edge_platform: 'Cloudflare reports this visitor as a verified bot.',
  outside_ranges: 'The address is outside the ranges that the vendor publishes for this bot.',
  edge_says_no: 'The collector found the address outside the ranges that the vendor publishes for this bot.',
  no_ranges_published: 'The vendor publishes no address ranges for this bot.',
  ranges_not_read: 'The vendor publishes ranges for this bot, but this installation has not read them yet.',
  partial_ranges: 'Only a part of the vendor’s ranges is known, and the address is not in that part.',
  ranges_stale:
    'The address is outside this installation’s copy of the vendor’s ranges, but that copy was read more than 7 days before or after the visit.',
  no_address: 'The hit carries no address to check.',
  sampled_address: 'The hit is a sample: its address is truncated and proves nothing.',
  anonymized_address: 'The log’s sender has truncated the address, so it proves nothing.',
  proxy_address: 'The logged address is a proxy’s, not the visitor’s.',
  edge_unchecked: 'The collector had no current ranges or keys to check with.',
  edge_lists_unknown:
    'The collector’s check failed, but it sent no date of its ranges and has none built in for this bot.',
  claim_without_method: 'The collector reports “verified” without a method.',
  signature_agent_unknown: 'The request was signed, but by no agent in the list.',
  signature_of_another: 'The signature is of an agent that does not sign for this bot.',
  signature_invalid:
    'The signature in the log does not match the request, or breaks the rules for signatures.',
  signature_expired: 'The signature in the log was not valid at the time of the visit.',
  signature_other_host: 'The signature in the log is for a host that does not belong to this property.',
  signature_incomplete:
    'The log lacks a part of the request that was signed, or does not say that the request came by https.',
  signature_key_unknown: 'The service does not have the key of the signature in the log.',
  signature_unchecked: 'More signed requests arrived than the service can check in a second.',
  users_machine: 'The tool runs on a user’s own machine, so its address proves nothing.',
} as const;
export type VerdictReason = keyof typeof VERDICT_REASONS;

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
  wafAction: 32,
} as const;

/** The least share that a sample may stand for. Below it a weight says nothing any more, and near zero it would be infinite. */
export const MIN_SAMPLE_RATE = 1e-6;

/**
 * Why an address that a log carries can't refute its visitor. `round`: it ends like one whose end was cut off, in a log that is not known to do that; it may
 * be whole, so it still proves.
 */
export type AddressFlaw = 'anonymized' | 'round' | 'proxy';

/** Why a signature that a log holds is no proof. */
export type SignatureFlaw =
  | 'signature_agent_unknown'
  | 'signature_invalid'
  | 'signature_expired'
  | 'signature_other_host'
  | 'signature_incomplete'
  | 'signature_key_unknown'
  | 'signature_unchecked';

/** What a log says of a signed request (Web Bot Auth), as received. Nothing of it is stored. */
export interface LoggedSignature {
  /** Empty where the line does not say. */
  readonly scheme: '' | 'http' | 'https';
  /** With its port, where it has one. */
  readonly authority: string;
  /** In its own case; empty where the line does not say. */
  readonly method: string;
  /** Path and query, undecoded; null where the line has them in another form. */
  readonly target: string | null;
  readonly signature: string;
  readonly input: string;
  readonly agent: string;
}

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
  /** The edge's verdict; null when the wire carried none. Also the service's own, where `signatureCheck` says so. */
  readonly edgeVerified: boolean | null;
  readonly edgeVerifiedBy: 'signature' | 'edge_cidr' | null;
  /** The edge had nothing to check against (no ranges, no keys yet), so its `false` says nothing. */
  readonly edgeUnchecked: boolean;
  /** Day of the ranges that the edge used (`YYYY-MM-DD`); empty where it doesn't say, as older collectors don't. */
  readonly edgeRangesAsOf: string;
  /** Log push `VerifiedBotCategory`, upper-cased, blanks as `_`; only values starting `AI_`, else null. */
  readonly platformCategory: string | null;
  /** In (0, 1], or null when the hit is no sample. */
  readonly sampleRate: number | null;
  /** In (0, 1]: which share of all requests the sender's log has, whatever they are; null: all of them. */
  readonly loggedShare: number | null;
  readonly workerVersion: string;
  /**
   * The request's id where the log names one, the same in every log of the request: a ray id, in lower case and without the data-centre
   * suffix, or what another sender calls it. Empty when absent.
   */
  readonly rayId: string;
  /** A signed agent's identity, as the collector reports it or as `signatureCheck` has verified it; empty when absent. */
  readonly signatureAgent: string;
  readonly addressFlaw: AddressFlaw | null;
  /** To be checked by the service; null: the log holds no signature, or its sender has checked it. */
  readonly signed: LoggedSignature | null;
  /**
   * What the service found when it checked `signed`; null: no check, or nothing to be said. With `verified` the hit also carries what an edge would
   * say of a verified signature (`edgeVerified`, `edgeVerifiedBy`, `signatureAgent`).
   */
  readonly signatureCheck: 'verified' | SignatureFlaw | null;
  /** What the platform's firewall did with the request, in its own word (`deny`); empty when it says nothing. */
  readonly wafAction: string;
  /** The sender says that it made the visit up. */
  readonly isTest?: boolean;
}

/** The frame of a hit: what a log says of each member that it does not carry. */
export const UNSAID = {
  attributionId: null,
  method: '',
  query: new Map(),
  ip: null,
  userAgent: '',
  referrer: '',
  status: 0,
  bytes: 0,
  country: '',
  asn: 0,
  edgeVerified: null,
  edgeVerifiedBy: null,
  edgeUnchecked: false,
  edgeRangesAsOf: '',
  platformCategory: null,
  sampleRate: null,
  loggedShare: null,
  workerVersion: '',
  rayId: '',
  signatureAgent: '',
  addressFlaw: null,
  signed: null,
  signatureCheck: null,
  wafAction: '',
} as const satisfies Partial<ObservedHit>;

/**
 * A row of numbers beside the hits, of a log that has every request: how many requests of a quarter of an hour were no AI visits. It makes that time
 * counted, also with a weight of 0. It stands for no single visit, and only shares of traffic read it.
 */
export interface CountedRow
  extends Pick<StoredHit, 'id' | 'organization_id' | 'attribution_id' | 'at' | 'received_at'>,
    Pick<StoredHit, 'source' | 'host' | 'sample_rate' | 'other_bot' | 'ray_id'> {
  class: 'counted';
  /** Of other programs: which one, as `agentOf` shortens it; absent: not told apart. */
  user_agent?: string;
  /** No page: an image, a script, a feed. */
  asset: boolean;
  /** How many requests; more than were counted where the log has only a share of them. */
  weight: number;
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
  /** Why; empty for people, and for rows from before it was recorded. */
  verdict_reason: VerdictReason | '';
  /** Day of the ranges that decided (`YYYY-MM-DD`); empty where none did. */
  ranges_as_of: string;
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
  /** 0 unless the hit came as a sample, or from a log that has only a share of all requests. */
  sample_rate: number;
  /** 1 / sample_rate where there is one, 1 otherwise. */
  weight: number;
  /** A sample whose user agent is a program's: no AI bot, and no person. */
  other_bot: boolean;
  worker_version: string;
  /** `ObservedHit.rayId`: the request's id, of whichever sender. */
  ray_id: string;
  /** `ObservedHit.wafAction` */
  waf_action: string;
  /** Version of the bot list that classified it. */
  list_version: number;
}
