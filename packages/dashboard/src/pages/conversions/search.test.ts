import { describe, expect, it } from 'vitest';
import { periodOf } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { behindCount, type ConversionSearch, isFiltered, listQuery, readConversionSearch } from './search.ts';

describe('the address of the Conversions page', () => {
  it('is read back as it was written', () => {
    const search = {
      period: 'last_7_days',
      topic: 'refund',
      matched: 'no',
      channel: 'Paid Search',
      q: 'ord_1',
      by: 'campaign',
      model: 'linear',
      measure: 'count',
      currency: 'JPY',
      open: 'cnv_1',
    } as const;
    expect(readConversionSearch({ ...search })).toEqual(search);
  });

  it('leaves out anything that is not a filter', () => {
    expect(
      readConversionSearch({
        days: 8,
        topic: 'theft',
        matched: 'perhaps',
        q: '   ',
        by: ['channel'],
        model: {},
        currency: 'euro',
        open: null,
      }),
    ).toEqual({});
  });

  it('leaves out the default of thirty days', () => {
    expect(readConversionSearch({ period: 'last_30_days' })).toEqual({});
  });

  it('reads a number as text', () => {
    expect(readConversionSearch({ q: 1001 })).toEqual({ q: '1001' });
  });

  it('takes custom days only as a pair of real days, in whichever order', () => {
    const days = { from: '2026-02-01', to: '2026-02-28' };
    expect(readConversionSearch(days)).toEqual(days);
    expect(readConversionSearch({ from: days.to, to: days.from })).toEqual(days);
    for (const [from, to] of [
      ['2026-02-01', '2026-02-31'],
      ['2026-02-01', undefined],
      ['yesterday', 'today'],
    ]) {
      expect(readConversionSearch({ from, to })).toEqual({});
    }
  });

  it('cuts text that is too long for an address', () => {
    expect(readConversionSearch({ q: 'x'.repeat(999) }).q).toHaveLength(200);
  });

  it('removes parameters that a change empties', () => {
    expect(compact<ConversionSearch>({ q: '', topic: undefined, by: 'source' })).toEqual({ by: 'source' });
  });
});

const NOW = Date.parse('2026-11-21T23:59:59Z');

it('builds the list query with the names of the API', () => {
  const search = readConversionSearch({ matched: 'no', q: ' ord ', by: 'source', model: 'linear' });
  expect(listQuery(search, periodOf(search, NOW))).toEqual({
    from: '2026-10-23',
    to: '2026-11-21',
    matched: 'false',
    q: 'ord',
  });
  expect(isFiltered(search)).toBe(true);
  expect(isFiltered({ by: 'source', period: 'last_7_days', open: 'x' })).toBe(false);
});

describe('the conversions behind a figure', () => {
  it('are those of the page, narrowed, without an open one', () => {
    expect(
      behindCount({ period: 'last_7_days', topic: 'purchase', open: 'c1' }, { matched: 'no' }, false),
    ).toEqual({
      ...{ period: 'last_7_days', topic: 'purchase', matched: 'no' },
    });
  });

  it('are not known of credit by another model than the last click', () => {
    expect(behindCount({ model: 'linear' }, { channel: 'ai_assistant' }, true)).toBeNull();
    expect(behindCount({}, { channel: 'ai_assistant' }, true)).toEqual({ channel: 'ai_assistant' });
    expect(behindCount({ model: 'linear' }, { matched: 'yes' }, false)).toMatchObject({ matched: 'yes' });
  });
});
