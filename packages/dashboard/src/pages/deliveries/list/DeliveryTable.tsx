import { useState } from 'react';
import { worthOf } from '../../../features/conversions/money.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import type { Delivery } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import { Outcome } from '../../../features/deliveries/Outcome.tsx';
import { StateMark } from '../../../features/deliveries/StateMark.tsx';
import type { Destination } from '../../../features/destinations/api.ts';
import { PlatformGlyph } from '../../../features/destinations/PlatformGlyph.tsx';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { visible } from '../../../format/visible.ts';
import { IconChevronRight } from '../../../parts/icons.tsx';
import { RowOpen, RowTable } from '../../../parts/list/rows.tsx';
import { Time } from '../../../parts/Time.tsx';
import { byConversion, type Group } from '../model/groups.ts';
import { FoldedRow } from './FoldedRow.tsx';

const COLUMNS = [
  { title: 'Time' },
  { title: 'Conversion' },
  { title: 'Destination' },
  { title: 'State' },
  { title: 'Details' },
  { title: 'Value', isNumber: true },
  { title: 'Open', head: <span className="visually-hidden">Open</span> },
] as const;

interface DeliveryTableProps {
  items: readonly Delivery[];
  destinations: readonly Destination[];
  openId: string | null;
  stale: boolean;
  /** Whether one line stands for what was delivered or skipped, or is held by a pause. Not where the filters ask for such deliveries. */
  folds: boolean;
  /** @param row the row that was pressed */
  onOpen: (id: string, row: Element | null) => void;
  onSendAgain: (item: Delivery) => void;
}

/**
 * One delivery a row; those of one conversion are below each other, and what they share is one cell beside them. Names and messages are
 * untrusted text.
 */
export function DeliveryTable({
  items,
  destinations,
  openId,
  stale,
  folds,
  onOpen,
  onSendAgain,
}: DeliveryTableProps) {
  /** By conversion: what the reader chose. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const paused = new Set(destinations.filter(({ state }) => state === 'paused').map(({ id }) => id));
  return (
    <RowTable label="Deliveries, newest first" className="delivery-table" columns={COLUMNS} stale={stale}>
      {byConversion(items, folds, paused).map((group) => {
        const { conversion, shown, folded } = group;
        const isUnfolded = chosen.get(conversion) ?? folded.some(({ id }) => id === openId);
        const rows = [...shown, ...(isUnfolded ? folded : [])];
        const height = rows.length + (folded.length > 0 ? 1 : 0);
        const row = (item: Delivery, isFirst: boolean) => (
          <tr
            key={item.id}
            data-open={item.id === openId}
            data-follows={!isFirst}
            onClick={({ currentTarget }) => onOpen(item.id, currentTarget)}
          >
            {isFirst && <Shared of={item} rows={height} />}
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
              <span className="outcome-line">
                <Outcome
                  item={item}
                  destination={destinations.find(({ id }) => id === item.destination.id)}
                />
                {item.status === 'dead' && item.replayable && (
                  <RequirePermission>
                    <button
                      type="button"
                      className="button button-small row-act"
                      aria-label={`Send ${visible(item.conversion_id)} to ${item.destination.name} again`}
                      onClick={(event) => {
                        event.stopPropagation();
                        onSendAgain(item);
                      }}
                    >
                      Send again…
                    </button>
                  </RequirePermission>
                )}
              </span>
            </td>
            <Worth of={item} isShown={isFirst} />
            <td className="cell-open">
              <IconChevronRight />
            </td>
          </tr>
        );
        const [first] = folded;
        return [
          ...shown.map((item, index) => row(item, index === 0)),
          first !== undefined && (
            <FoldedRow
              key={`folded ${first.id}`}
              items={folded}
              isRest={shown.length > 0}
              isUnfolded={isUnfolded}
              before={shown.length === 0 && <Shared of={first} rows={height} />}
              after={<Worth of={first} isShown={shown.length === 0} />}
              onToggle={() => setChosen((before) => new Map(before).set(conversion, !isUnfolded))}
            />
          ),
          ...(isUnfolded ? folded.map((item) => row(item, false)) : []),
        ];
      })}
    </RowTable>
  );
}

interface OfGroup {
  /** Any delivery of the conversion. */
  of: Group<Delivery>['shown'][number];
  /** As many as are below each other. */
  rows: number;
}

function Shared({ of, rows }: OfGroup) {
  return (
    <>
      <td className="cell-time" rowSpan={rows}>
        <Time value={of.created_at} form="short" />
      </td>
      <td className="cell-what" rowSpan={rows}>
        <strong>{nameOf(of)}</strong>
        <span className="cell-detail mono">{visible(of.conversion_id)}</span>
      </td>
    </>
  );
}

/** In each row, so that its mark reaches the edge; said in the first. */
function Worth({ of, isShown }: Pick<OfGroup, 'of'> & { isShown: boolean }) {
  return (
    <td className="cell-number cell-value">{isShown && (worthOf(of) ?? <span className="quiet">–</span>)}</td>
  );
}
