import type { ReportAnswer } from '../../features/reports/api.ts';

export type TrustAnswer = ReportAnswer<'trust'>;
export type TrustItem = TrustAnswer['items'][number];
export type Method = keyof TrustItem['methods'];
export const METHODS = [
  'signature',
  'edge_cidr',
  'edge_platform',
  'server_cidr',
] as const satisfies readonly Method[];
/** Of hits that are not verified: those of verified ones are shown by method. */
export type Reason = Exclude<
  keyof TrustItem['reasons'],
  'signature' | 'edge_ranges' | 'ranges' | 'edge_platform'
>;
export type SourcesAnswer = ReportAnswer<'trust/sources'>;
export type SourceItem = SourcesAnswer['items'][number];
