import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import { ServiceError } from './errors.ts';

const KIB = 1_024;
const LIMITS = { total: 64 * KIB, perProperty: 32 * KIB, perAddress: 16 * KIB };

it('counts each piece as it arrives, whatever was open before it, and says when to come again', () => {
  const budget = createByteBudget(LIMITS);
  // All are open before one byte has come.
  const bodies = Array.from({ length: 1_000 }, (_, n) =>
    budget.open(`property-${n}`, `203.0.113.${n % 250}`),
  );
  let taken = 0;
  let refused: unknown;
  for (const body of bodies)
    try {
      body.take(KIB);
      taken += KIB;
    } catch (error) {
      refused ??= error;
    }
  expect(taken).toBeLessThanOrEqual(LIMITS.total);
  expect(taken).toBeGreaterThan(LIMITS.total / 2);
  expect(refused).toBeInstanceOf(ServiceError);
  expect(refused).toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '5', Connection: 'close' },
  });
});

it('leaves room for others: neither one address nor one property takes all there is', () => {
  const budget = createByteBudget(LIMITS);
  const fill = (property: string, ip: string): number => {
    const body = budget.open(property, ip);
    for (let taken = 0; ; taken += KIB)
      try {
        body.take(KIB);
      } catch {
        return taken;
      }
  };
  const one = fill('a', '203.0.113.1');
  expect(one).toBeGreaterThan(8 * KIB);
  expect(one).toBeLessThan(16 * KIB);
  // The addresses of one IPv6 customer are one.
  expect(fill('a', '2001:db8:1:2::1')).toBe(one);
  expect(fill('b', '2001:db8:1:2::2')).toBe(0);
  expect(fill('b', '203.0.113.1')).toBe(0);
  expect(fill('a', '203.0.113.2')).toBeLessThan(4 * KIB);
  expect(fill('b', '203.0.113.3')).toBe(one);
});

it('small pieces count for more than their bytes', () => {
  const body = createByteBudget(LIMITS).open('a', '203.0.113.1');
  let taken = 0;
  expect(() => {
    for (;;) {
      body.take(1);
      taken += 1;
    }
  }).toThrow(ServiceError);
  expect(taken).toBeLessThan(100);
});

it('has all of it again when what was held is released, however it ended', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.array(fc.nat(20 * KIB))), { maxLength: 20 }),
      (open) => {
        const budget = createByteBudget(LIMITS);
        const bodies = open.map(([property, address, pieces]) => {
          const body = budget.open(`p${property}`, `203.0.113.${address}`);
          for (const piece of pieces)
            try {
              body.take(piece);
            } catch {
              break;
            }
          return body;
        });
        for (const body of bodies) body.release();
        for (const body of bodies) body.release();
        budget.open('p1', '203.0.113.1').take(LIMITS.perAddress - 256);
      },
    ),
  );
});
