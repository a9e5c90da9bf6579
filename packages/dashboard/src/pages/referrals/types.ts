import type { ReportAnswer } from '../../features/reports/api.ts';

export type ReferralsAnswer = ReportAnswer<'referrals'>;
export type ReferralItem = ReferralsAnswer['items'][number];
export type FunnelAnswer = ReportAnswer<'funnel'>;
export type FunnelItem = FunnelAnswer['items'][number];
