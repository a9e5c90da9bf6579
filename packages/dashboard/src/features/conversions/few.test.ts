import { expect, it } from 'vitest';
import { fewText, isTooFew } from './few.ts';

it('a percentage is made of at least twenty conversions before', () => {
  expect(['0', '11', '19.5', '20', '153'].map(isTooFew)).toEqual([true, true, true, false, false]);
  expect(['0', '11'].map(fewText)).toEqual(['none before', '11 before']);
});
