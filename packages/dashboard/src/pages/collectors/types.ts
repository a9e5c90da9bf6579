import type { ReportAnswer } from '../../features/reports/api.ts';

export type CollectorsAnswer = ReportAnswer<'collectors'>;
export type CollectorVersion = CollectorsAnswer['versions'][number];
export type CollectorHost = CollectorsAnswer['hosts'][number];
