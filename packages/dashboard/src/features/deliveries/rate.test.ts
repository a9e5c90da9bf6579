import { expect, it } from 'vitest';
import { percentOf, rateOf } from './rate.ts';

it('shows 0% and 100% only when exact', () => {
  expect(['1', '0.99996', '0.9814', '0.00001', '0'].map(percentOf)).toEqual([
    '100.0%',
    '99.9%',
    '98.1%',
    '0.1%',
    '0.0%',
  ]);
  expect([percentOf(null), percentOf('none')]).toEqual([null, null]);
});

it('has no rate before any delivery is final', () => {
  const totals = {
    ...{ destination: 'dst_1', name: 'Meta', deleted: false, skipped: {} },
    ...{ created: 10, delivered: 4, accepted: 1, waiting: 1, dead: 1, unknown: 0 },
  };
  expect(rateOf({ ...totals, rate: '0.5' })).toBe('50.0%');
  expect(rateOf({ ...totals, delivered: 0, accepted: 0, dead: 0, waiting: 10, rate: '0' })).toBeNull();
});
