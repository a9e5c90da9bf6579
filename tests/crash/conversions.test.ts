import { expect, it } from 'vitest';
import { conversionCrashRounds } from './conversion-rounds.ts';

it('keeps every acknowledged event and conversion exactly once across 6 SIGKILLs, matched and with its audit row', {
  timeout: 300_000,
}, async () => {
  const report = await conversionCrashRounds(6, () => {});
  expect(report.faults).toEqual([]);
  // Not the machine's speed is judged here: only that the kills met a service at work.
  expect(report.events).toBeGreaterThan(10);
  expect(report.conversions).toBeGreaterThan(10);
  expect(report.late).toBeGreaterThan(0);
});
