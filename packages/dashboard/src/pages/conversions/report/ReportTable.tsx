import { CREDIT_MODELS, type CreditModel } from '@ghostlight/core/conversion';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import type { ComparedRow, Dimension, Report, ReportRow } from '../../../features/conversions/api.ts';
import { type Amount, formatCount, isZero } from '../../../features/conversions/money.ts';
import { Delta } from '../../../features/reports/Stat.tsx';
import { rangeLabel } from '../../../format/period.ts';
import { ListLink } from '../list/ListLink.tsx';
import { DIMENSION_NAMES, keyName, MODEL_WORDS } from '../messages.ts';
import type { SearchChange } from '../search.ts';
import { comparedSums, pairText } from './compared.ts';
import { type Currencies, valueName } from './currencies.ts';
import { type KnownAmount, withGoneAmounts } from './gone.ts';
import { measuredIn, ratio, shareOfRow } from './series.ts';

interface ReportTableProps {
  report: Report;
  by: Dimension;
  model: CreditModel;
  /** What the chart is measured in, and so shares and changes; nothing chosen: the number. */
  currencies: Currencies;
  /** The colours of the chart, by key. */
  paints: ReadonlyMap<string, string>;
  money: (amount: Amount) => string;
  onFilter: (change: SearchChange) => void;
}

const SHARE_WIDTH = 64;
/** Of every model; that of the last click says it in its own words. */
const DIRECT = 'Direct visits get credit only when there is no other visit.';

