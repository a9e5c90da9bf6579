import type { ReportAnswer } from '../../features/reports/api.ts';

export type ShareAnswer = ReportAnswer<'ai-share'>;
export type Share = ShareAnswer['pages'];
export type ShareState = Share['state'];
export type DayShare = ShareAnswer['series'][number]['pages'];

export const SLICES = [
  'ai_bots',
  'ai_referrals',
  'other_bots',
  'people',
] as const satisfies readonly (keyof Share)[];
export type SliceName = (typeof SLICES)[number];
export type Slice = Share[SliceName];
