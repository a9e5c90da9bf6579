import { expect, it } from 'vitest';
import { crashRounds } from './rounds.ts';

it('stores every acknowledged hit exactly once across 12 SIGKILLs under load', {
  timeout: 600_000,
}, async () => {
  const report = await crashRounds(12, () => {});
  expect(report.acknowledged).toBeGreaterThan(100);
  expect(report.warehouseKills).toBeGreaterThan(0);
  expect(report.lost).toEqual([]);
  expect(report.doubled).toEqual([]);
});
