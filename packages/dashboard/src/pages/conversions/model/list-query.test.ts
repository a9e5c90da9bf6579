import { expect, it } from 'vitest';
import { periodOf } from '../../../format/period.ts';
import { readConversionSearch } from '../search.ts';
import { isFiltered, listQuery } from './list-query.ts';

const NOW = Date.parse('2026-11-21T23:59:59Z');

it('asks for the list with the words of the API', () => {
  const search = readConversionSearch({ matched: 'no', q: ' ord ', by: 'source', model: 'linear' });
  expect(listQuery(search, periodOf(search, NOW))).toEqual({
    from: '2026-10-23',
    to: '2026-11-21',
    matched: 'false',
    q: 'ord',
  });
  expect(isFiltered(search)).toBe(true);
  expect(isFiltered({ by: 'source', days: 7, open: 'x' })).toBe(false);
});
