import type { Compared, Day, Envelope, Estimates, Paged } from '../../features/reports/types.ts';

type Signals = { readonly referrer: number; readonly app: number; readonly utm_source: number };
type Previous = { readonly visits: number };

export interface ReferralItem extends Compared<Previous> {
  readonly engine: string;
  readonly host: string;
  readonly path: string;
  readonly visits: number;
  readonly estimated: number;
  readonly by_signal: Signals;
  readonly pages: number;
  readonly failed: number;
  readonly estimates: Estimates;
  readonly first_seen: string;
  readonly last_seen: string;
}

export interface ReferralsAnswer extends Paged<ReferralItem> {
  readonly totals: Compared<Previous> & {
    readonly visits: number;
    readonly estimated: number;
    readonly engines: number;
    readonly pages: number;
    readonly by_signal: Signals;
    readonly estimates: Estimates;
  };
  readonly series: readonly (Day & {
    readonly visits: number;
    readonly engines: Readonly<Record<string, number>>;
    /** `engines.<name>`. */
    readonly estimates: Estimates;
  })[];
}

export interface FunnelItem {
  readonly key: string;
  readonly name: string;
  readonly products: readonly string[];
  readonly crawled: {
    readonly hits: number;
    readonly estimated: number;
    readonly training: number;
    readonly search: number;
    readonly on_demand: number;
    readonly other: number;
    readonly pages: number;
  };
  readonly referred: { readonly visits: number; readonly estimated: number; readonly pages: number };
  readonly converted: {
    readonly conversions: string;
    readonly values: readonly { readonly currency: string; readonly value: string }[];
  } | null;
  readonly crawls_per_referral: number | null;
}

export interface FunnelAnswer extends Envelope {
  readonly conversions: { readonly available: boolean; readonly cut: boolean };
  readonly items: readonly FunnelItem[];
  readonly note: string;
}
