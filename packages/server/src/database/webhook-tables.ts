/** The tables of webhooks, conversions and tracking domains as types. Money is decimal text, flags are 0 and 1, objects are JSON text. */
import type { Generated } from 'kysely';

/** What a property says about receiving conversions; no row: receiving was never enabled and everything is at its default. */
interface WebhookSettingsTable {
  attribution_id: string;
  organization_id: string;
  enabled: number;
  /** Days from the click in which a conversion is attributed to it: 1–90. */
  lookback_days: number;
  /** What an absent `consent` means. */
  consent_default: 'by_region' | 'denied' | 'unknown' | 'granted';
  updated_at: number;
}

/** As `ingest_keys`: the full key stands nowhere. */
interface WebhookKeysTable {
  id: string;
  organization_id: string;
  attribution_id: string;
  name: string;
  prefix: string;
  digest: string;
  /** Requests per minute. */
  rate_limit: number;
  /** State of the rate limit: the theoretical arrival time of the next request, epoch microseconds. */
  arrival_us: number;
  created_at: number;
  last_used_at: number | null;
  /** The network of its address: `203.0.113.0/24`. */
  last_used_from: Generated<string | null>;
  revoked_at: number | null;
}

/** A shop platform that delivers its own webhooks to a property. */
interface WebhookShopsTable {
  id: string;
  organization_id: string;
  attribution_id: string;
  platform: string;
  /** JSON `{current, previous}` of what signs deliveries, encrypted for the purpose `webhook_shop:<id>`. */
  secrets: string;
  /** Until when the previous secret is accepted too; null: there is none. */
  previous_until: number | null;
  rate_limit: number;
  arrival_us: number;
  created_at: number;
  changed_at: number;
  /** The last signed delivery, and what came of it. */
  last_at: number | null;
  last_topic: string | null;
  last_result: string | null;
  last_detail: string | null;
  /** The last unsigned test of the address. */
  pinged_at: number | null;
  /** Signed deliveries by result. */
  stored: number;
  repeated: number;
  ignored: number;
  unusable: number;
}

/** Customers of a shop that have to be forgotten: acknowledged, and not done yet. */
interface WebhookRedactionsTable {
  id: string;
  organization_id: string;
  attribution_id: string;
  platform: string;
  /** JSON `{email, orderIds}`, or null for all customers; encrypted for the purpose `webhook_redaction:<id>`. */
  whose: string;
  received_at: number;
}

/** Recent Activity: the newest 20 requests per property and status. */
interface WebhookRequestsTable {
  id: string;
  organization_id: string;
  attribution_id: string;
  at: number;
  status: 'success' | 'auth_error' | 'validation_error' | 'rate_limited';
  http_status: number;
  topic: string;
  session_matched: number;
  match_reason: string | null;
  /** `cnv_…` of `conversions`. */
  conversion_row: string | null;
  /** As the sender named it. */
  conversion_id: string | null;
  key_prefix: string | null;
  /** `woocommerce`, `shopify`: a delivery of that platform. */
  shop: string | null;
  /** Its topic and its id, as the platform says them. */
  delivery: string | null;
  error: string | null;
  /** How many requests this row represents: unauthenticated ones are sampled. */
  count: number;
  /** JSON: what was received, personal data masked; null when nothing was read. */
  received: string | null;
  /** JSON `{duplicate, warnings, errors}`. */
  judgement: string | null;
}

interface ConversionsTable {
  /** `cnv_` and 32 hex digits. */
  id: string;
  organization_id: string;
  attribution_id: string;
  topic: string;
  /** The shop platform whose own webhook said it; null: sent with a webhook key. */
  shop: string | null;
  /** Kind and text of what makes a repeat a repeat: `r:` refund_id, `c:` conversion_id, `k:` Idempotency-Key, `g:` generated; `e:` a hash of one that named a forgotten person. */
  idempotency_key: string;
  conversion_id: string;
  refund_id: string | null;
  event_name: string | null;
  visitor_id: string | null;
  occurred_at: number;
  received_at: number;
  value: string | null;
  currency: string | null;
  tax: string | null;
  shipping: string | null;
  discount_code: string | null;
  lead_type: string | null;
  products: string;
  consent: string | null;
  /** JSON of user data and unknown fields, encrypted for the purpose `conversion:<id>`; null once it is deleted. */
  personal: string | null;
  personal_until: number | null;
  /** SHA-256 of the event, to tell a repeat with another body; deleted with the personal data that it was made from. */
  payload_digest: string | null;
  session_matched: number;
  match_reason: string;
  /** A refund's purchase: `cnv_…`. */
  purchase_row: string | null;
  model: string | null;
  /** JSON of the touch that won, and of all touches in the window, frozen. */
  winner: string | null;
  touches: string;
  channel: string | null;
  platform: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  /** Until when a late touch may still match it; null: it may not. */
  match_until: number | null;
}

/** What the browser said of a conversion: linked by the same conversion id, never counted. */
interface BrowserConversionsTable {
  attribution_id: string;
  organization_id: string;
  topic: string;
  conversion_id: string;
  event_id: string;
  visitor_id: string | null;
  session_id: string | null;
  at: number;
}

/** Custom tracking domains. Any property may claim a name; at one time only one can have it verified. */
interface TrackingDomainsTable {
  domain: string;
  attribution_id: string;
  organization_id: string;
  /** What the TXT record has to say. */
  token: string;
  created_at: number;
  /** When it was first found right; null: it serves nothing. */
  verified_at: number | null;
  checked_at: number | null;
  /** Since when the record is not found any longer; after the grace the domain is taken out of service. */
  failing_since: number | null;
  error: string | null;
}

export interface WebhookTables {
  webhook_settings: WebhookSettingsTable;
  webhook_keys: WebhookKeysTable;
  webhook_shops: WebhookShopsTable;
  webhook_redactions: WebhookRedactionsTable;
  webhook_requests: WebhookRequestsTable;
  conversions: ConversionsTable;
  browser_conversions: BrowserConversionsTable;
  tracking_domains: TrackingDomainsTable;
}
