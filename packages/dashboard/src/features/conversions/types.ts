/** What the management API answers about conversions. Times are ISO 8601, money and shared counts decimal text. */
import type { Topic } from '@ghostlight/core/conversion';
import type { Amount } from './money.ts';

export const DIMENSIONS = ['channel', 'campaign', 'source'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface Conversion {
  readonly id: string;
  readonly conversion_id: string;
  readonly topic: Topic;
  readonly event_name: string | null;
  readonly at: string;
  readonly value: string | null;
  readonly currency: string | null;
  readonly session_matched: boolean;
  readonly match_reason: string | null;
  readonly channel: string | null;
  readonly platform: string | null;
  readonly campaign: string | null;
  readonly source: string | null;
  readonly medium: string | null;
  readonly visitor_id: string | null;
  /** The order that a refund is of. */
  readonly refund_of: string | null;
}

export interface Touch {
  readonly id: string;
  readonly at: string;
  readonly channel: string;
  readonly platform: string | null;
  readonly paid: boolean;
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly landing: { readonly host: string; readonly path: string };
  readonly referrer_host: string;
  /** Names only. */
  readonly click_ids: readonly string[];
  readonly winner: boolean;
}

export interface Product {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly quantity?: number | string | null;
  /** Decimal text of one piece. */
  readonly price?: string | number | null;
}

export interface ConversionDetail extends Conversion {
  readonly tax: string | null;
  readonly shipping: string | null;
  readonly discount_code: string | null;
  readonly lead_type: string | null;
  /** As it was sent; null: nothing was said. */
  readonly consent: Readonly<Record<string, unknown>> | null;
  readonly touches: readonly Touch[];
  readonly products: readonly Product[];
  readonly extra: Readonly<Record<string, unknown>>;
  /** Masked; null once it is deleted. */
  readonly personal: unknown;
  /** The browser told of the same conversion: it is linked, and counted once. */
  readonly linked_browser_event: boolean;
  readonly refunds: readonly Conversion[];
}

export interface ConversionPage {
  readonly items: readonly Conversion[];
  /** Names the place after the last item; null at the end. */
  readonly next: string | null;
}

export interface ReportRow {
  readonly key: string;
  readonly platform: string | null;
  readonly conversions: string;
  /** Refunds are subtracted: it may be less than nothing. */
  readonly values: readonly Amount[];
  readonly refunds: readonly Amount[];
}

export interface SeriesPoint {
  /** A UTC day, `2026-11-21`. */
  readonly day: string;
  readonly key: string;
  readonly conversions: string;
  readonly values: readonly Amount[];
}

export interface Report {
  readonly rows: readonly ReportRow[];
  /** Days and keys without a conversion are left out. */
  readonly series: readonly SeriesPoint[];
  readonly totals: {
    readonly conversions: string;
    readonly matched: string;
    readonly values: readonly Amount[];
    readonly refunds: readonly Amount[];
  };
  /** Only the newest 250,000 conversions were counted. */
  readonly cut: boolean;
}
