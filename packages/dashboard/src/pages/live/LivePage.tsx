import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { VisitDrawer } from '../../features/visits/VisitDrawer.tsx';
import { counted } from '../../format/names.ts';
import { RowSteps } from '../../parts/list/RowSteps.tsx';
import { useKeyPress } from '../../parts/shortcuts.ts';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { asListed, isEarlier, type LiveRow } from './buffer.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { LiveTable } from './LiveTable.tsx';
import { LiveToolbar } from './LiveToolbar.tsx';
import { SummaryStrip } from './SummaryStrip.tsx';
import { isFiltered, passes, shownClasses, useFilters } from './search.ts';
import { listCount, sum } from './summary.ts';
import { type Connection, useLive, useLiveSummary } from './useLive.ts';

export function LivePage() {
  const property = useProperty();
  return property === null ? null : <LiveView property={property} />;
}

function LiveView({ property }: { property: Property }) {
  const { buffer, connection, error, dispatch, retry } = useLive(property.id);
  const navigate = useNavigate();
  const [filters, setFilters] = useFilters();
  const [openId, setOpenId] = useState<string | null>(null);
  const shown = useMemo(
    () => buffer.rows.filter(({ item }) => passes(item, filters)),
    [buffer.rows, filters],
  );
  const summary = useLiveSummary(property.id, buffer);
  const filtered = isFiltered(filters);
  const classes = shownClasses(
    property.search_engines,
    filters.class === 'search_engine' || (summary?.total.search_engine ?? 0) > 0,
  );
  // By the time of the visit, as the figures above: what came later than that is listed below, and counted nowhere.
  const since = summary?.since ?? null;
  const counts = (row: LiveRow) => !isEarlier(row, since);
  const listed = useMemo(() => asListed(shown, since), [shown, since]);
  const count = listCount({
    shown: shown.filter(counts).length,
    held: buffer.rows.filter(counts).length,
    waiting: buffer.waiting.length,
    there: summary === null ? 0 : sum(summary.total),
    tests: buffer.rows.filter((row) => counts(row) && row.item.class === 'test').length,
    events: buffer.rows.filter((row) => counts(row) && row.item.class === 'event').length,
    filtered,
  });
  const open = buffer.rows.find(({ item }) => item.id === openId) ?? null;
  const toggle = useCallback(
    () => dispatch({ type: buffer.paused ? 'resume' : 'pause' }),
    [dispatch, buffer.paused],
  );
  const openRow = useCallback((id: string) => setOpenId(id), []);

  useKeyPress((event) => {
    if (event.key === 'Escape') setOpenId(null);
    const onButton = event.target instanceof Element && event.target.closest('button, a, summary') !== null;
    // Space presses a focused button, except in rows, where it pauses.
    if (event.key === ' ' && (!onButton || (event.target as Element).closest('.live-table') !== null)) {
      event.preventDefault();
      toggle();
    }
  });

  return (
    <div className="live" data-open={open !== null}>
      <div className="live-main">
        <PageHead
          title="Live"
          {...(summary === null ? {} : { tab: `Live: ${counted(summary.total.ai_bot, 'AI bot visit')}` })}
          about={
            <>
              The last 30 minutes <ConnectionMark connection={connection} paused={buffer.paused} />
            </>
          }
        >
          <ExportMenu propertyId={property.id} filters={filters} />
        </PageHead>
        <SummaryStrip summary={summary} filtered={filtered} classes={classes} />
        <LiveToolbar
          filters={filters}
          classes={classes}
          onChange={setFilters}
          paused={buffer.paused}
          waiting={buffer.waiting.length}
          onToggle={toggle}
        />
        <h2 className="live-count number">
          <span role="status">{buffer.loaded ? count : ' '}</span>
        </h2>
        {connection === 'lost' && !buffer.loaded && <ErrorState error={error} onRetry={retry} />}
        {!buffer.loaded && error === null && <Skeleton lines={12} label="Loading visits" />}
        {buffer.loaded && shown.length === 0 && (
          <LiveEmpty propertyId={property.id} filtered={filtered && buffer.rows.length > 0} />
        )}
        {listed.length > 0 && <LiveTable rows={listed} since={since} openId={openId} onOpen={openRow} />}
      </div>
      {open !== null && (
        <VisitDrawer
          visit={open.item}
          steps={
            <RowSteps
              what="visit"
              ids={listed.map(({ item }) => item.id)}
              open={open.item.id}
              onOpen={openRow}
            />
          }
          onClose={() => setOpenId(null)}
          onFilter={(name, value) =>
            void navigate({
              to: '/p/$propertyId/visits',
              params: { propertyId: property.id },
              search: { period: 'today', [name]: value },
            })
          }
        />
      )}
    </div>
  );
}

const STATES: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting…',
  streaming: 'Live',
  polling: 'Refreshes every 3 seconds',
  lost: 'Not connected, trying again',
};

function ConnectionMark({ connection, paused }: { connection: Connection; paused: boolean }) {
  return (
    <span className="connection" data-state={paused ? 'paused' : connection}>
      <span className="connection-lamp" aria-hidden="true" />
      {paused ? 'Paused' : STATES[connection]}
    </span>
  );
}

function LiveEmpty({ propertyId, filtered }: { propertyId: string; filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        title="No visits match these filters"
        action={
          <Link to="." search={{}} className="button">
            Clear filters
          </Link>
        }
      >
        Visits are arriving, but none in the last 30 minutes match.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No visits yet"
      action={
        <Link to="/p/$propertyId/setup" params={{ propertyId }} className="button button-primary">
          Open Setup
        </Link>
      }
    >
      Nothing arrived in the last 30 minutes. Setup shows how to connect your site, sends a test visit, and
      lists what was rejected and why.
    </EmptyState>
  );
}
