import type { Verdict } from '../../visits/verdict.ts';
import type { FilterName } from '../search.ts';
import type {
  Compared,
  DayOfBots,
  Envelope,
  Estimates,
  Figures,
  FixFirst,
  Intent,
  IntentTotal,
} from '../types.ts';

interface BotOf {
  readonly vendor: string;
  readonly bot: string;
  readonly intent: Intent | '';
  readonly hits: number;
  readonly estimated: number;
}

/** The figures of the first page, in one answer. */
export interface OverviewAnswer extends Envelope {
  readonly headline: {
    readonly ai_bot_hits: number;
    readonly estimated: number;
    readonly spoofed: number;
    readonly bots: number;
    readonly pages: number;
    readonly files: number;
    readonly on_demand: number;
    readonly referrals: number;
    readonly failures: number;
    readonly estimates: Estimates;
  };
  readonly ai_bots: Figures &
    Compared<{ readonly hits: number }> & {
      readonly pages: number;
      readonly files: number;
      readonly bots: number;
      readonly on_demand: number;
    };
  readonly trust: Readonly<Record<Verdict, number>> & { readonly estimates: Estimates };
  readonly by_intent: readonly IntentTotal[];
  readonly series: readonly (DayOfBots & { readonly referrals: number })[];
  readonly top_bots: readonly (BotOf &
    Compared<{ readonly hits: number }> & { readonly last_seen: string })[];
  readonly new_bots: readonly (BotOf & { readonly first_seen: string })[];
  readonly top_pages: readonly {
    readonly host: string;
    readonly path: string;
    readonly hits: number;
    readonly estimated: number;
    readonly bots: number;
  }[];
  readonly referrals: Compared<unknown> & {
    readonly visits: number;
    readonly estimated: number;
    readonly top: readonly {
      readonly engine: string;
      readonly visits: number;
      readonly estimated: number;
    }[];
  };
  readonly failures: {
    readonly failures: number;
    readonly estimated: number;
    readonly failing_share: number | null;
    /** Beside `failures`; of them where spoofed visits are counted. */
    readonly spoofed: number;
    readonly estimates: Estimates;
    readonly fix_first: readonly FixFirst[];
  };
  readonly ai_share: {
    /** Whose: of all AI bots, or of those that a filter means. */
    readonly of: 'ai_bots' | 'filtered_bots';
    readonly state: 'ok' | 'too_few_samples' | 'not_available';
    readonly reason: 'log_push_only' | 'no_traffic' | null;
    readonly share: number | null;
    readonly low: number | null;
    readonly high: number | null;
    readonly samples: number;
  };
  readonly conversions: { readonly available: boolean; readonly conversions: string };
  /** Parts that some of the filters do not narrow, and which. */
  readonly not_filtered: Partial<Readonly<Record<'referrals' | 'conversions', readonly FilterName[]>>>;
}
