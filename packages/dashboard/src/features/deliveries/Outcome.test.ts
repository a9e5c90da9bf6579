import { expect, it } from 'vitest';
import type { Destination } from '../destinations/api.ts';
import { nextOf } from './Outcome.tsx';

const [EARLY, LATE] = ['2026-11-21T12:00:00Z', '2026-11-21T12:10:00Z'];
const resting = (until: string | null) => ({ health: { not_before: until } as Destination['health'] });

it('tries a delivery again no earlier than its destination', () => {
  const retry = { status: 'retry', next_at: EARLY } as const;
  expect(nextOf(retry, resting(LATE))).toBe(LATE);
  expect(nextOf({ ...retry, next_at: LATE }, resting(EARLY))).toBe(LATE);
  expect(nextOf(retry, resting(null))).toBe(EARLY);
  expect(nextOf(retry, undefined)).toBe(EARLY);
});

it('asks for a result whatever the destination does', () => {
  expect(nextOf({ status: 'accepted_async', next_at: EARLY }, resting(LATE))).toBe(EARLY);
});
