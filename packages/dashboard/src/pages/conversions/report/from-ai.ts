/** What visits from AI engines earned: the channel of AI assistants. */
import type { ComparedRow, Report } from '../../../features/conversions/api.ts';
import type { Amount } from '../../../features/conversions/money.ts';
import { shareOf } from './series.ts';

export const AI_CHANNEL = 'ai_assistant';

interface FromAi {
  /** Decimal text: models may share one conversion. */
  readonly conversions: string;
  /** In the first currency of the totals; null: they have no value in it. */
  readonly amount: Amount | null;
  /** Whole percent of the total in that currency; null: nothing to compare. */
  readonly share: number | null;
  readonly earlier: ComparedRow | undefined;
}

/** @param report by channel */
export function fromAi({
  rows,
  totals,
  comparison,
}: Pick<Report, 'rows'> & {
  readonly totals: Pick<Report['totals'], 'values'>;
  readonly comparison: Pick<NonNullable<Report['comparison']>, 'rows'> | null;
}): FromAi {
  const row = rows.find(({ key }) => key === AI_CHANNEL);
  const [whole] = totals.values;
  const amount = row?.values.find(({ currency }) => currency === whole?.currency) ?? null;
  return {
    conversions: row?.conversions ?? '0',
    amount,
    share: amount === null || whole === undefined ? null : shareOf(amount.value, whole.value),
    earlier: comparison?.rows?.find(({ key }) => key === AI_CHANNEL),
  };
}
