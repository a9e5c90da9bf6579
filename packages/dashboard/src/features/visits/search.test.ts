import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, readVisitSearch, VISIT_FILTERS, visitAt, visitQuery, visitsBehind } from './search.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

describe('the address of the explorer', () => {
  it('keeps every filter, also those that the router reads as numbers or truth values', () => {
    const search = readVisitSearch({
      ...{ bot: 'GPTBot', status: 404, asn: 8_075, other_bot: true, verdict: 'verified,unknown' },
      ...{
        since: '2026-11-21T10:00:00Z',
        until: '2026-11-21T11:00:00Z',
        period: 'last_7_days',
        nonsense: 'x',
      },
    });
    expect(search).toEqual({
      ...{ bot: 'GPTBot', status: '404', asn: '8075', other_bot: 'true', verdict: 'verified,unknown' },
      ...{ since: '2026-11-21T10:00:00.000Z', until: '2026-11-21T11:00:00.000Z', period: 'last_7_days' },
    });
  });

  it('is read again as what it was, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom<string>(
            ...VISIT_FILTERS,
            'since',
            'until',
            'after',
            'before',
            'open',
            'order',
            'period',
            'days',
            'compare',
          ),
          fc.anything(),
        ),
        (raw) => {
          const search = readVisitSearch(raw);
          expect(readVisitSearch({ ...search })).toEqual(search);
          for (const value of Object.values(visitQuery(search, NOW))) expect(typeof value).toBe('string');
        },
      ),
    );
  });

  it('leaves out what no filter can be', () => {
    expect(readVisitSearch({ asn: 'abc', kind: 'xyz', other_bot: 'maybe', since: 'nonsense' })).toEqual({});
    expect(readVisitSearch({ kind: 'file', asn: '08' })).toEqual({ kind: 'file' });
  });

  it('knows the unknown network, which is 0', () => {
    expect(readVisitSearch({ asn: 0 })).toEqual({ asn: '0' });
    expect(visitQuery({ asn: '0' }, NOW)).toMatchObject({ asn: '0' });
  });

  it('has no time that ends before it begins', () => {
    const turned = readVisitSearch({ since: '2026-11-22T11:00:00Z', until: '2026-11-22T10:00:00Z' });
    expect(turned).toEqual({});
  });
});

describe('the visits behind a figure', () => {
  it('are those that reports count: bots without the spoofed ones, in the period and filters of the report', () => {
    expect(
      visitsBehind({ period: 'last_7_days', vendor: 'OpenAI', path: '/blog/', n: 3, sort: 'hits' }),
    ).toEqual({
      ...{
        period: 'last_7_days',
        vendor: 'OpenAI',
        path: '/blog/',
        class: 'ai_bot',
        verdict: 'verified,unknown',
      },
    });
    expect(visitsBehind({ include: 'spoofed' })).toEqual({ class: 'ai_bot' });
    expect(visitsBehind({ verified: 'false' }, { bot: 'GPTBot' })).toEqual({
      ...{ class: 'ai_bot', verdict: 'spoofed', bot: 'GPTBot' },
    });
  });

  it('of people know no filter on bots', () => {
    expect(visitsBehind({ bot: 'GPTBot', host: 'shop.example' }, { class: 'ai_referral' })).toEqual({
      ...{ class: 'ai_referral', host: 'shop.example' },
    });
  });
});

it('a visit is found by its place, whatever the zone of the property', () => {
  const place = placeOf({ at: '2026-11-22T23:30:00.250Z', id: '0b1f3a52-0000-4000-8000-000000000000' });
  expect(readVisitSearch({ open: place })).toEqual({ open: place });
  expect(visitAt(place)).toMatchObject({
    ...{ from: '2026-11-21', since: '2026-11-22T23:30:00.250Z', until: '2026-11-22T23:30:00.251Z' },
  });
});
