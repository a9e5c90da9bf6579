import { expect, it } from 'vitest';
import type { LogSource } from '../api/types.ts';
import { groupsOf } from './useSources.ts';

const source = (title: string, group: string) => ({ title, group }) as LogSource;

it('groups sources in the order of the page, and puts an unknown group last', () => {
  const sources = [
    source('Later', 'satellite'),
    source('Program', 'application'),
    source('nginx', 'server'),
    source('Worker', 'edge'),
    source('Apache', 'server'),
  ];
  expect(groupsOf(sources).map((group) => [group.title, group.sources.map(({ title }) => title)])).toEqual([
    ['CDN and edge', ['Worker']],
    ['Web servers', ['nginx', 'Apache']],
    ['Applications', ['Program']],
    ['satellite', ['Later']],
  ]);
});
