import { expect, it } from 'vitest';
import { readDestinationSearch } from './search.ts';

it('reads the view from the address, and leaves out the default', () => {
  expect(readDestinationSearch({ view: 'events' })).toEqual({ view: 'events' });
  for (const view of ['overview', 'nothing', undefined, {}])
    expect(readDestinationSearch({ view })).toEqual({});
});
