import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { comparisonQuery, inTheseDays, type Period, periodOf } from '../../format/period.ts';
import { dayIn, daysOfZone } from '../../format/time.ts';
import { PeriodNotice } from '../../parts/PeriodNotice.tsx';
import { PeriodPicker } from '../../parts/PeriodPicker.tsx';
import { useKeyPress } from '../../parts/shortcuts.ts';
import { EmptyState, ErrorState, failed, ofThisChoice, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import '../../features/reports/styles/index.css';
import './styles/index.css';
import { Link } from '@tanstack/react-router';
import { ListExport } from '../../features/charts/FileLinks.tsx';
import { type ChartFacts, ChartFactsContext } from '../../features/charts/facts.ts';
import { conversionsQueries, conversionsUrl, type Report } from '../../features/conversions/api.ts';
import { holdRow, openRow } from '../../features/lists/hold-row.ts';
import {
  type Comparison,
  ComparisonContext,
  comparisonOf,
  periodSentence,
} from '../../features/reports/comparison.ts';
import { FiltersButton } from '../../features/reports/FiltersButton.tsx';
import { PeriodLine } from '../../features/reports/PeriodLine.tsx';
import { ShareMenu } from '../../features/sharing/ShareMenu.tsx';
import { ConversionDrawer } from './detail/ConversionDrawer.tsx';
import { FilterToolbar } from './FilterToolbar.tsx';
import { ListPanel } from './list/ListPanel.tsx';
import { MODEL_WORDS } from './messages.ts';
import { currenciesOf } from './report/currencies.ts';
import { isEmpty } from './report/gone.ts';
import { isByHour } from './report/hours.ts';
import { ProductsPanel } from './report/ProductsPanel.tsx';
import { ReportPanel } from './report/ReportPanel.tsx';
import { TotalsStrip } from './report/TotalsStrip.tsx';
import { filtersSet, isFiltered, LIST_FILTERS, listQuery, useSearchFilters } from './search.ts';

export function ConversionsPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  const [search, change] = useSearchFilters();
  // The period stays the same at midnight, until something is chosen.
  const [now] = useState(() => Date.now());
  const period = periodOf(search, now, property.time_zone);
  const { by = 'channel', model = 'last_click', open } = search;
  const query = { ...listQuery(search, period), ...comparisonQuery(period) };
  const interval = isByHour(period, search) ? 'hour' : 'day';
  const report = ofThisChoice(useQuery(conversionsQueries.report(property.id, query, by, model, interval)));
  // The same call where the page is grouped by channel.
  const channels = ofThisChoice(
    useQuery(conversionsQueries.report(property.id, query, 'channel', model, interval)),
  );
  const comparison = report.data === undefined ? null : comparedIn(report.data);
  const currencies = useMemo(
    () => (report.data === undefined ? null : currenciesOf(report.data, search.currency)),
    [report.data, search.currency],
  );
  const counts = isFiltered(search) ? 'Conversions that match the filters' : 'All conversions';
  const clear = () => change(Object.fromEntries(LIST_FILTERS.map((name) => [name, undefined])));
  const filtered = isFiltered(search);
  const isNothing = report.data !== undefined && isEmpty(report.data);
  const hasFilters = filtered || !(report.isPending || isNothing);
  const [isFiltering, setFiltering] = useState(false);
  const filtersId = useId();
  const close = () => {
    holdRow(openRow());
    change({ open: undefined });
  };
  useKeyPress((event) => {
    if (event.key === 'Escape' && open !== undefined) close();
  });
  return (
    <div className="live" data-open={open !== undefined}>
      <div className="live-main list-page conversions">
        <PageHead
          title="Conversions"
          folds
          beside={<PeriodLine period={period} comparison={isNothing ? null : comparison} />}
          about={`Sales, sign-ups and leads, and the visits that led to them. ${daysOfZone(property.time_zone)}`}
        >
          <PeriodPicker period={period} timeZone={property.time_zone} onChange={change} compares />
          {hasFilters && (
            <FiltersButton
              id={filtersId}
              count={filtersSet(search)}
              isOpen={isFiltering}
              onOpen={setFiltering}
            />
          )}
          {!isNothing && (
            <ListExport
              what="All conversions, with these filters"
              name="conversions"
              href={(format) => conversionsUrl(property.id, { ...listQuery(search, period), format })}
            />
          )}
          <ShareMenu property={property} />
        </PageHead>
        <PeriodNotice period={period} />
        {hasFilters && (
          <FilterToolbar
            id={filtersId}
            isOpen={isFiltering}
            search={search}
            engines={report.data?.engines ?? []}
            onChange={change}
            onClear={clear}
          />
        )}
        {report.isPending && <Skeleton lines={6} label="Loading the report" />}
        {failed(report) && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
        {report.data !== undefined &&
          comparison !== null &&
          currencies !== null &&
          (isNothing ? (
            filtered ? (
              <NothingPasses days={period.days} onClear={clear} />
            ) : (
              <NothingYet property={property} days={period.days} />
            )
          ) : (
            <ComparisonContext value={comparison}>
              <TotalsStrip report={report.data} channels={channels.data} currencies={currencies} />
              <ChartFactsContext
                value={factsOf(property, period, comparison, `${counts}, credit: ${MODEL_WORDS[model].name}`)}
              >
                <ReportPanel
                  report={report.data}
                  period={period}
                  today={dayIn(property.time_zone, now)}
                  search={search}
                  currencies={currencies}
                  stale={report.isPlaceholderData}
                  onChange={change}
                />
              </ChartFactsContext>
              <ChartFactsContext value={factsOf(property, period, null, counts)}>
                <ProductsPanel property={property} query={listQuery(search, period)} />
              </ChartFactsContext>
            </ComparisonContext>
          ))}
        {/* The list waits for the report above, which would push it down. */}
        {!report.isPending && !isNothing && (
          <ListPanel property={property} search={search} period={period} onChange={change} />
        )}
      </div>
      {open !== undefined && (
        <ConversionDrawer
          key={open}
          property={property}
          conversionId={open}
          onOpen={(id) => change({ open: id })}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What the changes are compared with. Without a comparison in the answer, the reader chose none. */
const comparedIn = ({ comparison, kept_since }: Report): Comparison =>
  comparison === null ? NO_COMPARISON : comparisonOf({ ...comparison, kept_since }, false, 'conversion');
const NO_COMPARISON: Comparison = { than: '', sentence: null, without: '', gap: null, isOff: true };

/** What a picture or a file of a chart says of it. @param counts what is counted */
const factsOf = (
  { domain, time_zone: timeZone }: Property,
  period: Period,
  comparison: Comparison | null,
  counts: string,
): ChartFacts => ({
  subject: domain,
  period: periodSentence(period, comparison),
  days: { from: period.from, to: period.to },
  population: counts,
  timeZone,
});

function NothingPasses({ days, onClear }: { days: number; onClear: () => void }) {
  return (
    <EmptyState
      title="No conversions match these filters"
      action={
        <button type="button" className="button" onClick={onClear}>
          Clear filters
        </button>
      }
    >
      There are none {inTheseDays(days)}.
    </EmptyState>
  );
}

/** The empty state: what conversions need. */
function NothingYet({ property, days }: { property: Property; days: number }) {
  const params = { propertyId: property.id };
  return (
    <EmptyState
      title={`No conversions ${inTheseDays(days)}`}
      action={
        <span className="empty-actions">
          <Link to="/p/$propertyId/webhooks" params={params} className="button button-primary">
            Open Webhooks
          </Link>
          <Link to="/p/$propertyId/sdk" params={params} className="button">
            Set up the browser script
          </Link>
        </span>
      }
    >
      The browser script records how people arrive at {property.domain}; your server posts what they buy or
      sign up for. This page combines the two.
    </EmptyState>
  );
}
