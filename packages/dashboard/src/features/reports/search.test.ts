import { describe, expect, test } from 'vitest';
import { carriedOver, filterQuery, listQuery, readReportSearch } from './search.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('the address of a report', () => {
  test('leaves out anything that is not a filter', () => {
    expect(
      readReportSearch({
        period: 'last_5_days',
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

  test('sends filters to the service under the names of the API', () => {
    const search = readReportSearch({
      period: 'last_7_days',
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

  test('keeps period and filters for another report, and resets its list', () => {
    const search = readReportSearch({
      period: 'last_90_days',
      vendor: 'OpenAI',
      include: 'spoofed',
      sort: 'pages',
      order: 'asc',
      n: 2,
      group: 'vendor',
    });
    expect(carriedOver(search)).toEqual({ period: 'last_90_days', vendor: 'OpenAI', include: 'spoofed' });
  });
});
