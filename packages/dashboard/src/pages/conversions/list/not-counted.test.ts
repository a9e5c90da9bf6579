import { expect, it } from 'vitest';
import { notCounted } from './not-counted.ts';

const order = { topic: 'purchase', order: null } as const;
const refund = { topic: 'refund', order: null } as const;
const again = { topic: 'subscription', order: 'cnv_1' } as const;

it('says what the list has and the number of conversions leaves out', () => {
  expect(notCounted([order])).toBe('');
  expect(notCounted([order, refund])).toBe('Includes refunds, which are not counted as conversions.');
  expect(notCounted([refund, again])).toBe(
    'Includes refunds and orders that were received as another type before, which are not counted as conversions.',
  );
});
