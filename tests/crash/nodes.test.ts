import { expect, it } from 'vitest';
import { nodeRounds } from './node-rounds.ts';

it('loses and doubles nothing when nodes are killed and their disks deleted, with the spool in PostgreSQL', {
  timeout: 600_000,
}, async () => {
  const report = await nodeRounds(2, () => {});
  expect(report.acknowledged).toBeGreaterThan(100);
  expect(report.lost).toEqual([]);
  expect(report.doubled).toEqual([]);
});
