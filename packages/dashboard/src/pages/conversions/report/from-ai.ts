/** What visits from AI engines earned: the channel of AI assistants. */
import type { ComparedRow, Report } from '../../../features/conversions/api.ts';
import type { Amount } from '../../../features/conversions/money.ts';
import { shareOf } from './series.ts';

export const AI_CHANNEL = 'ai_assistant';

interface FromAi {
  /** Decimal text: models may share one conversion. */
  readonly conversions: string;
  /** In the chosen currency; null: they have no value in it. */
  readonly amount: Amount | null;
  /** Whole percent of the total in that currency; null: nothing to compare. */
  readonly share: number | null;
  readonly earlier: ComparedRow | undefined;
}

/**
 * @param report by channel
 * @param currency of the amount
 */
export function fromAi(
  {
    rows,
    totals,
    comparison,
  }: Pick<Report, 'rows'> & {
    readonly totals: Pick<Report['totals'], 'values'>;
    readonly comparison: Pick<NonNullable<Report['comparison']>, 'rows'> | null;
  },
  currency: string | null,
): FromAi {
  const row = rows.find(({ key }) => key === AI_CHANNEL);
  const inIt = (amounts: readonly Amount[] = []) => amounts.find((one) => one.currency === currency);
  const whole = inIt(totals.values);
  const amount = inIt(row?.values) ?? null;
  return {
    conversions: row?.conversions ?? '0',
    amount,
    share: amount === null || whole === undefined ? null : shareOf(amount.value, whole.value),
    earlier: comparison?.rows?.find(({ key }) => key === AI_CHANNEL),
  };
}
