import { expect, it } from 'vitest';
import { checkState } from './api.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const status = (last_event_at: string | null, refused = 0) => ({
  first_event_at: last_event_at,
  last_event_at,
  origins: [
    { origin: 'x.example', foreign: refused > 0, accepted: 0, refused, last_at: '2026-11-21T11:00:00Z' },
  ],
});

it.each([
  [status(null), 'waiting'],
  [{ ...status(null), origins: [] }, 'waiting'],
  [status(null, 3), 'refused'],
  [status('2026-11-21T11:59:59Z', 3), 'active'],
  [status('2026-11-20T11:59:59Z'), 'stale'],
])('%j is %s', (events, state) => {
  expect(checkState(events, NOW)).toBe(state);
});
