import { describe, expect, it } from 'vitest';
import {
  comparisonQuery,
  inTheseDays,
  named,
  PRESETS,
  periodLabel,
  periodOf,
  periodQuery,
  rangeLabel,
  readPeriod,
  stepped,
} from './period.ts';

const NOW = Date.parse('2026-11-21T23:59:59Z');
const at = (search: Parameters<typeof periodOf>[0], now = NOW, zone?: string) => periodOf(search, now, zone);

describe('the period', () => {
  it('is the last thirty days including today, in any time zone of the reader', () => {
    expect(at({})).toMatchObject({ from: '2026-10-23', to: '2026-11-21', days: 30, name: 'last_30_days' });
  });

  it('ends with today in the time zone of the property', () => {
    expect(at({ period: 'today' }, NOW, 'Asia/Kolkata').to).toBe('2026-11-22');
    expect(
      at({ period: 'last_7_days' }, Date.parse('2026-11-21T04:59:00Z'), 'America/New_York'),
    ).toMatchObject({ from: '2026-11-14', to: '2026-11-20', days: 7 });
  });

  it('is sent as names of days: the service knows when they begin in the zone of the property', () => {
    expect(periodQuery(at({ from: '2026-02-01', to: '2026-02-28' }))).toEqual({
      from: '2026-02-01',
      to: '2026-02-28',
    });
  });

  it('is never longer than 400 days', () => {
    const { days, to } = at({ from: '2020-01-01', to: '2026-01-01' });
    expect([days, to]).toEqual([400, '2026-01-01']);
  });

  it('says so where the address asks for days that can’t be shown', () => {
    expect(at({ from: '2026-12-01', to: '2026-12-07' })).toMatchObject({
      name: 'last_30_days',
      note: `${rangeLabel({ from: '2026-12-01', to: '2026-12-07' })} is in the future. Showing the last 30 days instead.`,
    });
    expect(at({ from: '2026-11-20', to: '2026-11-30' })).toMatchObject({
      to: '2026-11-21',
      note: `${rangeLabel({ from: '2026-11-20', to: '2026-11-30' })} ends in the future. Showing the days up to today.`,
    });
    expect(at({ from: '2020-01-01', to: '2026-01-01' }).note).toBe(
      `${rangeLabel({ from: '2020-01-01', to: '2026-01-01' })} is longer than 400 days. Showing the last 400 of them.`,
    );
    expect(at({ from: '2026-11-01', to: '2026-11-21' }).note).toBeNull();
    expect(at({}).note).toBeNull();
  });

  it('of an address is a name, or a pair of real days in order', () => {
    expect(readPeriod({ period: 'last_month', compare: 'year' })).toEqual({
      period: 'last_month',
      compare: 'year',
    });
    expect(readPeriod({ period: 'last_eon', from: '2026-02-30', to: '2026-02-01', compare: 'x' })).toEqual(
      {},
    );
    expect(readPeriod({ from: '2026-02-02', to: '2026-02-01' })).toEqual({
      from: '2026-02-01',
      to: '2026-02-02',
    });
    expect(readPeriod({ period: 'today', from: '2026-02-01', to: '2026-02-02' })).toEqual({
      from: '2026-02-01',
      to: '2026-02-02',
    });
  });

  it('of an address of an earlier version is a number of days', () => {
    expect(readPeriod({ days: '7' })).toEqual({ period: 'last_7_days' });
    expect(readPeriod({ days: 30 })).toEqual({});
    expect(readPeriod({ days: 8 })).toEqual({});
  });

  it('that is running is said to be so far', () => {
    expect(periodLabel(at({ period: 'this_month' }))).toBe('This month so far');
    expect(periodLabel(at({ period: 'last_month' }))).toBe('Last month');
    expect(periodLabel(at({}))).toBe('Last 30 days');
    expect(periodLabel(at({ from: '2026-02-01', to: '2026-02-02' }))).toMatch(/^1.–.2 Feb 2026$/);
  });
});

describe('the comparison', () => {
  const asked = (search: Parameters<typeof periodOf>[0]) => comparisonQuery(at(search));

  it('of a number of days is the same number before, which the service counts', () => {
    expect(asked({})).toEqual({ compare: 'previous' });
    expect(asked({ compare: 'year' })).toEqual({ compare: 'year' });
    expect(asked({ compare: 'none' })).toEqual({ compare: 'none' });
  });

  it('of a month begins with the month before, chosen by name or by its days', () => {
    expect(asked({ period: 'this_month' })).toEqual({ compare: 'previous', compare_from: '2026-10-01' });
    expect(asked({ from: '2026-03-01', to: '2026-03-31' })).toMatchObject({ compare_from: '2026-02-01' });
    expect(asked({ period: 'this_week' })).toMatchObject({ compare_from: '2026-11-09' });
    expect(asked({ period: 'this_month', compare: 'year' })).toEqual({ compare: 'year' });
  });
});

describe('a step', () => {
  const step = (search: Parameters<typeof periodOf>[0], direction: -1 | 1) =>
    stepped(at(search), direction, NOW);

  it('back is the same number of days, right before', () => {
    expect(step({}, -1)).toMatchObject({ from: '2026-09-23', to: '2026-10-22' });
    expect(step({ period: 'today' }, -1)).toEqual(named('yesterday'));
  });

  it('of a month is a month', () => {
    expect(step({ period: 'this_month' }, -1)).toEqual(named('last_month'));
    expect(step({ period: 'last_month' }, -1)).toMatchObject({ from: '2026-09-01', to: '2026-09-30' });
    expect(step({ from: '2026-09-01', to: '2026-09-30' }, 1)).toEqual(named('last_month'));
    expect(step({ period: 'last_month' }, 1)).toEqual(named('this_month'));
    expect(step({ from: '2026-02-01', to: '2026-02-28' }, -1)).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
    });
  });

  it('forward undoes it, and ends at today with the original name', () => {
    expect(step({ from: '2026-09-23', to: '2026-10-22' }, 1)).toEqual(named('last_30_days'));
    expect(step({ from: '2026-11-20', to: '2026-11-20' }, 1)).toEqual(named('today'));
    expect(step({ from: '2026-08-24', to: '2026-09-22' }, 1)).toMatchObject({
      from: '2026-09-23',
      to: '2026-10-22',
    });
  });

  it('never goes beyond today', () => {
    for (const { name } of PRESETS.filter(({ name }) => /^(this|last_\d|today)/.test(name)))
      expect(step({ period: name }, 1), name).toBeNull();
    expect(step({ from: '2026-11-01', to: '2026-11-20' }, 1)).toMatchObject({
      from: '2026-11-02',
      to: '2026-11-21',
    });
  });
});

it('is named by its days', () => {
  expect(rangeLabel({ from: '2026-11-21', to: '2026-11-21' })).toBe('21 Nov 2026');
  expect(rangeLabel({ from: '2025-12-31', to: '2026-01-01' })).toMatch(/^31 Dec 2025.–.1 Jan 2026$/);
});

it('counts one day as a day', () => {
  expect([inTheseDays(1), inTheseDays(30)]).toEqual(['on this day', 'in these 30 days']);
});
