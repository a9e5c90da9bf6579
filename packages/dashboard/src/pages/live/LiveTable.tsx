import { MINUTE_MS } from '@ghostlight/core/time';
import { Fragment, memo, useState } from 'react';
import { Term } from '../../features/glossary/Term.tsx';
import { OtherHost } from '../../features/reports/OtherHost.tsx';
import { ClassBadge } from '../../features/visits/ClassGlyph.tsx';
import { VerdictCell } from '../../features/visits/VerdictMark.tsx';
import { visitorName } from '../../features/visits/visitor.ts';
import { countryName, makerAndIntent } from '../../format/names.ts';
import { dateTime, dayIn, dayLabel, timeOfDay } from '../../format/time.ts';
import { readablePath, visible } from '../../format/visible.ts';
import { RowOpen, RowTable } from '../../parts/list/rows.tsx';
import { Time, useTimeZone } from '../../parts/Time.tsx';
import { useSourceName } from '../../parts/useSources.ts';
import { isEarlier, type LiveRow } from './buffer.ts';

const PAGE = 150;
/** A visit that came so much later than it was, as imports and browsers bring them, says when it was. */
const LATE_MS = MINUTE_MS;

/** `visited 16:56`, on another day `visited 27 Nov`. */
function whenText(at: number, arrived: number, timeZone: string): string {
  const day = dayIn(timeZone, at);
  return `visited ${day === dayIn(timeZone, arrived) ? timeOfDay(at, timeZone) : dayLabel(day)}`;
}

const columnsIn = (timeZone: string) => [
  {
    title: `Time (${timeZone})`,
    hint: 'Rows are in order of arrival. What arrived later than it happened says when that was',
  },
  { title: 'Class' },
  { title: 'Visitor' },
  { title: 'Identity', head: <Term name="identity">Identity</Term> },
  { title: 'Status', isNumber: true },
  { title: 'Page' },
  { title: 'Country' },
  { title: 'Source' },
];

interface LiveTableProps {
  /** As they are listed. */
  rows: readonly LiveRow[];
  /** Earlier visits have a heading: they arrived now and are not counted. null: not known yet. */
  since: number | null;
  openId: string | null;
  onOpen: (id: string) => void;
}

export function LiveTable({ rows, since, openId, onOpen }: LiveTableProps) {
  const [limit, setLimit] = useState(PAGE);
  const columns = columnsIn(useTimeZone() ?? 'UTC');
  const shown = rows.slice(0, limit);
  const firstEarlier = shown.findIndex((row) => isEarlier(row, since));

  return (
    <>
      <RowTable label="Visits, newest first" columns={columns}>
        {shown.map((row, index) => (
          <Fragment key={row.item.id}>
            {index === firstEarlier && (
              <tr className="live-divider">
                <th scope="rowgroup" colSpan={columns.length}>
                  Older visits that arrived late, not counted above
                </th>
              </tr>
            )}
            <LiveTableRow row={row} open={row.item.id === openId} onOpen={onOpen} />
          </Fragment>
        ))}
      </RowTable>
      {rows.length > limit && (
        <button type="button" className="button more" onClick={() => setLimit((before) => before + PAGE)}>
          Show {Math.min(PAGE, rows.length - limit)} more
        </button>
      )}
    </>
  );
}

interface LiveTableRowProps {
  row: LiveRow;
  open: boolean;
  onOpen: (id: string) => void;
}

/** Agent, path and host are untrusted and rendered as text. */
const LiveTableRow = memo(function LiveTableRow({ row, open, onOpen }: LiveTableRowProps) {
  const { item } = row;
  const sourceName = useSourceName();
  const timeZone = useTimeZone() ?? 'UTC';
  const visitor = visitorName(item);
  return (
    <tr data-fresh={row.fresh} data-open={open} data-class={item.class} onClick={() => onOpen(item.id)}>
      <td className="cell-time">
        <Time value={row.arrived} form="clock" />
        {row.arrived - row.at > LATE_MS && (
          <span className="cell-detail" title={`Visited ${dateTime(row.at, timeZone)}`}>
            {whenText(row.at, row.arrived, timeZone)}
          </span>
        )}
      </td>
      <td className="cell-class">
        <ClassBadge hitClass={item.class} sdkBot={item.sdk_bot} />
      </td>
      <td className="cell-visitor">
        <RowOpen
          label={`${visitor}, ${visible(item.path)}: details`}
          isOpen={open}
          onOpen={() => onOpen(item.id)}
        >
          {visitor}
        </RowOpen>
        <span className="cell-detail">
          {item.class === 'event' ? item.event_name : makerAndIntent(item.vendor, item.intent)}
        </span>
      </td>
      <td className="cell-verdict">
        <VerdictCell item={item} />
      </td>
      <td className="cell-number cell-status" data-status={Math.floor(item.status / 100)}>
        {item.status === 0 ? '–' : item.status}
      </td>
      <td className="cell-page">
        <span className="page-path" title={item.path}>
          {item.method !== 'GET' && item.method !== '' && <span className="method">{item.method}</span>}
          {readablePath(item.path)}
        </span>
        <OtherHost host={item.host} />
      </td>
      <td className="cell-country">
        <abbr title={countryName(item.country) || 'unknown country'}>{item.country || '–'}</abbr>
      </td>
      <td className="cell-source">{sourceName(item.source)}</td>
    </tr>
  );
});
