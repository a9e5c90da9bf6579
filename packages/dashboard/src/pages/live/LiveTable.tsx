import { useRef, useState } from 'react';
import { useRowKeys } from '../../parts/list/rows.tsx';
import type { LiveRow } from './buffer.ts';
import { LiveTableRow } from './LiveTableRow.tsx';

const PAGE = 150;

interface LiveTableProps {
  rows: readonly LiveRow[];
  openId: string | null;
  onOpen: (id: string) => void;
}

/** Newest first. */
export function LiveTable({ rows, openId, onOpen }: LiveTableProps) {
  const [limit, setLimit] = useState(PAGE);
  const table = useRef<HTMLTableElement>(null);
  const shown = rows.slice(0, limit);
  useRowKeys(table);

  return (
    <>
      <table className="live-table" ref={table} aria-label="Visits, newest first">
        <thead>
          <tr>
            <th scope="col" title="Rows are in the order in which they arrived">
              Time, by arrival
            </th>
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
