import type { ReportAnswer } from '../../features/reports/api.ts';

export type BotsAnswer = ReportAnswer<'bots'>;
export type BotItem = BotsAnswer['items'][number];
