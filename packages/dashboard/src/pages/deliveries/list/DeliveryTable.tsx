import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { visible } from '../../../format/visible.ts';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import { Outcome } from './Outcome.tsx';

const COLUMNS = [
  { title: 'Time' },
  { title: 'Conversion' },
  { title: 'Destination' },
  { title: 'State' },
  { title: 'Details' },
  { title: 'Value', isNumber: true },
] as const;

interface DeliveryTableProps {
  items: readonly Delivery[];
  destinations: readonly Destination[];
  openId: string | null;
  stale: boolean;
  onOpen: (id: string) => void;
}

/** Ids, names and messages are untrusted and rendered as text. */
export function DeliveryTable({ items, destinations, openId, stale, onOpen }: DeliveryTableProps) {
  const stateOf = (id: string) => destinations.find((one) => one.id === id)?.state ?? 'active';
  return (
    <RowTable label="Deliveries, newest first" className="delivery-table" columns={COLUMNS} stale={stale}>
      {items.map((item) => (
        <tr key={item.id} data-open={item.id === openId} onClick={() => onOpen(item.id)}>
          <td className="cell-time">
            <Time value={item.created_at} form="short" />
          </td>
          <td className="cell-what">
            <RowOpen
              label={`${nameOf(item)} ${visible(item.conversion_id)} to ${item.destination.name}, ${statusWords(item.status).title}: details`}
              isOpen={item.id === openId}
              onOpen={() => onOpen(item.id)}
            >
              {nameOf(item)}
            </RowOpen>
            <span className="cell-detail mono">{visible(item.conversion_id)}</span>
          </td>
          <td className="cell-to">
            <span className="cell-destination">
              <PlatformGlyph platform={item.platform} size={24} />
              <span>
                <span className="cell-clip">
                  {item.destination.name}
                  {item.destination.deleted && <span className="quiet"> (deleted)</span>}
                </span>
                <span className="cell-detail">{item.platform_event ?? ''}</span>
              </span>
            </span>
          </td>
          <td className="cell-state">
            <Mark {...statusWords(item.status)} />
          </td>
          <td className="cell-outcome">
            <Outcome item={item} destinationState={stateOf(item.destination.id)} />
          </td>
          <td className="cell-number cell-value">{worthOf(item) ?? <span className="quiet">–</span>}</td>
        </tr>
      ))}
    </RowTable>
  );
}
