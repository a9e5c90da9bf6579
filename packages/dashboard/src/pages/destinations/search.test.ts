import { expect, it } from 'vitest';
import { readDestinationSearch } from './search.ts';

it('reads the view of an address, and says nothing about the first', () => {
  expect(readDestinationSearch({ view: 'events' })).toEqual({ view: 'events' });
  for (const view of ['overview', 'nothing', undefined, {}])
    expect(readDestinationSearch({ view })).toEqual({});
});
