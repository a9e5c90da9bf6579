import { describe, expect, it } from 'vitest';
import { ceilingOf, reachedText, reaches, saidOf, shown, toldOf } from './history.ts';

const days = (...values: (number | null)[]) =>
  values.map((value, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, '0')}`,
    value,
    reason: value === null ? ('too_little' as const) : null,
  }));
const spike = { kind: 'spike' as const, unit: 'times the usual', fires: 'at_least' as const };
const accepted = { kind: 'forwarding_failing' as const, unit: '% accepted', fires: 'below' as const };

describe('what the last 30 days say about a threshold', () => {
  it('is the highest day, and on how many days the threshold was reached', () => {
    const history = { ...spike, days: days(0, 3, null, 12.5, 2) };
    expect(toldOf(history, 3)).toEqual({
      lead: 'Reached on 2 of the last 30 days',
      more: 'Highest: 12.5 times the usual, 4 Nov.',
    });
    expect(toldOf(history, 13).lead).toBe('Never reached in the last 30 days');
    expect(toldOf(history, 12.5).lead).toBe('Reached on 1 of the last 30 days');
  });

  it('is in the row of its rule in a few words', () => {
    const history = { ...spike, days: days(0, 3, null, 12.5, 2) };
    expect(reachedText(history, 3)).toBe('Reached on 2 of 5 days');
    expect(reachedText(history, 13)).toBe('Not reached in 5 days');
    expect(reachedText({ ...accepted, days: days(100, 85) }, 90)).toBe('Below it on 1 of 2 days');
    expect(reachedText({ ...accepted, days: days(100, 95) }, 90)).toBe('Not below it in 2 days');
    expect(reachedText({ ...spike, days: days(null, null) }, 3)).toBe('');
    const unknown = { day: '2026-11-09', value: null, reason: 'unknown' as const };
    expect(reachedText({ ...spike, days: [...days(1, 2), unknown] }, 3)).toBe('Not reached in 2 days');
  });

  it('is the lowest day of a rule that fires below its threshold', () => {
    const history = { ...accepted, days: days(100, 85, null, 90) };
    expect(toldOf(history, 90)).toEqual({
      lead: 'Below it on 1 of the last 30 days',
      more: 'Lowest: 85% accepted, 2 Nov.',
    });
    expect(toldOf(history, 80).lead).toBe('Never below it in the last 30 days');
    expect(reaches('below', null, 90)).toBe(false);
  });

  it('says so where there is nothing, or too little', () => {
    expect(toldOf({ ...spike, days: days(null, null) }, 3).lead).toContain('too little data');
    expect(toldOf({ ...spike, days: days(0, 0) }, 3)).toEqual({
      lead: 'Never reached in the last 30 days',
      more: 'Highest: 0 times the usual.',
    });
  });

  it('never looks as if a day reached what it is under, and says why it has no figure', () => {
    expect([shown(2.995), shown(89.96), shown(0.29), shown(1_200)]).toEqual([
      '2.99',
      '89.96',
      '0.29',
      '1,200',
    ]);
    const [none] = days(null);
    if (none === undefined) throw new Error('There is no day');
    expect(saidOf(none)).toBe('too little to say');
    const deleted = { ...none, reason: 'unknown' as const };
    expect(saidOf(deleted)).toBe('unknown');
    const told = (...more: (typeof deleted)[]) => toldOf({ ...spike, days: [...days(4), ...more] }, 3).more;
    expect(told(deleted)).toContain('The figure for 1 day is unknown.');
    expect(told(deleted, deleted)).toContain('The figures for 2 days are unknown.');
  });

  it('is drawn so high that the threshold is inside', () => {
    expect(ceilingOf(days(1, 2), 50)).toBeGreaterThan(50);
    expect(ceilingOf(days(80, null), 50)).toBeGreaterThan(80);
    expect(ceilingOf(days(0), 0)).toBeGreaterThan(0);
  });
});
