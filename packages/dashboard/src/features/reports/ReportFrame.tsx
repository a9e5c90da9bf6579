import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Property } from '../../api/types.ts';
import type { Period } from '../../format/period.ts';
import { dateTime, dayIn, dayLabel } from '../../format/time.ts';
import { PeriodNotice } from '../../parts/PeriodNotice.tsx';
import { PeriodPicker } from '../../parts/PeriodPicker.tsx';
import { ErrorState, failed, ofThisChoice } from '../../parts/states.tsx';
import { Time } from '../../parts/Time.tsx';
import { type ChartFacts, ChartFactsContext } from '../charts/facts.ts';
import { PageHead } from '../page/PageHead.tsx';
import { ShareMenu } from '../sharing/ShareMenu.tsx';
import '../../styles/workspace.css';
import './styles/index.css';
import type { Envelope } from './api.ts';
import { byTheHour, type Comparison, ComparisonContext, comparisonOf, periodSentence } from './comparison.ts';
import { type Counts, FilterBar } from './FilterBar.tsx';
import { FiltersButton } from './FiltersButton.tsx';
import { hoursNow, hoursThan, useHours } from './hours.ts';
import { type Outline, OutlineView } from './Outline.tsx';
import { overQuotaSentence } from './over-quota.ts';
import { PeriodLine } from './PeriodLine.tsx';
import { type FilterName, filtersSet } from './search.ts';
import type { ReportAddress } from './useReportSearch.ts';

interface ReportFrameProps<Answer extends Envelope> {
  title: string;
  /** The title is a path. */
  isPath?: boolean;
  /** Before it: the mark of what the page is about. */
  mark?: ReactNode;
  /** Above it: a link to the list that this is one of. */
  back?: ReactNode;
  about?: ReactNode;
  /** Beside the title: a link to what it names. */
  link?: ReactNode;
  /** Views of the page, below what it is about. */
  tabs?: ReactNode;
  /** Whether a phone folds that away: not where it holds the way back to a list. */
  folds?: boolean;
  property: Property;
  address: ReportAddress;
  /** The main report of the page: its state is the state of the page. */
  report: UseQueryResult<Answer>;
  offers: readonly FilterName[];
  /** Filters that the title names: they are not offered, and stay when the others are cleared. */
  held?: readonly FilterName[];
  /** What the report counts, where its filters don't tell. */
  counts?: Counts;
  /** Whether its figures are compared with those of another period. */
  compares?: boolean;
  /** It compares the hours of a day that is not over. */
  byHour?: boolean;
  /** Whether its view is handed on: not that of a page about the site's own setup. */
  shares?: boolean;
  /** Beside the period: an export. */
  actions?: ReactNode;
  /** Above the filters: the ways to see the list. */
  views?: ReactNode;
  /** Before the filters: what all figures of the page are about. */
  choice?: ReactNode;
  /** The page lists bots: its search finds them. */
  findsBots?: boolean;
  /** What is drawn before the report has loaded. */
  outline: Outline;
  /** Something above the report is not known yet, and would push it down. */
  isHeld?: boolean;
  children: (answer: Answer) => ReactNode;
}

