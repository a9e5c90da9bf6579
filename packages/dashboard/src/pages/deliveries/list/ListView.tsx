import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { type Delivery, deliveriesQueries } from '../../../features/deliveries/api.ts';
import { ReplayDialog } from '../../../features/deliveries/ReplayControl.tsx';
import { sumsOf } from '../../../features/deliveries/sums.ts';
import { destinationsQueries } from '../../../features/destinations/api.ts';
import { holdRow } from '../../../features/lists/hold-row.ts';
import { type Period, periodQuery } from '../../../format/period.ts';
import { ShowMore } from '../../../parts/list/rows.tsx';
import { EmptyState, ErrorState, failed, ofThisChoice, Skeleton } from '../../../parts/states.tsx';
import { chosenTotals, listedOf, shownOf } from '../model/counts.ts';
import { BulkReplayDialog } from '../replay/BulkReplayDialog.tsx';
import { type DeliveryChange, type DeliverySearch, isFiltered, LIST_FILTERS, listQuery } from '../search.ts';
import { DeliveryTable } from './DeliveryTable.tsx';
import { HeldNotice } from './HeldNotice.tsx';
import { ListToolbar, StatusStrip } from './ListToolbar.tsx';
import { NothingYet } from './NothingYet.tsx';

export interface DeliveryViewProps {
  property: Property;
  search: DeliverySearch;
  period: Period;
  onChange: (change: DeliveryChange) => void;
}

interface ListViewProps extends DeliveryViewProps {
  /** Links to the views of the page, at the beginning of the filters. */
  views: ReactNode;
  /** Of the filters, for the button that opens them on a phone. */
  filtersId: string;
  isFiltering: boolean;
}

/** Every delivery of the period, newest first, filtered and paged by the service. */
export function ListView({
  property,
  search,
  period,
  views,
  filtersId,
  isFiltering,
  onChange,
}: ListViewProps) {
  const list = ofThisChoice(useInfiniteQuery(deliveriesQueries.list(property.id, listQuery(search, period))));
  const report = ofThisChoice(useQuery(deliveriesQueries.report(property.id, periodQuery(period))));
  const destinations = useQuery(destinationsQueries.list(property.id));
  const platforms = useQuery(destinationsQueries.platforms());
  const [replaying, setReplaying] = useState(false);
  /** The one that is asked about. */
  const [sending, setSending] = useState<Delivery | null>(null);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const clear = () => onChange(Object.fromEntries(LIST_FILTERS.map((name) => [name, undefined])));
  const totals = report.data?.totals.destinations ?? [];
  const sums = sumsOf(chosenTotals(totals, search));
  const isEmpty = !report.isPending && list.data !== undefined && items.length === 0;
  return (
    <>
      {isEmpty && !isFiltered(search) ? (
        <div className="views-row">{views}</div>
      ) : (
        <ListToolbar
          views={views}
          id={filtersId}
          isOpen={isFiltering}
          search={search}
          destinations={destinations.data ?? []}
          platforms={platforms.data ?? []}
          onChange={onChange}
          onClear={clear}
          count={list.data === undefined ? '' : shownOf(items.length, list, listedOf(sums, search))}
        />
      )}
      {report.data !== undefined && !(isEmpty && !isFiltered(search)) && (
        <StatusStrip
          sums={sums}
          status={search.status}
          onChoose={(status) => onChange({ status, reason: undefined })}
          onSendAgain={() => setReplaying(true)}
        />
      )}
      {(list.isPending || report.isPending) && <Skeleton lines={8} label="Loading deliveries" />}
      {failed(list) && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {isEmpty &&
        (isFiltered(search) ? (
          <EmptyState
            title="No deliveries match these filters"
            action={
              <button type="button" className="button" onClick={clear}>
                Clear filters
              </button>
            }
          >
            There are other deliveries in this period.
          </EmptyState>
        ) : (
          <NothingYet property={property} days={period.days} connected={(destinations.data ?? []).length} />
        ))}
      {!report.isPending && items.length > 0 && (
        <HeldNotice property={property} search={search} destinations={destinations.data ?? []} />
      )}
      {!report.isPending && items.length > 0 && (
        <DeliveryTable
          items={items}
          destinations={destinations.data ?? []}
          openId={search.open ?? null}
          stale={list.isPlaceholderData}
          folds={search.status === undefined && search.reason === undefined && search.q === undefined}
          onOpen={(id, row) => {
            holdRow(row);
            onChange({ open: id });
          }}
          onSendAgain={setSending}
        />
      )}
      {!report.isPending && <ShowMore list={list} />}
      {sending !== null && (
        <ReplayDialog property={property} item={sending} onClose={() => setSending(null)} />
      )}
      {replaying && (
        <BulkReplayDialog
          property={property}
          search={search}
          period={period}
          destinations={destinations.data ?? []}
          platforms={platforms.data ?? []}
          onClose={() => setReplaying(false)}
        />
      )}
    </>
  );
}
