import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCheckAccounts, takeOne } from './check-budget.ts';

it('counts what a thread takes and what is taken here from one account, which time refills', () => {
  let now = 0;
  const accounts = createCheckAccounts(() => now, { burst: 10, perSecond: 200 });
  const shared = accounts.of('a');
  for (let n = 0; n < 6; n += 1) expect(takeOne(shared)).toBe(true);
  for (let n = 0; n < 4; n += 1) expect(accounts.take('a')).toBe(true);
  expect([accounts.take('a'), takeOne(shared), accounts.take('b')]).toEqual([false, false, true]);
  now += 10;
  // Asked as often as messages come: no time between two questions is lost.
  for (; now <= 25; now += 1) accounts.of('a');
  expect(Array.from({ length: 6 }, () => takeOne(shared))).toEqual([true, true, true, true, true, false]);
});

it('never gives more than the burst and what time has added', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ ms: fc.nat(50), takes: fc.nat(5) }), { maxLength: 60 }), (rounds) => {
      let now = 0;
      let taken = 0;
      const accounts = createCheckAccounts(() => now, { burst: 5, perSecond: 100 });
      for (const { ms, takes } of rounds) {
        now += ms;
        for (let n = 0; n < takes; n += 1) if (accounts.take('a')) taken += 1;
      }
      expect(taken).toBeLessThanOrEqual(5 + now / 10);
    }),
  );
});
