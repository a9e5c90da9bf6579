import { useInfiniteQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { conversionsQueries } from '../../../features/conversions/api.ts';
import type { Period } from '../../../format/period.ts';
import { countOfList, ShowMore } from '../../../parts/list/rows.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { listQuery } from '../model/list-query.ts';
import type { ConversionSearch, SearchChange } from '../search.ts';
import { ConversionTable } from './ConversionTable.tsx';

interface ListPanelProps {
  property: Property;
  search: ConversionSearch;
  period: Period;
  onChange: (change: SearchChange) => void;
}

/** Every conversion of the period, newest first, filtered and paged by the service. */
export function ListPanel({ property, search, period, onChange }: ListPanelProps) {
  const list = useInfiniteQuery(conversionsQueries.list(property.id, listQuery(search, period)));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  // The report above has said already that there is nothing at all.
  if (list.data !== undefined && items.length === 0) return null;
  const count = countOfList(items.length, list);
  return (
    <section className="conversion-list" aria-label="Conversions">
      <header className="list-head">
        <h2>Each conversion</h2>
        <span className="toolbar-count number" role="status">
          {list.data === undefined ? '' : count}
        </span>
      </header>
      {list.isPending && <Skeleton lines={8} label="Loading conversions" />}
      {list.error !== null && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {items.length > 0 && (
        <ConversionTable
          items={items}
          openId={search.open ?? null}
          stale={list.isPlaceholderData}
          onOpen={(id) => onChange({ open: id })}
        />
      )}
      <ShowMore list={list} />
    </section>
  );
}
