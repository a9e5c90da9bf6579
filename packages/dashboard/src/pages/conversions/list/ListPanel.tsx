import { useInfiniteQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { FileLinks } from '../../../features/charts/FileLinks.tsx';
import { type Conversion, conversionsQueries, conversionsUrl } from '../../../features/conversions/api.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { holdRow } from '../../../features/lists/hold-row.ts';
import type { Period } from '../../../format/period.ts';
import { visible } from '../../../format/visible.ts';
import { countOfList, RowOpen, RowTable, ShowMore } from '../../../parts/list/rows.tsx';
import { ErrorState, failed, ofThisChoice, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { channelName } from '../messages.ts';
import { type ConversionSearch, LIST_ID, listQuery, type SearchChange } from '../search.ts';
import { notCounted } from './not-counted.ts';

interface ListPanelProps {
  property: Property;
  search: ConversionSearch;
  period: Period;
  onChange: (change: SearchChange) => void;
}

/** Every conversion of the period, newest first, filtered and paged by the service. */
export function ListPanel({ property, search, period, onChange }: ListPanelProps) {
  const list = ofThisChoice(
    useInfiniteQuery(conversionsQueries.list(property.id, listQuery(search, period))),
  );
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  // The report above already says that there are no conversions.
  if (list.data !== undefined && items.length === 0) return null;
  const count = countOfList(items.length, list);
  const leftOut = notCounted(items);
  return (
    <section id={LIST_ID} className="conversion-list" aria-label="Conversions">
      <header className="list-head">
        <h2>All conversions</h2>
        <span className="toolbar-count number" role="status">
          {list.data === undefined ? '' : count}
        </span>
        <FileLinks
          what="these conversions"
          name="conversions"
          href={(format) => conversionsUrl(property.id, { ...listQuery(search, period), format })}
        />
      </header>
      {leftOut !== '' && <p className="aside">{leftOut}</p>}
      {list.isPending && <Skeleton lines={8} label="Loading conversions" />}
      {failed(list) && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {items.length > 0 && (
        <ConversionTable
          items={items}
          openId={search.open ?? null}
          stale={list.isPlaceholderData}
          onOpen={(id, row) => {
            holdRow(row);
            onChange({ open: id });
          }}
        />
      )}
      <ShowMore list={list} />
    </section>
  );
}

const COLUMNS = [
  { title: 'Time' },
  { title: 'Conversion' },
  { title: 'Value', isNumber: true },
  { title: 'Match', head: <Term name="matched">Match</Term> },
  { title: 'Channel' },
  { title: 'Campaign' },
] as const;

interface ConversionTableProps {
  items: readonly Conversion[];
  openId: string | null;
  stale: boolean;
  /** @param row the row that was pressed */
  onOpen: (id: string, row: Element | null) => void;
}

/** Ids, names and campaigns are untrusted and rendered as text. */
function ConversionTable({ items, openId, stale, onOpen }: ConversionTableProps) {
  return (
    <RowTable label="Conversions, newest first" className="conversion-table" columns={COLUMNS} stale={stale}>
      {items.map((item) => (
        <tr
          key={item.id}
          data-open={item.id === openId}
          onClick={({ currentTarget }) => onOpen(item.id, currentTarget)}
        >
          <td className="cell-time">
            <Time value={item.at} form="short" />
          </td>
          <td className="cell-what">
            <RowOpen
              label={`${nameOf(item)} ${visible(item.conversion_id)}: details`}
              isOpen={item.id === openId}
              onOpen={() => onOpen(item.id, document.activeElement?.closest('tr') ?? null)}
            >
              {nameOf(item)}
            </RowOpen>
            <span className="cell-detail mono">{visible(item.conversion_id)}</span>
          </td>
          <td className="cell-number cell-value">{worthOf(item) ?? <span className="quiet">–</span>}</td>
          <td className="cell-match">
            <MatchMark item={item} />
          </td>
          <td className="cell-channel">
            {item.channel === null ? <span className="quiet">–</span> : channelName(item.channel)}
            {item.platform !== null && item.platform !== '' && (
              <span className="cell-detail">{item.platform}</span>
            )}
          </td>
          <td className="cell-campaign">
            <span className="cell-clip">{visible(item.campaign ?? '') || '–'}</span>
            <span className="cell-detail">
              {visible([item.source, item.medium].filter(Boolean).join(' / '))}
            </span>
          </td>
        </tr>
      ))}
    </RowTable>
  );
}
