import { type ReactNode, type RefObject, useRef } from 'react';
import { useKeyPress } from '../shortcuts.ts';

interface RowOpenProps {
  /** The accessible name: `Purchase o-1: details`. */
  label: string;
  isOpen: boolean;
  onOpen: () => void;
  children: ReactNode;
}

/** The button that opens a row's details. The whole row is clickable; this button is for the keyboard. */
export function RowOpen({ label, isOpen, onOpen, children }: RowOpenProps) {
  return (
    <button
      type="button"
      className="row-open"
      aria-label={label}
      aria-expanded={isOpen}
      onClick={(event) => {
        event.stopPropagation();
        // Where `j` and `k` have led through the open rows, Enter goes on to the details.
        if (isOpen) document.querySelector<HTMLElement>('.drawer h2')?.focus({ preventScroll: true });
        else onOpen();
      }}
    >
      {children}
    </button>
  );
}

/** `j` and `k` move the focus between the rows' buttons; Enter opens one. Where one is open, its details follow. */
function useRowKeys(table: RefObject<HTMLTableElement | null>): void {
  useKeyPress((event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...(table.current?.querySelectorAll<HTMLButtonElement>('.row-open') ?? [])];
    const focused = buttons.findIndex((button) => button.matches(':focus'));
    const open = buttons.findIndex(({ ariaExpanded }) => ariaExpanded === 'true');
    const at = focused === -1 ? open : focused;
    const next = at === -1 ? 0 : Math.min(buttons.length - 1, Math.max(0, at + step));
    buttons[next]?.focus();
    buttons[next]?.scrollIntoView({ block: 'nearest' });
    if (open !== -1 && next !== open) buttons[next]?.click();
  });
}

interface ShowMoreProps {
  /** A list that the service pages. */
  list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Loads more rows, while there are any. */
export function ShowMore({ list }: ShowMoreProps) {
  return list.hasNextPage ? (
    <button
      type="button"
      className="button more"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
    </button>
  ) : null;
}

/** Of a list with the newest first: `Latest 50`, `12 in total`. */
export function countOfList(shown: number, { hasNextPage }: { readonly hasNextPage: boolean }): string {
  const count = shown.toLocaleString('en');
  return hasNextPage ? `Latest ${count}` : `${count} in total`;
}

interface RowTableProps {
  /** What the list is, and in which order: `Conversions, newest first`. */
  label: string;
  className?: string;
  columns: readonly RowColumn[];
  /** The rows are those of the previous filter. Absent: a list that is never reloaded. */
  stale?: boolean;
  /** The `tr` elements, each with one `RowOpen`. */
  children: ReactNode;
}

export interface RowColumn {
  readonly title: string;
  /** Replaces the title in the head, such as a term with its definition. */
  readonly head?: ReactNode;
  readonly isNumber?: boolean;
  /** The list is in its order. */
  readonly sorted?: 'ascending' | 'descending';
  /** Columns of a higher rank disappear first where there is little room. */
  readonly rank?: number;
  /** Shown on hover. */
  readonly hint?: string;
}

/** A list whose rows open beside it. The keyboard walks it with `j` and `k`. */
export function RowTable({ label, className = '', columns, stale, children }: RowTableProps) {
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table);
  return (
    <table
      ref={table}
      className={`live-table ${className}`}
      aria-label={label}
      aria-busy={stale}
      data-stale={stale}
    >
      <thead>
        <tr>
          {columns.map(({ title, head, isNumber, sorted, rank, hint }) => (
            <th
              key={title}
              scope="col"
              className={isNumber ? 'cell-number' : undefined}
              data-rank={rank}
              aria-sort={sorted}
              title={hint}
            >
              {head ?? title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
