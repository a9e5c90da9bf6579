import type { ReactNode, RefObject } from 'react';
import { useKeyPress } from '../shortcuts.ts';

interface RowOpenProps {
  /** What the row is, and what opens: `Purchase o-1: details`. */
  label: string;
  isOpen: boolean;
  onOpen: () => void;
  children: ReactNode;
}

/** The button of a row that opens beside its list. The whole row can be pressed; this is what the keyboard presses. */
export function RowOpen({ label, isOpen, onOpen, children }: RowOpenProps) {
  return (
    <button
      type="button"
      className="row-open"
      aria-label={label}
      aria-expanded={isOpen}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
    >
      {children}
    </button>
  );
}

/** `j` and `k` walk the rows' buttons, so that Enter opens one as on any button. */
export function useRowKeys(table: RefObject<HTMLTableElement | null>): void {
  useKeyPress((event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...(table.current?.querySelectorAll<HTMLButtonElement>('.row-open') ?? [])];
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const next = buttons[at === -1 ? 0 : Math.min(buttons.length - 1, Math.max(0, at + step))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
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

/** The way to the rows after these, while there are any. */
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

/** `50 shown, there are more`, `12 in all`. */
export function countOfList(shown: number, { hasNextPage }: { readonly hasNextPage: boolean }): string {
  return `${shown.toLocaleString('en')}${hasNextPage ? ' shown, there are more' : ' in all'}`;
}
