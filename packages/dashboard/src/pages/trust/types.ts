import type { VerdictReason } from '@ghostlight/core';
import type { Changed, Day, Estimates, Intent, Paged } from '../../features/reports/types.ts';
import type { Verdict } from '../../features/visits/verdict.ts';

export const METHODS = ['signature', 'edge_cidr', 'edge_platform', 'server_cidr'] as const;
export type Method = (typeof METHODS)[number];
/** Of hits that are not verified: those of verified ones are shown by method. */
export type Reason =
  | Exclude<VerdictReason, 'signature' | 'edge_ranges' | 'ranges' | 'edge_platform'>
  | 'not_recorded';

interface Judged extends Record<Verdict, number> {
  readonly hits: number;
  readonly estimated: number;
  readonly estimates: Estimates;
  readonly spoofed_share: number | null;
  readonly methods: Readonly<Record<Method, number>>;
  /** Every hit has one, verified ones too. */
  readonly reasons: Readonly<Record<VerdictReason | 'not_recorded', number>>;
  readonly previous: { readonly hits: number; readonly spoofed: number } | null;
  readonly last_spoofed: string | null;
}

export interface TrustItem extends Judged {
  readonly vendor: string;
  readonly bot: string;
  readonly intent: Intent | '';
}

export interface TrustAnswer extends Paged<TrustItem> {
  readonly totals: Judged & Changed;
  readonly series: readonly (Day & { readonly estimates: Estimates } & Readonly<Record<Verdict, number>>)[];
}

export interface SourceItem {
  readonly asn: number;
  readonly country: string;
  readonly hits: number;
  readonly estimated: number;
  readonly bots: number;
  readonly paths: number;
  /** Names that visits from there gave themselves. */
  readonly claimed: readonly string[];
  readonly first_seen: string;
  readonly last_seen: string;
}

export type SourcesAnswer = Paged<SourceItem>;
