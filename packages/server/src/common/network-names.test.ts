import { expect, it } from 'vitest';
import { networkName, networkNames } from './index.ts';

it('names networks by their number, each once, and says nothing of others', () => {
  expect([8_075, 24_940, 13_335, 3_320].map(networkName)).toEqual([
    'Microsoft',
    'Hetzner',
    'Cloudflare',
    'Deutsche Telekom',
  ]);
  // 0: unknown; the other is reserved for documentation.
  expect([0, 64_496].map(networkName)).toEqual(['', '']);
  const all = networkNames();
  expect(all.length).toBeGreaterThan(500);
  const numbers = all.map(({ asn }) => asn);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const { name } of all) expect(name).toMatch(/^\S(?:.{0,38}\S)?$/);
});

it('has the whole table in an answer of bounded size', () => {
  expect(JSON.stringify(networkNames()).length).toBeLessThan(40_000);
});
