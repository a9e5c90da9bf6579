/** The tables of forwarding as types: where conversions go, and each one's way there. Times in epoch ms, flags 0 and 1, objects JSON text. */

interface DestinationsTable {
  /** `dst_` and 32 hex digits. */
  id: string;
  organization_id: string;
  attribution_id: string;
  platform: string;
  name: string;
  config: string;
  /** JSON of the credentials, encrypted for `destination:<id>`. */
  credentials: string;
  credentials_at: number;
  /** JSON: topic or `custom:<name>` → the platform's event, or null. */
  events: string;
  /** 1: by a person; deliveries wait. */
  paused: number;
  /** JSON `{kind, code, message, at}`: paused by an answer of the platform, until a person fixes it. */
  alarm: string | null;
  /** Nothing is sent before: the platform asked for it, or the breaker is open. */
  not_before: number | null;
  /** Requests that failed one after the other. */
  failures: number;
  /** Grows with every change of what requests are made of. */
  revision: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

interface DeliveriesTable {
  /** `dlv_` and 32 hex digits. */
  id: string;
  organization_id: string;
  attribution_id: string;
  destination_id: string;
  platform: string;
  /** `cnv_…`. */
  conversion_row: string;
  topic: string;
  /** As the sender named it. */
  conversion_id: string;
  visitor_id: string | null;
  state: 'pending' | 'sending' | 'delivered' | 'retry' | 'accepted_async' | 'dead' | 'skipped' | 'unknown';
  /** Skip reason, or the platform's code. */
  reason: string | null;
  /** A sentence for people. */
  message: string | null;
  /** The platform's name of the event. */
  platform_event: string | null;
  guarantee: 'dedup' | 'at_most_once' | null;
  attempts: number;
  /** When its turn comes (pending, retry), or when it is asked about (accepted_async). */
  next_at: number | null;
  /** Who holds it, and until when (sending). */
  lease: string | null;
  lease_until: number | null;
  /** Rows that share it are sent together and alone: halves of a batch that was rejected. */
  split: string | null;
  /** The platform's reference of an accepted request. */
  ref: string | null;
  /** JSON: the request as it was sent for this event alone, secrets and personal data masked. */
  request: string | null;
  /** JSON `{status, body}` of the last answer, cut and masked. */
  response: string | null;
  /** JSON: the newest 10 attempts `{at, http_status, ms, verdict, message}`. */
  history: string;
  created_at: number;
  updated_at: number;
  /** First time that it left. */
  sent_at: number | null;
  /** When it came to its end. */
  settled_at: number | null;
}

export interface ForwardingTables {
  destinations: DestinationsTable;
  deliveries: DeliveriesTable;
}
