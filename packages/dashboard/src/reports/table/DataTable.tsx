import type { ReactNode } from 'react';
import type { ReportChange } from '../shared/search.ts';
import type { Paged } from '../shared/types.ts';
import type { ReportAddress } from '../shared/useReportSearch.ts';
import type { Column } from './columns.ts';
import { Pager } from './Pager.tsx';

interface DataTableProps<Item> {
  /** What its rows are: `Bots`. */
  label: string;
  columns: readonly Column<Item>[];
  answer: Paged<Item>;
  keyOf: (item: Item) => string;
  /** The sorting of the service when none is chosen. */
  sortedBy: string;
  address: Pick<ReportAddress, 'search' | 'change'>;
  /** Of an earlier choice, while the chosen one is on its way. */
  stale: boolean;
  /** Said when there is no row. */
  empty: ReactNode;
}

/** A list that the service sorts and pages; its order and page stand in the address. */
export function DataTable<Item>({
  label,
  columns,
  answer,
  keyOf,
  sortedBy,
  address: { search, change },
  stale,
  empty,
}: DataTableProps<Item>) {
  const sort = search.sort ?? sortedBy;
  const order = search.order ?? 'desc';
  if (answer.items.length === 0) return <div className="report-none">{empty}</div>;
  return (
    <div className="report-list" data-stale={stale} aria-busy={stale}>
      <div className="table-card">
        <table className="table data-table" aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={`cell-${column.kind}`}
                  data-rank={column.rank}
                  aria-sort={column.sort !== sort ? undefined : order === 'asc' ? 'ascending' : 'descending'}
                >
                  {column.sort === undefined ? (
                    column.label
                  ) : (
                    <SortButton
                      label={column.label}
                      direction={column.sort === sort ? order : null}
                      onSort={() => change(nextSort(column, sort, order, sortedBy))}
                    />
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.items.map((item) => (
              <tr key={keyOf(item)}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th
                      key={column.key}
                      scope="row"
                      className={`cell-${column.kind}`}
                      data-rank={column.rank}
                    >
                      {column.cell(item)}
                    </th>
                  ) : (
                    <td
                      key={column.key}
                      className={`cell-${column.kind}`}
                      data-rank={column.rank}
                      data-label={column.label}
                    >
                      {column.cell(item)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager answer={answer} onPage={(n) => change({ n: n === 1 ? undefined : n })} />
    </div>
  );
}

/** A second press turns the order round. */
function nextSort<Item>(
  { sort, kind }: Column<Item>,
  current: string,
  order: 'asc' | 'desc',
  usual: string,
): ReportChange {
  const first = kind === 'name' ? 'asc' : 'desc';
  const next = sort !== current ? first : order === 'asc' ? 'desc' : 'asc';
  return {
    sort: sort === usual && next === 'desc' ? undefined : sort,
    order: next === 'desc' ? undefined : next,
  };
}

interface SortButtonProps {
  label: string;
  direction: 'asc' | 'desc' | null;
  onSort: () => void;
}

function SortButton({ label, direction, onSort }: SortButtonProps) {
  return (
    <button type="button" className="sort-button" data-active={direction !== null} onClick={onSort}>
      {label}
      <span aria-hidden="true">{direction === null ? '↕' : direction === 'asc' ? '↑' : '↓'}</span>
    </button>
  );
}
