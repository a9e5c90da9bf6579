import type { Property } from '../../../api/types.ts';
import { worthOf } from '../../../features/conversions/money.ts';
import { topicName } from '../../../features/conversions/topics.ts';
import type { ActivityItem } from '../../../features/webhooks/api.ts';
import { counted } from '../../../format/names.ts';
import { visible } from '../../../format/visible.ts';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
import { Time } from '../../../parts/Time.tsx';
import { KeyName } from '../keys/KeyName.tsx';
import { ResultMark } from './ResultMark.tsx';
import { statusWords } from './StatusMark.tsx';

const SHOPS: Readonly<Record<NonNullable<ActivityItem['shop']>, string>> = {
  woocommerce: 'WooCommerce',
  shopify: 'Shopify',
};

const COLUMNS = [
  { title: 'Time' },
  { title: 'Type' },
  { title: 'Conversion ID' },
  { title: 'Value', isNumber: true },
  { title: 'Result' },
  { title: 'Key or shop' },
] as const;

interface ActivityTableProps {
  property: Property;
  items: readonly ActivityItem[];
  openId: string | null;
  onOpen: (id: string) => void;
}

/** Newest first. Topic and conversion id are untrusted and rendered as text. */
export function ActivityTable({ property, items, openId, onOpen }: ActivityTableProps) {
  return (
    <RowTable label="Requests, newest first" className="request-table" columns={COLUMNS}>
      {items.map((item) => (
        <tr
          key={item.id}
          data-open={item.id === openId}
          data-status={item.status}
          onClick={() => onOpen(item.id)}
        >
          <td className="cell-time">
            <Time value={item.at} form="recent" />
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
          <td className="cell-id">
            {item.conversion_id !== null && <code>{visible(item.conversion_id)}</code>}
            {(item.error !== null || item.conversion_id === null) && (
              <span className="cell-detail" title={item.error ?? undefined}>
                {visible(item.error ?? '–')}
              </span>
            )}
          </td>
          <td className="cell-number cell-value">{worthOf(item) ?? <span className="quiet">–</span>}</td>
          <td className="cell-result">
            <Result item={item} />
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
        </tr>
      ))}
    </RowTable>
  );
}

/** What became of it, with the status of an answer that is no 200. */
function Result({ item }: { item: ActivityItem }) {
  return (
    <>
      <ResultMark item={item} />
      {item.http_status !== OK && <span className="cell-detail">HTTP {item.http_status}</span>}
    </>
  );
}

const OK = 200;
