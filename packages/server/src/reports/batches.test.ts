import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAYS_AT_ONCE, HITS_AT_ONCE, inBatches } from './batches.ts';

it('days are counted in their order, each once, within both bounds, and as many together as fit', () => {
  const hits = fc.oneof(
    { weight: 8, arbitrary: fc.nat(3_000) },
    { weight: 1, arbitrary: fc.integer({ min: HITS_AT_ONCE - 10, max: 10 * HITS_AT_ONCE }) },
  );
  fc.assert(
    fc.property(fc.array(hits, { maxLength: 400 }), (counts) => {
      const days = counts.map((count, day) => ({ day, hits: count }));
      const batches = inBatches(days);
      expect(batches.flat()).toEqual(days);
      const total = (batch: readonly { hits: number }[]) => batch.reduce((sum, day) => sum + day.hits, 0);
      for (const [index, batch] of batches.entries()) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(DAYS_AT_ONCE);
        if (batch.length > 1) expect(total(batch)).toBeLessThanOrEqual(HITS_AT_ONCE);
        const next = batches[index + 1]?.[0];
        if (next !== undefined && batch.length < DAYS_AT_ONCE)
          expect(total([...batch, next])).toBeGreaterThan(HITS_AT_ONCE);
      }
    }),
  );
});
