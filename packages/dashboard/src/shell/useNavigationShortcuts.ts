import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { PAGES } from '../features/page/pages.tsx';
import { useCarriedOver } from '../features/reports/useCarriedOver.ts';
import { useKeyPress } from '../parts/shortcuts.ts';

/** The second key must follow within this many milliseconds. */
const SEQUENCE_MS = 1_200;

/** `g` then a letter opens a page; `?` shows the list of shortcuts. */
export function useNavigationShortcuts(propertyId: string | null, onHelp: () => void): void {
  const navigate = useNavigate();
  const carriedOver = useCarriedOver();
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  useKeyPress((event) => {
    const inSequence = event.timeStamp - startedAt.current < SEQUENCE_MS;
    startedAt.current = Number.NEGATIVE_INFINITY;
    if (inSequence && event.key.length === 1) {
      // The second letter is part of this word, whatever it means to a page on its own.
      event.preventDefault();
      const target = PAGES.find(({ key }) => key === event.key);
      if (target === undefined || propertyId === null) return;
      void navigate({
        to: `/p/$propertyId/${target.name}`,
        params: { propertyId },
        search: carriedOver(target.name),
      });
    } else if (event.key === 'g') {
      startedAt.current = event.timeStamp;
    } else if (event.key === '?') {
      event.preventDefault();
      onHelp();
    }
  }, true);
}
