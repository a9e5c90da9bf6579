import { useRef } from 'react';
import type { Conversion } from '../../../features/conversions/api.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import { visible } from '../../../format/visible.ts';
import { RowOpen, useRowKeys } from '../../../parts/list/rows.tsx';
import { Time } from '../../../parts/Time.tsx';
import { channelName } from '../messages.ts';

interface ConversionTableProps {
  items: readonly Conversion[];
  openId: string | null;
  stale: boolean;
  onOpen: (id: string) => void;
}

/** Ids, names and campaigns were written by senders and strangers: they are text and nothing else. */
export function ConversionTable({ items, openId, stale, onOpen }: ConversionTableProps) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  return (
    <table
      ref={table}
      className="live-table conversion-table"
      aria-label="Conversions, newest first"
      aria-busy={stale}
      data-stale={stale}
    >
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Conversion</th>
          <th scope="col" className="cell-number">
            Value
          </th>
          <th scope="col">Match</th>
          <th scope="col">Channel</th>
          <th scope="col">Campaign</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} data-open={item.id === openId} onClick={() => onOpen(item.id)}>
            <td className="cell-time">
              <Time value={item.at} form="date" />
            </td>
            <td className="cell-what">
              <RowOpen
                label={`${nameOf(item)} ${visible(item.conversion_id)}: details`}
                isOpen={item.id === openId}
                onOpen={() => onOpen(item.id)}
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
      </tbody>
    </table>
  );
}
