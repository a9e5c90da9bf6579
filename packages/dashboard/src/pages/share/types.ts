import type { Day, Envelope } from '../../features/reports/types.ts';

export type ShareState = 'ok' | 'too_few_samples' | 'not_available';

export interface Slice {
  readonly hits: number;
  readonly exact: number;
  readonly share: number | null;
  /** 95 % interval of the share. */
  readonly low: number | null;
  readonly high: number | null;
}

export const SLICES = ['ai_bots', 'ai_referrals', 'other_bots', 'people'] as const;
export type SliceName = (typeof SLICES)[number];

export interface Share extends Readonly<Record<SliceName, Slice>> {
  readonly state: ShareState;
  readonly reason: 'log_push_only' | 'no_traffic' | null;
  readonly samples: number;
  readonly total: { readonly hits: number; readonly low: number | null; readonly high: number | null };
}

export interface DayShare {
  readonly state: ShareState;
  readonly share: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly samples: number;
}

export interface ShareAnswer extends Envelope {
  readonly pages: Share;
  readonly requests: Share;
  readonly series: readonly (Day & { readonly pages: DayShare; readonly requests: DayShare })[];
  readonly collector_hits: number;
  readonly log_push_hits: number;
  readonly sample_rates: readonly number[];
  readonly days_without_samples: number;
}
