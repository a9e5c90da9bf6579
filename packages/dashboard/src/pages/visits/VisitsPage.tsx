import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { PeriodLine } from '../../features/reports/PeriodLine.tsx';
import { ExportMenu } from '../../features/reports/table/ExportMenu.tsx';
import {
  isNarrowed,
  pageQuery,
  placeOf,
  readVisitSearch,
  type VisitChange,
  type VisitSearch,
  visitQuery,
} from '../../features/visits/search.ts';
import { VisitDrawer } from '../../features/visits/VisitDrawer.tsx';
import { counted } from '../../format/names.ts';
import { periodOf, periodQuery } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { IconRefresh } from '../../parts/icons.tsx';
import { RowSteps } from '../../parts/list/RowSteps.tsx';
import { PeriodNotice } from '../../parts/PeriodNotice.tsx';
import { PeriodPicker } from '../../parts/PeriodPicker.tsx';
import { useKeyPress } from '../../parts/shortcuts.ts';
import { ErrorState, failed, ofThisChoice, Skeleton } from '../../parts/states.tsx';
import { EVERY_CLASS } from './filters/definitions.ts';
import { VisitFilterBar } from './filters/VisitFilterBar.tsx';
import { Histogram } from './Histogram.tsx';
import { ColumnMenu } from './list/ColumnMenu.tsx';
import { CountNote } from './list/CountNote.tsx';
import { fieldsOf, useColumns } from './list/columns.tsx';
import { NoVisits } from './list/NoVisits.tsx';
import { VisitPager } from './list/VisitPager.tsx';
import { VisitTable } from './list/VisitTable.tsx';
import { useOpenVisit } from './useOpenVisit.ts';
import '../../styles/workspace.css';
import '../../features/charts/charts.css';
import './visits.css';

export function VisitsPage() {
  return <OfProperty view={View} />;
}

/** What was asked once stays: new visits don't move the rows under the reader. */
const STILL = { refetchInterval: false, staleTime: Number.POSITIVE_INFINITY } as const;

