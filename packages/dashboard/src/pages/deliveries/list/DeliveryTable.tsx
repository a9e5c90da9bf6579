import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import { Outcome } from '../../../features/deliveries/Outcome.tsx';
import { StateMark } from '../../../features/deliveries/StateMark.tsx';
import type { Destination } from '../../../features/destinations/api.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { visible } from '../../../format/visible.ts';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
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
  /** @param row the row that was pressed */
  onOpen: (id: string, row: Element | null) => void;
}

/**
 * One delivery a row; those of one conversion are below each other, and what they share is one cell beside them. Names and messages are
 * untrusted text.
 */
export function DeliveryTable({ items, destinations, openId, stale, onOpen }: DeliveryTableProps) {
  return (
    <RowTable label="Deliveries, newest first" className="delivery-table" columns={COLUMNS} stale={stale}>
      {byConversion(items).map(({ item, shared }) => (
        <tr
          key={item.id}
          data-open={item.id === openId}
          data-follows={shared === 0}
          onClick={({ currentTarget }) => onOpen(item.id, currentTarget)}
        >
          {shared > 0 && (
            <>
              <td className="cell-time" rowSpan={shared}>
                <Time value={item.created_at} form="short" />
              </td>
              <td className="cell-what" rowSpan={shared}>
                <strong>{nameOf(item)}</strong>
                <span className="cell-detail mono">{visible(item.conversion_id)}</span>
              </td>
            </>
          )}
          <td className="cell-to">
            <span className="cell-destination">
              <PlatformGlyph platform={item.platform} size={24} />
              <span>
                <RowOpen
                  label={`${nameOf(item)} ${visible(item.conversion_id)} to ${item.destination.name}, ${statusWords(item.status).title}: details`}
                  isOpen={item.id === openId}
                  onOpen={() => onOpen(item.id, document.activeElement?.closest('tr') ?? null)}
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
            <StateMark status={item.status} />
          </td>
          <td className="cell-outcome">
            <Outcome item={item} destination={destinations.find(({ id }) => id === item.destination.id)} />
          </td>
          {shared > 0 && (
            <td className="cell-number cell-value" rowSpan={shared}>
              {worthOf(item) ?? <span className="quiet">–</span>}
            </td>
          )}
        </tr>
      ))}
    </RowTable>
  );
}
