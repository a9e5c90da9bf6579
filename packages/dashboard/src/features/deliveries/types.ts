/** What the management API answers about deliveries. Times are ISO 8601, money decimal text. */
import type { Topic } from '@ghostlight/core/conversion';
import type { Guarantee, ShownRequest, ShownResponse } from '../destinations/types.ts';

export const STATUSES = [
  'pending',
  'sending',
  'retry',
  'accepted_async',
  'delivered',
  'skipped',
  'unknown',
  'dead',
] as const;
export type Status = (typeof STATUSES)[number];

/** What a list may be asked for: the states, and all at once that are on their way. */
export const STATUS_FILTERS = ['waiting', ...STATUSES] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export interface Delivery {
  readonly id: string;
  /** `cnv_…`. */
  readonly conversion: string;
  /** As the sender named it. */
  readonly conversion_id: string;
  readonly topic: Topic;
  readonly event_name: string | null;
  readonly platform: string;
  readonly platform_event: string | null;
  readonly destination: { readonly id: string; readonly name: string; readonly deleted: boolean };
  readonly status: Status;
  readonly reason: string | null;
  readonly message: string | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly sent_at: string | null;
  readonly settled_at: string | null;
  readonly next_at: string | null;
  readonly value: string | null;
  readonly currency: string | null;
  readonly replayable: boolean;
}

export interface DeliveryPage {
  readonly items: readonly Delivery[];
  /** Names the place after the last item; null at the end. */
  readonly next: string | null;
}

export interface Attempt {
  readonly at: string;
  /** Null: no answer came. */
  readonly http_status: number | null;
  readonly ms: number | null;
  readonly verdict: string;
  readonly message: string | null;
}

export interface DeliveryDetail extends Delivery {
  readonly request: ShownRequest | null;
  readonly response: ShownResponse | null;
  /** The newest ten. */
  readonly history: readonly Attempt[];
  readonly guarantee: Guarantee | null;
  /** What it means and what to do. */
  readonly explanation: string;
  readonly notes: readonly string[];
}

export interface BulkReplay {
  readonly status: 'dead';
  readonly platform?: string;
  readonly destination?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface BulkReplayed {
  readonly replayed: number;
  /** Their personal data is deleted already. */
  readonly expired: number;
  readonly remaining: number;
}

/** Deliveries of one destination, over a day or the period. */
export interface Counts {
  readonly created: number;
  readonly delivered: number;
  /** Taken, not judged yet. */
  readonly accepted: number;
  readonly waiting: number;
  readonly dead: number;
  readonly unknown: number;
  readonly skipped: Readonly<Record<string, number>>;
}

export interface DestinationCounts extends Counts {
  readonly destination: string;
  readonly platform: string;
}

export interface DestinationTotals extends DestinationCounts {
  readonly name: string;
  readonly deleted: boolean;
  /** Accepted and delivered over created less skipped, decimal text; null: nothing to divide by. */
  readonly rate: string | null;
}

export interface ReportDay {
  /** The property’s day on which the conversions were received. */
  readonly day: string;
  readonly received: number;
  readonly matched: number;
  readonly destinations: readonly DestinationCounts[];
}

export interface ForwardingReport {
  readonly days: readonly ReportDay[];
  readonly totals: {
    readonly received: number;
    /** Of those. */
    readonly refunds: number;
    readonly matched: number;
    readonly destinations: readonly DestinationTotals[];
  };
}
