import type { ReportAnswer } from '../api.ts';

/** The figures of the first page, in one answer. */
export type OverviewAnswer = ReportAnswer<'overview'>;
