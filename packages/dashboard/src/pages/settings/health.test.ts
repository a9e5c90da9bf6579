import { expect, it } from 'vitest';
import { type Health, sentencesOf } from './health.ts';

const SPOOL = { pending_rows: 0, pending_events: 0, last_error: null, lost_rows: 0, damages: [] };
const told = (readiness: Health['readiness'], spool: Partial<Health['spool']> | null = {}) =>
  sentencesOf({ readiness, spool: spool === null ? null : { ...SPOOL, ...spool } }).map(
    ({ tone, text }) => `${tone}: ${text}`,
  );

it('is one sentence when all works, even without access to the spool', () => {
  expect(told({ status: 'ready' })).toEqual(['good: Receiving, storing and reporting.']);
  expect(told({ status: 'ready' }, null)).toHaveLength(1);
});

it('shows the reasons of the service, and the number of waiting rows', () => {
  const reasons = { warehouse: 'The warehouse does not answer. Hits wait in the spool.' };
  expect(
    told({ status: 'degraded', reasons }, { pending_rows: 1_200, pending_events: 3, last_error: 'timeout' }),
  ).toEqual([
    'wait: Receiving; another component is unavailable.',
    `wait: ${reasons.warehouse}`,
    'wait: 1,203 rows wait on disk: the warehouse did not take the last batch (timeout).',
  ]);
});

it('reports damage and losses', () => {
  const damages = [{ at: '2026-11-20T00:00:00Z', lost_rows: 3 }];
  expect(told({ status: 'ready' }, { damages, lost_rows: 3 }).slice(1)).toEqual([
    'bad: The disk damaged the spool once in the last 30 days. Check the disk.',
    'bad: 3 acknowledged rows were lost to damage on the disk since this installation began.',
  ]);
});
