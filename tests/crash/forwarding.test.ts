import { expect, it } from 'vitest';
import { forwardingCrashRounds } from './forwarding-rounds.ts';

it('brings every acknowledged conversion to every platform once across 5 SIGKILLs, and what is in doubt is said to be', {
  timeout: 300_000,
}, async () => {
  const report = await forwardingCrashRounds(5, () => {});
  expect(report.faults).toEqual([]);
  // Not the machine's speed is judged here: only that the kills met a service at work.
  expect(report.conversions).toBeGreaterThan(10);
  expect(report.absorbed + report.unknown).toBeGreaterThan(0);
});
