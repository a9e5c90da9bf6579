/** The currencies of a report, and the one that the page measures value in. Amounts of two currencies are never added or compared. */
import type { Report } from '../../../features/conversions/api.ts';
import type { Amount } from '../../../features/conversions/money.ts';

export interface Currencies {
  /** That of most conversions first; those of the earlier days alone are last. */
  readonly all: readonly string[];
  /** What chart, shares and the first totals are in; null: nothing has a value. */
  readonly chosen: string | null;
}

interface WithAmounts {
  /** Decimal text. */
  readonly conversions: string;
  readonly values: readonly Amount[];
}

/** @param asked in the address; without it, or if the report has nothing in it, the currency of most conversions is chosen */
export function currenciesOf(
  { series, totals, comparison }: Pick<Report, 'series' | 'totals' | 'comparison'>,
  asked: string | undefined,
): Currencies {
  const { series: earlier = null, totals: before = null } = comparison ?? {};
  // By day: rows depend on the grouping, and so would the choice. Totals have what is beyond the rows of the series.
  const parts = [series, [totals], earlier ?? [], before === null ? [] : [before]];
  const all = [...new Set(parts.flatMap(mostFrequent))];
  return { all, chosen: all.find((code) => code === asked) ?? all[0] ?? null };
}

function mostFrequent(parts: readonly WithAmounts[]): string[] {
  const counts = new Map<string, number>();
  for (const { conversions, values } of parts) {
    for (const { currency } of values) {
      counts.set(currency, (counts.get(currency) ?? 0) + Number(conversions));
    }
  }
  return [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b)).map(([code]) => code);
}

/** Amounts with that of the chosen currency first. */
export const chosenFirst = <A extends Amount>(
  amounts: readonly A[],
  { chosen }: Pick<Currencies, 'chosen'>,
): A[] => amounts.toSorted((a, b) => Number(b.currency === chosen) - Number(a.currency === chosen));

/** What a share is of: `value`, or `value in EUR` where there are several currencies. */
export const valueName = ({ all, chosen }: Currencies): string =>
  all.length > 1 ? `value in ${chosen}` : 'value';
