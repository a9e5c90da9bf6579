import type {
  Compared,
  DayOfBots,
  Figures,
  Intent,
  IntentTotal,
  Paged,
} from '../../features/reports/types.ts';

type Previous = { readonly hits: number; readonly pages: number };

export interface BotItem extends Figures, Compared<Previous> {
  readonly vendor: string;
  /** Empty where vendors are listed. */
  readonly bot: string;
  readonly intent: Intent | '';
  readonly bots: number;
  readonly pages: number;
  readonly files: number;
  /** Of all AI bot hits of the list. */
  readonly share: number;
  /** null: data begins less than a week before. */
  readonly is_new: boolean | null;
  /** Hits a day, oldest first. */
  readonly series: readonly number[];
}

export interface BotsAnswer extends Paged<BotItem> {
  readonly totals: Figures &
    Compared<Previous> & {
      readonly bots: number;
      readonly vendors: number;
      readonly pages: number;
      /** Rows that came in the period before, and not in this one. */
      readonly gone: number;
    };
  readonly by_intent: readonly IntentTotal[];
  readonly series: readonly DayOfBots[];
}
