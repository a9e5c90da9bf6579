import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useKeyPress } from './shortcuts.ts';

/** The second key must follow within this many milliseconds. */
const SEQUENCE_MS = 1_200;

const TARGETS = {
  l: '/p/$propertyId/live',
  c: '/p/$propertyId/conversions',
  v: '/p/$propertyId/deliveries',
  s: '/p/$propertyId/setup',
  d: '/p/$propertyId/sdk',
  h: '/p/$propertyId/webhooks',
  f: '/p/$propertyId/destinations',
  w: '/p/$propertyId/webmcp',
  k: '/p/$propertyId/keys',
  ',': '/p/$propertyId/settings',
} as const;

/** `g` then a letter opens a page; `?` shows the list of shortcuts. */
export function useNavigationShortcuts(propertyId: string | null, onHelp: () => void): void {
  const navigate = useNavigate();
  const startedAt = useRef(Number.NEGATIVE_INFINITY);
  useKeyPress((event) => {
    if (event.key === '?') {
      event.preventDefault();
      onHelp();
      return;
    }
    if (event.key === 'g') {
      startedAt.current = event.timeStamp;
      return;
    }
    const inSequence = event.timeStamp - startedAt.current < SEQUENCE_MS;
    startedAt.current = Number.NEGATIVE_INFINITY;
    const target = Object.entries(TARGETS).find(([key]) => key === event.key)?.[1];
    if (!inSequence || target === undefined || propertyId === null) return;
    event.preventDefault();
    void navigate({ to: target, params: { propertyId } });
  });
}
