import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBy } from './listing.ts';

interface Row {
  readonly key: string;
  readonly value: number | null;
}
const row = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  value: fc.option(fc.integer({ min: 0, max: 3 })),
});

describe('the order of a list that is sorted here', () => {
  it.each(['asc', 'desc'] as const)(
    'is the value %s, nothing to compare last, equal ones by their keys',
    (order) => {
      fc.assert(
        fc.property(fc.array(row), (rows) => {
          const sorted = rows.toSorted(
            compareBy<Row>(
              ({ value }) => value,
              order,
              ({ key }) => [key],
            ),
          );
          for (const [index, after] of sorted.entries()) {
            const before = sorted[index - 1];
            if (before === undefined || after.value === null) continue;
            expect(before.value).not.toBeNull();
            if (before.value === after.value) expect(before.key <= after.key).toBe(true);
            else expect((before.value ?? 0) < after.value).toBe(order === 'asc');
          }
        }),
      );
    },
  );

  it('is that of the keys where nothing can be compared', () => {
    const rows: Row[] = ['b', 'a'].map((key) => ({ key, value: null }));
    const compare = compareBy<Row>(
      ({ value }) => value,
      'desc',
      ({ key }) => [key],
    );
    expect(rows.sort(compare).map(({ key }) => key)).toEqual(['a', 'b']);
  });
});
