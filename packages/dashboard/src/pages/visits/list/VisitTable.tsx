import { memo } from 'react';
import type { VisitItem } from '../../../api/schema.gen.ts';
import { ClassBadge } from '../../../features/visits/ClassGlyph.tsx';
import { placeOf } from '../../../features/visits/search.ts';
import { visitorName } from '../../../features/visits/visitor.ts';
import { makerAndIntent } from '../../../format/names.ts';
import { dayIn, dayLabel } from '../../../format/time.ts';
import { visible } from '../../../format/visible.ts';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
import { Time, useTimeZone } from '../../../parts/Time.tsx';
import type { VisitColumn } from './columns.tsx';

interface VisitTableProps {
  items: readonly VisitItem[];
  columns: readonly VisitColumn[];
  isNewestFirst: boolean;
  /** Turns the order round. */
  onTurn: () => void;
  /** The place of the open visit. */
  open: string | undefined;
  onOpen: (place: string) => void;
  stale: boolean;
}

export function VisitTable({ items, columns, isNewestFirst, onTurn, open, onOpen, stale }: VisitTableProps) {
  const timeZone = useTimeZone() ?? 'UTC';
  const dayOf = ({ at }: VisitItem) => dayIn(timeZone, Date.parse(at));
  return (
    <RowTable
      label={`Visits, ${isNewestFirst ? 'newest' : 'oldest'} first`}
      className="visit-table"
      stale={stale}
      columns={[
        {
          title: 'Time',
          sorted: isNewestFirst ? 'descending' : 'ascending',
          head: (
            <button type="button" className="order-head" onClick={onTurn}>
              Time ({timeZone}) <span aria-hidden="true">{isNewestFirst ? '↓' : '↑'}</span>
            </button>
          ),
        },
        { title: 'Visitor' },
        ...columns.map(({ title, head, isNumber, rank }) => ({
          ...{ title, head, rank },
          ...(isNumber ? { isNumber } : {}),
        })),
      ]}
    >
      {items.map((visit, index) => {
        const place = placeOf(visit);
        const before = items[index - 1];
        return (
          <VisitRow
            key={visit.id}
            {...{ visit, columns, place, onOpen }}
            isOpen={place === open}
            isNewDay={before === undefined || dayOf(before) !== dayOf(visit)}
          />
        );
      })}
    </RowTable>
  );
}

interface VisitRowProps {
  visit: VisitItem;
  columns: readonly VisitColumn[];
  place: string;
  isOpen: boolean;
  /** The row above is of another day. */
  isNewDay: boolean;
  onOpen: (place: string) => void;
}

const VisitRow = memo(function VisitRow({ visit, columns, place, isOpen, isNewDay, onOpen }: VisitRowProps) {
  const visitor = visitorName(visit);
  const hasClass = columns.some(({ key }) => key === 'class');
  const detail = makerAndIntent(visit.vendor, visit.intent);
  const timeZone = useTimeZone() ?? 'UTC';
  return (
    <tr data-open={isOpen} onClick={() => onOpen(place)}>
      <td className="cell-time">
        <Time value={visit.at} form="clock" />
        <span className="cell-detail" data-new={isNewDay}>
          {dayLabel(dayIn(timeZone, Date.parse(visit.at)), true)}
        </span>
      </td>
      <td className="cell-visitor">
        <RowOpen
          label={`${visitor}, ${visible(visit.path)}: details`}
          isOpen={isOpen}
          onOpen={() => onOpen(place)}
        >
          {visitor}
        </RowOpen>
        <span className="cell-detail">
          {/* Most are AI bots, whose vendor and intent say so. */}
          {visit.class !== 'ai_bot' && !hasClass && <ClassBadge hitClass={visit.class} />}
          {detail}
        </span>
      </td>
      {columns.map(({ key, title, isNumber, rank, cell }) => (
        <td
          key={key}
          className={`cell-${key}${isNumber ? ' cell-number' : ''}`}
          data-rank={rank}
          data-label={title}
        >
          {cell(visit)}
        </td>
      ))}
    </tr>
  );
});
