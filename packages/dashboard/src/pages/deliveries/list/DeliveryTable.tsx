import type { ReactNode } from 'react';
import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import { Outcome } from '../../../features/deliveries/Outcome.tsx';
import type { Destination } from '../../../features/destinations/api.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { visible } from '../../../format/visible.ts';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { Time } from '../../../parts/Time.tsx';
import { byConversion } from '../model/groups.ts';

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

/** One delivery a row; those of one conversion are below each other, and what they share is shown once. Names and messages are untrusted text. */
export function DeliveryTable({ items, destinations, openId, stale, onOpen }: DeliveryTableProps) {
  return (
    <RowTable label="Deliveries, newest first" className="delivery-table" columns={COLUMNS} stale={stale}>
      {byConversion(items).map(({ item, follows }) => (
        <tr
          key={item.id}
          data-open={item.id === openId}
          data-follows={follows}
          onClick={() => onOpen(item.id)}
        >
          <td className="cell-time">
            <Once shown={!follows}>
              <Time value={item.created_at} form="short" />
            </Once>
          </td>
          <td className="cell-what">
            <Once shown={!follows}>
              <strong>{nameOf(item)}</strong>
              <span className="cell-detail mono">{visible(item.conversion_id)}</span>
            </Once>
          </td>
          <td className="cell-to">
            <span className="cell-destination">
              <PlatformGlyph platform={item.platform} size={24} />
              <span>
                <RowOpen
                  label={`${nameOf(item)} ${visible(item.conversion_id)} to ${item.destination.name}, ${statusWords(item.status).title}: details`}
                  isOpen={item.id === openId}
                  onOpen={() => onOpen(item.id)}
                >
                  <span className="cell-clip">
                    {item.destination.name}
                    {item.destination.deleted && <span className="quiet"> (deleted)</span>}
                  </span>
                </RowOpen>
              </span>
            </span>
          </td>
          <td className="cell-state">
            <Mark {...statusWords(item.status)} />
          </td>
          <td className="cell-outcome">
            <Outcome item={item} destination={destinations.find(({ id }) => id === item.destination.id)} />
          </td>
          <td className="cell-number cell-value">
            <Once shown={!follows}>{worthOf(item) ?? <span className="quiet">–</span>}</Once>
          </td>
        </tr>
      ))}
    </RowTable>
  );
}

/** What the row above shows already: for screen readers alone. */
function Once({ shown, children }: { shown: boolean; children: ReactNode }) {
  return shown ? children : <span className="visually-hidden">{children}</span>;
}
