import { useRef } from 'react';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { topicName } from '../../../features/conversions/topics.ts';
import type { ActivityItem } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { visible } from '../../../format/visible.ts';
import { RowOpen, useRowKeys } from '../../../parts/list/rows.tsx';
import { Time } from '../../../parts/Time.tsx';
import { statusWords } from './messages.ts';
import { StatusMark } from './StatusMark.tsx';

interface ActivityTableProps {
  items: readonly ActivityItem[];
  openId: string | null;
  onOpen: (id: string) => void;
}

/** Newest first. Topic and conversion id were written by the sender: they are text and nothing else. */
export function ActivityTable({ items, openId, onOpen }: ActivityTableProps) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  return (
    <table ref={table} className="live-table request-table" aria-label="Requests, newest first">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Topic</th>
          <th scope="col">Outcome</th>
          <th scope="col">Match</th>
          <th scope="col">Conversion</th>
          <th scope="col">Key</th>
          <th scope="col" className="cell-number">
            HTTP
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id} data-open={item.id === openId} onClick={() => onOpen(item.id)}>
            <td className="cell-time">
              <Time value={item.at} form="ago" />
            </td>
            <td className="cell-topic">
              <RowOpen
                label={`${topicName(item.topic)}, ${statusWords(item.status).title}: details`}
                isOpen={item.id === openId}
                onOpen={() => onOpen(item.id)}
              >
                {topicName(item.topic)}
              </RowOpen>
              {item.count > 1 && <span className="cell-detail">{counted(item.count, 'request')}</span>}
            </td>
            <td className="cell-outcome">
              <StatusMark status={item.status} />
            </td>
            <td className="cell-match">
              <MatchMark item={item} />
            </td>
            <td className="cell-said">
              {item.conversion_id === null ? (
                <span className="cell-detail">{visible(item.error ?? '–')}</span>
              ) : (
                <code>{visible(item.conversion_id)}</code>
              )}
            </td>
            <td className="cell-key">
              {item.key_prefix === null || item.key_prefix === '' ? '–' : <code>{item.key_prefix}…</code>}
            </td>
            <td className="cell-number cell-status" data-status={Math.floor(item.http_status / 100)}>
              {item.http_status}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
