import { expect, it } from 'vitest';
import { heldBy } from './held.ts';

const place = (name: string, state: 'active' | 'paused' | 'alarm', waiting: number) => ({
  ...{ id: `dst_${name}`, name, state, health: { waiting } },
  platform: 'webhook' as const,
});
const ALL = [place('Meta', 'active', 4), place('TikTok', 'paused', 21), place('Snap', 'paused', 0)];
const named = (search: Parameters<typeof heldBy>[1]) => heldBy(ALL, search).map(({ name }) => name);

it('names paused destinations for which something waits', () => {
  expect(named({})).toEqual(['TikTok']);
});

it('follows the filters', () => {
  expect(named({ status: 'waiting', destination: 'dst_TikTok' })).toEqual(['TikTok']);
  expect(named({ status: 'dead' })).toEqual([]);
  expect(named({ destination: 'dst_Meta' })).toEqual([]);
  expect(named({ platform: 'meta' })).toEqual([]);
});