/** The frame of a report page: title, period, filters, loading and error states, and a note about incomplete days. */
export function ReportFrame<Answer extends Envelope>({
  title,
  isPath = false,
  mark,
  back,
  about,
  link,
  tabs,
  folds = true,
  property,
  address,
  report: asked,
  offers,
  held = [],
  counts,
  compares = true,
  byHour = false,
  shares = true,
  actions,
  views,
  choice,
  findsBots,
  outline,
  isHeld = false,
  children,
}: ReportFrameProps<Answer>) {
  const report = ofThisChoice(asked);
  const isOff = !compares || address.period.compare === 'none';
  const whole = report.data === undefined ? null : comparisonOf(report.data, isOff);
  const hours = hoursNow(
    useHours('hours', property.id, address, byHour && whole !== null && whole.gap !== null),
  );
  const comparison =
    whole === null || hours === undefined ? whole : byTheHour(whole, hoursThan(hours, property.time_zone));
  const [isFiltering, setFiltering] = useState(false);
  const filtersId = useId();
  const filters = filtersSet(address.search, held);
  const hasFilters = offers.length > 0 || filters > 0;
  return (
    <div className="report-page">
      <PageHead
        title={title}
        isPath={isPath}
        mark={mark}
        back={back}
        about={about}
        beside={
          <>
            {link}
            <PeriodLine period={address.period} comparison={comparison} />
          </>
        }
        tabs={tabs}
        folds={folds}
      >
        <PeriodPicker
          period={address.period}
          timeZone={property.time_zone}
          onChange={address.change}
          compares={compares}
        />
        {hasFilters && (
          <FiltersButton id={filtersId} count={filters} isOpen={isFiltering} onOpen={setFiltering} />
        )}
        {actions}
        {shares && <ShareMenu property={property} />}
      </PageHead>
      <PeriodNotice period={address.period} />
      {views}
      {hasFilters && (
        <FilterBar
          id={filtersId}
          isOpen={isFiltering}
          {...{ property, address, offers, held, counts, choice, findsBots }}
          // The report comes first: on a large property each of them takes the whole machine.
          isNext={!report.isPending}
        />
      )}
      {(report.isPending || (isHeld && report.data !== undefined)) && (
        <OutlineView label={`Loading ${title}`} outline={outline} />
      )}
      {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      {report.data !== undefined && comparison !== null && !isHeld && (
        <div
          className="report-body"
          data-stale={report.isPlaceholderData}
          aria-busy={report.isPlaceholderData}
        >
          <ComparisonContext value={comparison}>
            <ChartFactsContext value={factsOf(property, address.period, comparison, report.data)}>
              {children(report.data)}
            </ChartFactsContext>
          </ComparisonContext>
          <Freshness envelope={report.data} since={property.created_at} updated={report.dataUpdatedAt} />
        </div>
      )}
    </div>
  );
}

/** What a picture or a file of a chart says of it. */
const factsOf = (
  { domain, time_zone: timeZone }: Property,
  period: Period,
  comparison: Comparison,
  { population, over_quota_days: over }: Pick<Envelope, 'population' | 'over_quota_days'>,
): ChartFacts => ({
  subject: domain,
  period: periodSentence(period, comparison),
  days: { from: period.from, to: period.to },
  population: `${
    population === 'all'
      ? 'All visits, including spoofed'
      : 'Verified and unknown visits; spoofed visits are not counted'
  }${over.length === 0 ? '' : `. ${overQuotaSentence(over).trim()}`}`,
  timeZone,
});

/** Whether today is among the days, which days had late visits, and when the others were counted. */
function Freshness({
  envelope: {
    partial_days: days,
    over_quota_days: over,
    rolled_up_at: counted,
    period,
    time_zone: timeZone,
    time_zone_since: zoneSince,
    figures_kept_since: kept,
    data_since: first,
  },
  since,
  updated,
}: {
  envelope: Envelope;
  /** When the property was created: the nightly count before that counted nothing of it. */
  since: string;
  /** When it was loaded, epoch milliseconds; it is reloaded every minute. */
  updated: number;
}) {
  const today = dayIn(timeZone, Date.now());
  const at = counted !== null && counted > since ? counted : null;
  const late = days.filter((day) => day < today);
  const isRunning = days.length > late.length;
  const named = late.length > 3 ? `${late.length} days` : listed(late.map((day) => dayLabel(day)));
  const hint = [
    ...(late.length > 0 && at !== null ? [`Late visits arrived for ${named}.`] : []),
    ...(at !== null && period.days > days.length
      ? [
          `Totals of ${days.length > 0 ? 'the other' : 'all'} days were counted at ${dateTime(Date.parse(at), timeZone)}.`,
        ]
      : []),
    'The figures refresh every minute.',
  ].join(' ');
  const earliest = first === null ? '' : earliestText(period.from, first, kept);
  return (
    <p className="quiet freshness" title={hint}>
      Days in {timeZone}
      {zoneSince !== null &&
        zoneSince > period.from &&
        `, since ${dayLabel(zoneSince)}; earlier days use the previous time zone`}
      {isRunning && ' · today is incomplete'} · updated <Time value={updated} form="ago" />
      <span className="visually-hidden">. {hint}</span>
      {earliest !== '' && ` · ${earliest}`}
      {over.length > 0 && ` · ${overQuotaSentence(over).trim()}`}
    </p>
  );
}

/** Why the period has no figures at its beginning: they were deleted, or there were none. Empty: it has. @param first day with data */
const earliestText = (from: string, first: string, kept: string): string =>
  first > kept
    ? first > from
      ? `Data begins on ${dayLabel(first, true)}`
      : ''
    : kept >= from
      ? `Figures before ${dayLabel(kept, true)} are no longer kept`
      : '';

/** `17 Nov, 18 Nov and 19 Nov`. */
const listed = (names: readonly string[]): string =>
  [...names.slice(0, -2), names.slice(-2).join(' and ')].join(', ');
