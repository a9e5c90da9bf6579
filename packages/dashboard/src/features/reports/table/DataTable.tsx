import type { ReactNode } from 'react';
import { Term, useTerm } from '../../glossary/Term.tsx';
import type { Paged } from '../api.ts';
import type { ReportChange } from '../search.ts';
import type { ReportAddress } from '../useReportSearch.ts';
import { Pager } from './Pager.tsx';

interface DataTableProps<Item> {
  /** The name of its rows: `Bots`. */
  label: string;
  /** On a phone, where the label of a figure goes: above it, where beside it both would break into lines. */
  labels?: 'beside' | 'above';
  columns: readonly Column<Item>[];
  answer: Paged<Item>;
  keyOf: (item: Item) => string;
  /** The default sorting of the service. */
  sortedBy: string;
  /** Its default order. */
  ordered?: 'asc' | 'desc';
  address: Pick<ReportAddress, 'search' | 'change'>;
  /** The rows are of the previous choice, while the new one loads. */
  stale: boolean;
  /** What the colours of the rows mean, on a phone: beside what they are sorted by. */
  phoneKey?: ReactNode;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A list that the service sorts and pages; order and page are in the address. */
export function DataTable<Item>({
  label,
  labels = 'beside',
  columns,
  answer,
  keyOf,
  sortedBy,
  ordered = 'desc',
  address: { search, change },
  stale,
  phoneKey,
  empty,
}: DataTableProps<Item>) {
  const sort = search.sort ?? sortedBy;
  const order = search.order ?? (sort === sortedBy ? ordered : 'desc');
  const main = mainOf(columns, sort);
  if (answer.items.length === 0)
    return (
      <div className="report-none">
        {answer.total > 0 || search.n !== undefined ? (
          <>
            This page is past the end of the list.{' '}
            <button type="button" className="link-button" onClick={() => change({ n: undefined })}>
              Go to the first page
            </button>
          </>
        ) : (
          empty
        )}
      </div>
    );
  return (
    <div className="report-list" data-stale={stale} aria-busy={stale}>
      <PhoneSort
        columns={columns}
        sort={sort}
        onSort={(column) => change(nextSort(column, { sort, order }, { sort: sortedBy, order: ordered }))}
      >
        {phoneKey}
      </PhoneSort>
      <div className="table-card">
        <table className="table data-table" data-labels={labels} aria-label={label}>
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
                    <Head {...column} />
                  ) : (
                    <SortButton
                      label={column.label}
                      term={column.term}
                      direction={column.sort === sort ? order : null}
                      onSort={() =>
                        change(nextSort(column, { sort, order }, { sort: sortedBy, order: ordered }))
                      }
                    />
                  )}
                  {column.note !== undefined && <span className="head-note">{column.note}</span>}
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
                      data-wide={column.wide}
                      data-plain={column.isPlain}
                      data-unit={column.unit}
                      data-main={column === main}
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
      <Pager label={label} answer={answer} onPage={(n) => change({ n: n === 1 ? undefined : n })} />
    </div>
  );
}

/** A phone has no head whose labels sort. */
function PhoneSort<Item>({
  columns,
  sort,
  onSort,
  children,
}: {
  columns: readonly Column<Item>[];
  sort: string;
  onSort: (column: Column<Item>) => void;
  children: ReactNode;
}) {
  const sortable = columns.filter((column) => column.sort !== undefined);
  return sortable.length < 2 ? null : (
    <div className="phone-sort">
      <label>
        <span className="visually-hidden">Sorted by</span>
        <select
          className="input select"
          value={sort}
          onChange={({ target: { value } }) => {
            const column = sortable.find((one) => one.sort === value);
            if (column !== undefined) onSort(column);
          }}
        >
          {sortable.map((column) => (
            <option key={column.key} value={column.sort}>
              Sort: {column.label}
            </option>
          ))}
        </select>
      </label>
      {children}
    </div>
  );
}

/** The figure that a phone shows beside the name: what the list is sorted by, or its first one. */
const mainOf = <Item,>(columns: readonly Column<Item>[], sort: string): Column<Item> | undefined => {
  const figures = columns.filter(({ kind, rank, isPlain }) => kind === 'figure' && rank <= 2 && !isPlain);
  return figures.find((column) => column.sort === sort && column.rank === 1) ?? figures[0];
};

interface Sorting {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
}

/** A second click reverses the order. Defaults are left out of the address; an order without a parameter means `desc`. */
function nextSort<Item>({ sort, kind }: Column<Item>, current: Sorting, usual: Sorting): ReportChange {
  const turned = current.order === 'asc' ? 'desc' : 'asc';
  const order = sort === current.sort ? turned : kind === 'name' ? 'asc' : 'desc';
  return {
    sort: sort === usual.sort ? undefined : sort,
    order: order === (sort === usual.sort ? usual.order : 'desc') ? undefined : order,
  };
}

function Head({ label, term }: Pick<Column<never>, 'label' | 'term'>) {
  return term === undefined ? label : <Term name={term}>{label}</Term>;
}

interface SortButtonProps {
  label: string;
  term: string | undefined;
  direction: 'asc' | 'desc' | null;
  onSort: () => void;
}

function SortButton({ label, term, direction, onSort }: SortButtonProps) {
  const { trigger, tip } = useTerm(term);
  return (
    <>
      <button
        {...trigger}
        type="button"
        className="sort-button"
        data-active={direction !== null}
        onClick={onSort}
      >
        {term === undefined ? label : <span className="term-word">{label}</span>}
        <span className="sort-arrow" aria-hidden="true">
          {direction === null ? '↕' : direction === 'asc' ? '↑' : '↓'}
        </span>
      </button>
      {tip}
    </>
  );
}

/** A column of a report's list. */
export interface Column<Item> {
  readonly key: string;
  readonly label: string;
  /** Below it in the head: what a number stands for. */
  readonly note?: string | undefined;
  /** Its entry in the glossary, which is shown on hover and on focus. */
  readonly term?: string;
  /** Figures are right-aligned, in tabular digits. */
  readonly kind: 'name' | 'figure' | 'picture' | 'time';
  /** The sort parameter; absent: not sortable. Figures and times begin with the largest, names with A. */
  readonly sort?: string;
  /** Columns of a higher rank disappear first; rank 1 always stays. */
  readonly rank: 1 | 2 | 3 | 4;
  /** Long: on a phone it has a line of its own. */
  readonly wide?: boolean;
  /** On a phone, after the figure instead of a label before it: `221 not found`. */
  readonly unit?: string | undefined;
  /** It says what it is: a phone shows no label. */
  readonly isPlain?: boolean;
  cell(item: Item): ReactNode;
}
