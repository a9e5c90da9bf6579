/** What only the earlier days had: rows and amounts that are zero now. Without them, the earlier figures would not add up. */
import type { ComparedRow, Report, ReportRow } from '../../../features/conversions/api.ts';
import type { Amount } from '../../../features/conversions/money.ts';

/** Whether a report shows nothing at all: neither its days nor those compared with have a conversion or a refund. */
export const isEmpty = ({
  totals,
  comparison,
}: {
  readonly totals: Pick<Report['totals'], 'conversions' | 'refunds'>;
  readonly comparison: { readonly totals: Pick<Report['totals'], 'conversions' | 'refunds'> | null } | null;
}): boolean =>
  [totals, comparison?.totals ?? null].every(
    (of) => of === null || (Number(of.conversions) === 0 && of.refunds.length === 0),
  );

/** The rows of a report, and below them those that only the earlier days had. */
export function withGoneRows(rows: readonly ReportRow[], earlier: readonly ComparedRow[]): ReportRow[] {
  return [
    ...rows,
    ...earlier
      .filter(({ gone }) => gone)
      .map(({ key }) => ({ key, platform: null, conversions: '0', values: [], refunds: [] })),
  ];
}

export interface KnownAmount extends Amount {
  /** Of an amount that is zero now: what it was. */
  readonly before?: Amount;
}

/** The amounts of now, and a zero in each currency that only the earlier days had. */
export function withGoneAmounts(now: readonly Amount[], earlier: readonly Amount[] = []): KnownAmount[] {
  const shown = new Set(now.map(({ currency }) => currency));
  const gone = earlier.filter(({ currency }) => !shown.has(currency));
  return [
    ...now,
    ...gone.map(({ currency, value }) => ({ currency, value: '0', before: { currency, value } })),
  ];
}
