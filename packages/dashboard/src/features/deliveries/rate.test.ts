import { expect, it } from 'vitest';
import { percentOf } from './rate.ts';

it('shows 0% and 100% only when exact', () => {
  expect(['1', '0.9999', '0.9814', '0.0001', '0'].map(percentOf)).toEqual([
    '100.0%',
    '99.9%',
    '98.1%',
    '0.1%',
    '0.0%',
  ]);
  expect([percentOf(null), percentOf('none')]).toEqual([null, null]);
});