function View({ property }: { property: Property }) {
  const { id, time_zone: timeZone } = property;
  // The router adds what the address has besides, as it is there: it is left out again.
  const raw = useSearch({ from: '/signed-in/p/$propertyId/visits' });
  const search = useMemo(() => readVisitSearch({ ...raw }), [raw]);
  const navigate = useNavigate();
  const [now, setNow] = useState(() => Date.now());
  const top = useRef<HTMLDivElement>(null);
  const query = useMemo(() => visitQuery(search, now, timeZone), [search, now, timeZone]);
  const asked = { ...query, ...pageQuery(search) };
  const list = ofThisChoice(useQuery({ ...reportQuery(id, 'visits', asked), ...STILL }));
  const counts = ofThisChoice(useQuery({ ...reportQuery(id, 'visits/counts', query), ...STILL }));
  const choice = useColumns();
  const isNewestFirst = search.order === undefined;

  const go = useCallback(
    (next: VisitChange, replace = false) =>
      void navigate({
        to: '.',
        search: (before) => compact<VisitSearch>({ ...readVisitSearch({ ...before }), ...next }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  /** Another choice begins at the first page. */
  const change = (next: VisitChange) =>
    go(
      { after: undefined, before: undefined, ...next },
      search.path_contains !== undefined && next.path_contains !== undefined,
    );
  const turnRound = () => change({ order: isNewestFirst ? 'asc' : undefined });
  const turn = (next: VisitChange) => {
    go(next);
    top.current?.scrollIntoView({ block: 'nearest' });
  };
  const openVisit = useCallback((open: string) => go({ open }, true), [go]);
  const close = () => go({ open: undefined }, true);
  useKeyPress((event) => {
    if (event.key === 'Escape' && search.open !== undefined) close();
  });

  const items = list.data?.items ?? [];
  const open = useOpenVisit(id, search.open, items);
  const period = periodOf(search, now, timeZone);
  // Of what the filters leave, the part is only known where they add nothing.
  const isPart = isNarrowed(search) && !/sample|test/.test(search.class ?? '');
  const whole = useQuery({
    ...reportQuery(id, 'visits/counts', periodQuery(period)),
    ...STILL,
    enabled: isPart,
  });
  const all = isPart ? (whole.data?.totals.hits ?? null) : null;
  const isEmpty = list.data !== undefined && items.length === 0;
  return (
    <div className="visits" data-open={open !== null}>
      <div className="visits-main">
        <PageHead
          title="Visits"
          folds
          beside={<PeriodLine period={period} comparison={null} />}
          about={
            <>
              Every visit by a bot, and every visitor sent by an AI engine.{' '}
              {search.class === undefined && (
                <button
                  type="button"
                  className="link-button"
                  title="With samples of other traffic, and test visits"
                  onClick={() => change({ class: EVERY_CLASS })}
                >
                  Show other traffic
                </button>
              )}
            </>
          }
        >
          <PeriodPicker
            period={period}
            timeZone={timeZone}
            onChange={(period) => change({ ...period, since: undefined, until: undefined })}
          />
          <ExportMenu
            propertyId={id}
            report="visits"
            query={compact({ ...query, order: search.order })}
            columns={fieldsOf(choice.columns)}
            rows={counts.data && counted(counts.data.totals.hits, 'visit')}
            disabled={isEmpty}
          />
        </PageHead>
        <PeriodNotice period={period} />
        <VisitFilterBar propertyId={id} search={search} query={query} onChange={change} />
        <section
          className="card panel visit-chart"
          // No visits have no chart: the words below say so.
          hidden={isEmpty}
          aria-label="Visits over time"
          data-stale={counts.isPlaceholderData}
        >
          {counts.isPending && <Skeleton lines={5} label="Counting visits" />}
          {failed(counts) && <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />}
          {counts.data !== undefined && counts.error === null && (
            <Histogram counts={counts.data} classes={search.class} timeZone={timeZone} onChange={change} />
          )}
        </section>
        <div ref={top} className="visit-top" />
        <div className="visit-head">
          {counts.data !== undefined && counts.error === null ? (
            <CountNote {...{ all, search, isEmpty }} counts={counts.data} onChange={change} />
          ) : (
            <p className="quiet">{counts.isPending ? 'Counting…' : 'The count is not known.'}</p>
          )}
          {!isEmpty && (
            <span className="visit-tools">
              <button
                type="button"
                className="button order-button"
                aria-label={`Order: ${isNewestFirst ? 'newest' : 'oldest'} first`}
                title="Reverse the order"
                onClick={turnRound}
              >
                {isNewestFirst ? '↓ Newest' : '↑ Oldest'}
              </button>
              <ColumnMenu choice={choice} />
              <button
                type="button"
                className="button button-icon"
                aria-label="Refresh"
                title="Refresh: the list and the chart stay as they are until then"
                onClick={() => setNow(Date.now())}
              >
                <IconRefresh />
              </button>
            </span>
          )}
        </div>
        {list.isPending && <Skeleton lines={14} label="Loading visits" />}
        {failed(list) && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {isEmpty && (
          <NoVisits
            propertyId={id}
            search={search}
            since={list.data.data_since}
            period={period}
            onChange={change}
          />
        )}
        {list.error === null && items.length > 0 && (
          <VisitTable
            items={items}
            columns={choice.columns}
            isNewestFirst={isNewestFirst}
            onTurn={turnRound}
            open={search.open}
            onOpen={openVisit}
            stale={list.isPlaceholderData}
          />
        )}
        {list.data !== undefined && (list.data.previous !== null || list.data.next !== null) && (
          <VisitPager answer={list.data} isNewestFirst={isNewestFirst} onTurn={turn} />
        )}
      </div>
      {open !== null && (
        <VisitDrawer
          visit={open}
          steps={<RowSteps what="visit" ids={items.map(placeOf)} open={placeOf(open)} onOpen={openVisit} />}
          onClose={close}
          onFilter={(name, value) => change({ [name]: value })}
        />
      )}
    </div>
  );
}
