import { useCallback, useRef, useState } from 'react';
import { useKeyPress } from '../app/shortcuts.ts';
import type { LiveRow } from './buffer.ts';
import { LiveTableRow } from './LiveTableRow.tsx';

const PAGE = 150;

interface LiveTableProps {
  rows: readonly LiveRow[];
  openId: string | null;
  onOpen: (id: string) => void;
}

/** Newest first. `j` and `k` walk the rows' buttons, so that Enter opens one as on any button. */
export function LiveTable({ rows, openId, onOpen }: LiveTableProps) {
  const [limit, setLimit] = useState(PAGE);
  const table = useRef<HTMLTableElement>(null);
  const shown = rows.slice(0, limit);

  const walk = useCallback((step: 1 | -1) => {
    const buttons = [...(table.current?.querySelectorAll<HTMLButtonElement>('.row-open') ?? [])];
    const focused = document.activeElement;
    const at = focused instanceof HTMLButtonElement ? buttons.indexOf(focused) : -1;
    const next = buttons[at === -1 ? 0 : Math.min(buttons.length - 1, Math.max(0, at + step))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }, []);
  useKeyPress((event) => {
    if (event.key === 'j') walk(1);
    if (event.key === 'k') walk(-1);
  });

  return (
    <>
      <table className="live-table" ref={table} aria-label="Visits, newest first">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Class</th>
            <th scope="col">Visitor</th>
            <th scope="col">Verdict</th>
            <th scope="col">Page</th>
            <th scope="col" className="cell-number">
              Status
            </th>
            <th scope="col">Country</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <LiveTableRow key={row.item.id} row={row} open={row.item.id === openId} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <button type="button" className="button more" onClick={() => setLimit((before) => before + PAGE)}>
          Show {Math.min(PAGE, rows.length - limit)} more
        </button>
      )}
    </>
  );
}
