import type { RefObject } from 'react';
import { useKeyPress } from '../shortcuts.ts';

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
