import { describe, expect, test } from 'vitest';
import { carriedOver, filterQuery, listQuery, readReportSearch } from './search.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('the address of a report', () => {
  test('what anybody wrote into it and is no filter is left out', () => {
    expect(
      readReportSearch({
        days: 5,
        intent: 'mischief',
        verified: 'maybe',
        include: 'everybody',
        path: 'no-slash',
        country: 'Germany',
        order: 'sideways',
        n: -3,
        from: '2026-02-31',
        to: '2026-03-01',
        onclick: 'alert(1)',
      }),
    ).toEqual({});
  });

  test('filters are asked of the service under its own names', () => {
    const search = readReportSearch({
      days: 7,
      bot: 'GPTBot',
      verified: true,
      include: 'spoofed',
      path: '/blog/',
      country: 'de',
      n: '3',
      sort: 'hits',
    });
    expect(filterQuery(search, NOW)).toEqual({
      from: '2026-11-15',
      to: '2026-11-21',
      bot: 'GPTBot',
      verified: 'true',
      include: 'spoofed',
      path: '/blog/',
      country: 'DE',
    });
    expect(listQuery(search)).toEqual({ sort: 'hits', page_number: '3' });
  });

  test('another report keeps period and filters, and starts its own list', () => {
    const search = readReportSearch({
      days: 90,
      vendor: 'OpenAI',
      include: 'spoofed',
      sort: 'pages',
      order: 'asc',
      n: 2,
      group: 'vendor',
    });
    expect(carriedOver(search)).toEqual({ days: 90, vendor: 'OpenAI', include: 'spoofed' });
  });
});