/** The result of each channel, campaign or source. A name filters the page, where the service supports it. */
export function ReportTable({ report, by, model, currencies, paints, money, onFilter }: ReportTableProps) {
  const { chosen: currency } = currencies;
  const { rows, totals, comparison } = report;
  const earlier = comparison?.rows ?? null;
  const measured = measuredIn(currency);
  const whole =
    currency === null
      ? totals.conversions
      : (totals.values.find((one) => one.currency === currency)?.value ?? '0');
  // A column of excuses says less than none.
  const changed = rows.filter(
    ({ key }) =>
      changeOf(
        earlier?.find((row) => row.key === key),
        currency,
      ) != null,
  );
  const showsChange = earlier !== null && changed.length * 2 >= rows.length;
  const sorted = currency === null ? 'conversions' : 'value';
  const hasRefunds = rows.some(({ refunds }) => refunds.length > 0);
  // Of channels, the row without a key is that of the conversions that are not matched.
  const filterOf = (key: string): SearchChange | null =>
    key !== '' ? { [by]: key } : by === 'channel' ? { matched: 'no' } : null;
  return (
    <div className="table-card">
      <div className="chart-top">
        <div>
          <h3>By {by}</h3>
          <p className="aside" role="status" title={DIRECT}>
            {MODEL_WORDS[model].about}
            {model !== 'last_click' && ` ${DIRECT}`}
          </p>
        </div>
        <CreditSelect model={model} onChoose={(chosen) => onFilter({ model: chosen })} />
        <ChartFiles title={`Conversions by ${by}`} table={() => tableOf(rows, by, comparison)} />
      </div>
      <table className="table report-table" aria-label={`Conversions by ${by}`}>
        <thead>
          <tr>
            <th scope="col">{DIMENSION_NAMES[by]}</th>
            <th scope="col" className="cell-share">
              Share of {currency === null ? 'number' : valueName(currencies)}
            </th>
            <Head name="Conversions" isSorted={sorted === 'conversions'} />
            <Head name={hasRefunds ? 'Value after refunds' : 'Value'} isSorted={sorted === 'value'} />
            {showsChange && (
              <th
                scope="col"
                className="cell-number"
                title={currency === null ? 'Of conversions' : `Of value in ${currency}`}
              >
                Change
              </th>
            )}
            {hasRefunds && (
              <th scope="col" className="cell-number">
                Refunded
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const filter = filterOf(row.key);
            const then = earlier?.find(({ key }) => key === row.key);
            return (
              <tr key={`${row.key} ${row.platform ?? ''}`}>
                <th scope="row" className="break">
                  <span className="report-name">
                    {filter === null ? (
                      <span className={row.key === '' ? 'quiet' : undefined}>{keyName(row.key, by)}</span>
                    ) : (
                      <button
                        type="button"
                        className="row-filter break"
                        title="Filter by this"
                        onClick={() => onFilter(filter)}
                      >
                        {keyName(row.key, by)}
                      </button>
                    )}
                    {row.platform !== null && row.platform !== '' && (
                      <span className="tag">{row.platform}</span>
                    )}
                  </span>
                </th>
                <td className="cell-share">
                  <Share
                    value={measured(row)}
                    whole={whole}
                    share={shareOfRow(row, currency, whole)}
                    paint={paints.get(row.key)}
                  />
                </td>
                <td className="cell-number" data-label="Conversions">
                  {filter === null || isZero(row.conversions) ? (
                    formatCount(row.conversions)
                  ) : (
                    <ListLink narrow={filter} isCredit={row.key !== ''}>
                      {formatCount(row.conversions)}
                    </ListLink>
                  )}
                  {then !== undefined && Number(row.conversions) === 0 && (
                    <span className="amount quiet">{formatCount(then.conversions)} before</span>
                  )}
                </td>
                <td className="cell-number" data-label={hasRefunds ? 'After refunds' : 'Value'}>
                  <Amounts amounts={withGoneAmounts(row.values, then?.values)} money={money} />
                </td>
                {showsChange && (
                  <td className="cell-number" data-label="Change">
                    <Change {...{ report, currency, money }} earlier={then} />
                  </td>
                )}
                {hasRefunds && (
                  <td className="cell-number" data-label="Refunded">
                    <Amounts amounts={row.refunds} money={money} />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface CreditSelectProps {
  model: CreditModel;
  /** Undefined: the default. */
  onChoose: (model: CreditModel | undefined) => void;
}

/** Which visits get the credit: not a filter, but another way to count. */
function CreditSelect({ model, onChoose }: CreditSelectProps) {
  return (
    <select
      className="input select credit"
      aria-label="Credit"
      value={model}
      onChange={({ target }) => {
        const chosen = CREDIT_MODELS.find((name) => name === target.value);
        onChoose(chosen === 'last_click' ? undefined : chosen);
      }}
    >
      {CREDIT_MODELS.map((name) => (
        <option key={name} value={name}>
          Credit: {MODEL_WORDS[name].name.toLowerCase()}
        </option>
      ))}
    </select>
  );
}

/** The head of a figure; the rows are sorted by one of them, the largest first. */
function Head({ name, isSorted }: { name: string; isSorted: boolean }) {
  return (
    <th
      scope="col"
      className="cell-number"
      data-sorted={isSorted}
      aria-sort={isSorted ? 'descending' : undefined}
    >
      {isSorted && <span aria-hidden="true">↓ </span>}
      {name}
    </th>
  );
}

/** What the chart measures, on the days compared with. */
const measuredThen = (earlier: ComparedRow | undefined, currency: string | null) =>
  currency === null ? earlier : earlier?.values.find((amount) => amount.currency === currency);

const changeOf = (earlier: ComparedRow | undefined, currency: string | null) =>
  measuredThen(earlier, currency)?.change;

interface ChangeProps {
  report: Report;
  /** The row on the days compared with. */
  earlier: ComparedRow | undefined;
  currency: string | null;
  money: (amount: Amount) => string;
}

/** Of what the chart measures. */
function Change({ report, earlier, currency, money }: ChangeProps) {
  const of = measuredThen(earlier, currency);
  const sums = of?.change == null ? null : comparedSums(report, currency, earlier?.key);
  const format = (value: string) => (currency === null ? formatCount(value) : money({ currency, value }));
  return (
    <Delta
      of={of}
      more="good"
      pair={sums === null ? undefined : pairText(sums, format)}
      none={noneText(earlier, currency)}
      noneWhy="A percentage of few conversions would mean nothing."
    />
  );
}

/** Why a row has no percentage. A sum of zero or below has none either, however many conversions it has. */
function noneText(earlier: ComparedRow | undefined, currency: string | null): string {
  if (earlier === undefined) return 'new';
  const before =
    currency === null
      ? earlier.conversions
      : (earlier.values.find((amount) => amount.currency === currency)?.value ?? '0');
  return Number(before) > 0 ? 'too few before' : '–';
}

/**
 * A line for each currency; one without an amount has none. With a comparison, each has the figures of the days before: together they are
 * all of them.
 */
export function tableOf(rows: readonly ReportRow[], by: Dimension, comparison: Report['comparison']) {
  const { previous } = comparison?.period ?? { previous: null };
  const earlier = previous === null ? null : (comparison?.rows ?? null);
  const than = previous === null ? '' : rangeLabel(previous);
  const of = (amounts: readonly Amount[], code: string) =>
    amounts.find(({ currency }) => currency === code)?.value ?? '';
  return {
    head: [
      ...[DIMENSION_NAMES[by], 'Platform', 'Conversions', 'Currency', 'Value after refunds', 'Refunded'],
      ...(earlier === null ? [] : ['Compared with', 'Conversions then', 'Value then']),
    ],
    rows: rows.flatMap(({ key, platform, conversions, values, refunds }) => {
      const then = earlier?.find((row) => row.key === key);
      const amounts = withGoneAmounts(values, then?.values);
      const codes = [...new Set([...amounts, ...refunds].map(({ currency }) => currency))];
      return (codes.length === 0 ? [''] : codes).map((code) => [
        ...[keyName(key, by), platform ?? '', conversions, code, of(amounts, code), of(refunds, code)],
        ...(earlier === null ? [] : [than, then?.conversions ?? '0', of(then?.values ?? [], code)]),
      ]);
    }),
  };
}

interface ShareProps {
  value: string;
  /** Of the period: the bar is full where a row has it all. */
  whole: string;
  /** Whole percent; null: none can be given. */
  share: number | null;
  /** Its colour in the chart; undefined: it is among the others there. */
  paint: string | undefined;
}

function Share({ value, whole, share, paint }: ShareProps) {
  const width = ratio(value, whole) * SHARE_WIDTH;
  return (
    <span className="share">
      <svg width={SHARE_WIDTH} height="6" viewBox={`0 0 ${SHARE_WIDTH} 6`} aria-hidden="true">
        <rect className="share-all" width={SHARE_WIDTH} height="6" rx="3" />
        {width > 0 && (
          <rect
            {...(paint === undefined ? { className: 'share-part' } : { 'data-paint': paint })}
            width={Math.max(3, width)}
            height="6"
            rx="3"
          />
        )}
      </svg>
      <span className="number quiet">{share === null ? '–' : `${share}%`}</span>
    </span>
  );
}

function Amounts({ amounts, money }: { amounts: readonly KnownAmount[]; money: (amount: Amount) => string }) {
  if (amounts.length === 0) return <span className="quiet">–</span>;
  return amounts.map((amount) => (
    <span key={amount.currency} className="amount">
      {money(amount)}
      {amount.before !== undefined && <span className="amount quiet">{money(amount.before)} before</span>}
    </span>
  ));
}
