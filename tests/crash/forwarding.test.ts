import { expect, it } from 'vitest';
import { forwardingCrashRounds } from './forwarding-rounds.ts';

it('brings every acknowledged conversion to every platform once across 5 SIGKILLs, and unknown outcomes are shown as such', {
  timeout: 600_000,
}, async () => {
  const report = await forwardingCrashRounds(5, () => {});
  expect(report.faults).toEqual([]);
  // This doesn't test the machine's speed, only that the kills hit a working service.
  expect(report.conversions).toBeGreaterThan(10);
  expect(report.absorbed + report.unknown).toBeGreaterThan(0);
});
