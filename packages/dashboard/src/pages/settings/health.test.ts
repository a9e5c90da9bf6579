import { expect, it } from 'vitest';
import { checksOf, type Health, healthSum } from './health.ts';

const OK = { spool: 'ok', database: 'ok', warehouse: 'ok' } as const;
const READY: Health['readiness'] = { status: 'ready', checks: OK };
const SPOOL = { pending_rows: 0, pending_events: 0, last_error: null, lost_rows: 0, damages: [] };
const told = (readiness: Health['readiness'], spool: Partial<Health['spool']> | null = {}) =>
  checksOf({ readiness, spool: spool === null ? null : { ...SPOOL, ...spool }, free_bytes: null }).map(
    ({ name, tone, text }) => `${name}, ${tone}: ${text}`,
  );

it('lists what works, even without access to the spool', () => {
  expect(told(READY)).toEqual([
    'Receiving, good: Visits and events are accepted.',
    'Storing and reporting, good: Accepted visits appear in reports.',
    'Accounts and settings, good: Database is responding.',
    'Disk, good: No corruption or data loss in 30 days.',
  ]);
  expect(told(READY, null)).toHaveLength(3);
});

it('shows the reasons of the service, as waiting where nothing is lost', () => {
  const reasons = {
    spool: 'The disk of /data is full. Make room on it.',
    warehouse: 'The warehouse does not answer. Hits wait in the spool.',
  };
  const readiness: Health['readiness'] = {
    status: 'unavailable',
    checks: { ...OK, spool: 'failing', warehouse: 'failing' },
    reasons,
  };
  expect(told(readiness, null)).toEqual([
    `Receiving, bad: ${reasons.spool}`,
    `Storing and reporting, wait: ${reasons.warehouse}`,
    'Accounts and settings, good: Database is responding.',
  ]);
});

it('sums up', () => {
  const of = (...failing: (keyof typeof OK)[]) =>
    healthSum(
      checksOf({
        readiness: {
          status: 'degraded',
          checks: { ...OK, ...Object.fromEntries(failing.map((part) => [part, 'failing'])) },
        },
        spool: null,
        free_bytes: null,
      }),
    );
  expect(of()).toBe('All systems working');
  expect(of('warehouse')).toBe('1 of 3 needs a look');
  expect(of('warehouse', 'spool')).toBe('2 of 3 need a look');
});

it('says how many rows wait although the warehouse answers', () => {
  expect(told(READY, { pending_rows: 1_200, pending_events: 3, last_error: 'timeout' })[1]).toBe(
    'Storing and reporting, wait: 1,203 rows wait on disk: the warehouse did not take the last batch (timeout). They are sent again.',
  );
});

it('has the figures that the service gives', () => {
  const figures = (free_bytes: number | null, spool: Health['spool']) =>
    checksOf({ readiness: READY, spool, free_bytes }).map(({ figure }) => figure);
  expect(figures(41_260_000_000, { ...SPOOL, pending_rows: 1 })).toEqual([
    ...[undefined, '1 row waiting', undefined],
    '41.3 GB free',
  ]);
  expect(figures(null, null)).toEqual([undefined, undefined, undefined]);
});

it('reports damage and losses', () => {
  const damages = [{ at: '2026-11-20T00:00:00Z', lost_rows: 3 }];
  expect(told(READY, { damages, lost_rows: 3 })[3]).toBe(
    'Disk, bad: The disk damaged the spool once in the last 30 days. Check the disk. 3 acknowledged rows were lost to damage on the disk since this installation began.',
  );
});
