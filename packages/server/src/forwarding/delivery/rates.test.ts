import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRates } from './rates.ts';

it('never lets more requests leave in any minute than are allowed, and never stops permanently', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.nat(20_000), { maxLength: 300 }),
      (perMinute, steps) => {
        let now = 0;
        const rates = createRates(() => now);
        const left: number[] = [];
        for (const step of steps) {
          now += step;
          const wait = rates.take('dst_1', perMinute);
          if (wait === 0) left.push(now);
          else {
            now += wait;
            expect(rates.take('dst_1', perMinute)).toBe(0);
            left.push(now);
          }
        }
        for (const from of left)
          expect(left.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(perMinute);
        expect(rates.take('dst_2', null)).toBe(0);
      },
    ),
    { examples: [[1, [0, 7]]] },
  );
});
