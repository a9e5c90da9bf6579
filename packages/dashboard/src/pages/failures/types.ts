import type { ReportAnswer } from '../../features/reports/api.ts';

export type FailuresAnswer = ReportAnswer<'failures'>;
export type FailureItem = FailuresAnswer['items'][number];
