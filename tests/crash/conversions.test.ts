import { expect, it } from 'vitest';
import { conversionCrashRounds } from './conversion-rounds.ts';

it('keeps every acknowledged event and conversion exactly once across 6 SIGKILLs, matched and with its audit row', {
  timeout: 600_000,
}, async () => {
  const report = await conversionCrashRounds(6, () => {});
  expect(report.faults).toEqual([]);
  // This doesn't test the machine's speed, only that the kills hit a working service.
  expect(report.events).toBeGreaterThan(10);
  expect(report.conversions).toBeGreaterThan(10);
  expect(report.late).toBeGreaterThan(0);
});
