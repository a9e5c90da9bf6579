import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { topicName } from '../../../features/conversions/topics.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { type ActivityItem, webhooksQueries } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { visible } from '../../../format/visible.ts';
import { IconPause, IconPlay } from '../../../parts/icons.tsx';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
import { useKeyPress } from '../../../parts/shortcuts.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/states.tsx';
import { Time } from '../../../parts/Time.tsx';
import { KeyName } from '../keys/KeyName.tsx';
import { useChoice } from '../search.ts';
import { RequestDrawer } from './RequestDrawer.tsx';
import { StatusMark, statusWords } from './StatusMark.tsx';

/** The last twenty requests with their details. Not refreshed while the tab is hidden. */
export function ActivityView({ property, enabled }: { property: Property; enabled: boolean }) {
  const [paused, setPaused] = useState(false);
  const { data, error, isPending, refetch } = useQuery(webhooksQueries.activity(property.id, paused));
  const [{ request = null }, choose] = useChoice();
  const open = (id: string) => choose({ request: id });
  const close = () => choose({ request: '' });
  useKeyPress((event) => {
    if (event.key === 'Escape' && request !== null) close();
  });
  return (
    <div className="live" data-open={request !== null}>
      <div className="live-main requests">
        <div className="activity-bar">
          <p className="connection" data-state={paused ? 'paused' : error === null ? 'polling' : 'lost'}>
            <span className="connection-lamp" aria-hidden="true" />
            {paused
              ? 'Paused'
              : error === null
                ? 'The last 20 requests, live'
                : 'Service unreachable; retrying'}
          </p>
          <button type="button" className="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            {paused ? <IconPlay /> : <IconPause />}
            {paused ? 'Resume' : 'Pause'}
          </button>
        </div>
        {isPending && <Skeleton lines={8} label="Loading activity" />}
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <EmptyState title="No requests yet">
            {enabled
              ? 'Each request appears here with its body, its outcome, and why it did or did not match.'
              : 'Receiving is not enabled: requests get 404 and are not recorded.'}
          </EmptyState>
        )}
        {data !== undefined && data.length > 0 && (
          <ActivityTable property={property} items={data} openId={request} onOpen={open} />
        )}
      </div>
      {request !== null && (
        <RequestDrawer key={request} property={property} requestId={request} onClose={close} />
      )}
    </div>
  );
}

const SHOPS: Readonly<Record<NonNullable<ActivityItem['shop']>, string>> = {
  woocommerce: 'WooCommerce',
  shopify: 'Shopify',
};

const COLUMNS = [
  { title: 'Time' },
  { title: 'Topic' },
  { title: 'Outcome' },
  { title: 'Match', head: <Term name="matched">Match</Term> },
  { title: 'Conversion' },
  { title: 'Key or shop' },
] as const;

/** Not shown: the outcome says it. */
const OK = 200;

interface ActivityTableProps {
  property: Property;
  items: readonly ActivityItem[];
  openId: string | null;
  onOpen: (id: string) => void;
}

/** Newest first. Topic and conversion id are untrusted and rendered as text. */
function ActivityTable({ property, items, openId, onOpen }: ActivityTableProps) {
  const hasOther = items.some(({ http_status }) => http_status !== OK);
  const columns = hasOther ? [...COLUMNS, { title: 'HTTP', isNumber: true }] : COLUMNS;
  return (
    <RowTable label="Requests, newest first" className="request-table" columns={columns}>
      {items.map((item) => (
        <tr
          key={item.id}
          data-open={item.id === openId}
          data-status={item.status}
          onClick={() => onOpen(item.id)}
        >
          <td className="cell-time">
            <Time value={item.at} form="ago" />
          </td>
          <td className="cell-topic">
            <RowOpen
              label={`${topicName(item.topic)}, ${statusWords(item.status, item.shop).title}: details`}
              isOpen={item.id === openId}
              onOpen={() => onOpen(item.id)}
            >
              {topicName(item.topic)}
            </RowOpen>
            {item.count > 1 && <span className="cell-detail">{counted(item.count, 'request')}</span>}
          </td>
          <td className="cell-outcome">
            <StatusMark status={item.status} shop={item.shop} />
          </td>
          <td className="cell-match">
            <MatchMark item={item} />
          </td>
          <td className="cell-said">
            {item.conversion_id !== null && <code>{visible(item.conversion_id)}</code>}
            {(item.error !== null || item.conversion_id === null) && (
              <span className="cell-detail" title={item.error ?? undefined}>
                {visible(item.error ?? '–')}
              </span>
            )}
          </td>
          <td className="cell-key">
            {item.shop !== null ? (
              <>
                {SHOPS[item.shop]}
                {item.delivery !== null && (
                  <span className="cell-detail" title={item.delivery}>
                    {visible(item.delivery)}
                  </span>
                )}
              </>
            ) : item.key_prefix === null || item.key_prefix === '' ? (
              '–'
            ) : (
              <KeyName property={property} prefix={item.key_prefix} />
            )}
          </td>
          {hasOther && (
            <td className="cell-number cell-status" data-status={Math.floor(item.http_status / 100)}>
              {item.http_status !== OK && item.http_status}
            </td>
          )}
        </tr>
      ))}
    </RowTable>
  );
}
