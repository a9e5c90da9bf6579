import { describe, expect, it } from 'vitest';
import { ceilingOf, reaches, saidOf, shown, toldOf } from './history.ts';

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
    expect(toldOf(history, 3)).toBe(
      'Last 30 days: highest 12.5 times the usual, on 4 Nov. The threshold was reached on 2 days.',
    );
    expect(toldOf(history, 13)).toContain('was reached on no day.');
    expect(toldOf(history, 12.5)).toContain('was reached on 1 day.');
  });

  it('is the lowest day of a rule that fires below its threshold', () => {
    expect(toldOf({ ...accepted, days: days(100, 85, null, 90) }, 90)).toBe(
      'Last 30 days: lowest 85% accepted, on 2 Nov. It was below 90 on 1 day.',
    );
    expect(reaches('below', null, 90)).toBe(false);
  });

  it('says so where there is nothing, or too little', () => {
    expect(toldOf({ ...spike, days: days(null, null) }, 3)).toContain('too few figures');
    expect(toldOf({ ...spike, days: days(0, 0) }, 3)).toBe(
      'Last 30 days: nothing to count on any day. The threshold was reached on no day.',
    );
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
    expect(toldOf({ ...spike, days: [...days(4), deleted] }, 3)).toContain('The figure of 1 day is unknown.');
  });

  it('is drawn so high that the threshold is inside', () => {
    expect(ceilingOf(days(1, 2), 50)).toBeGreaterThan(50);
    expect(ceilingOf(days(80, null), 50)).toBeGreaterThan(80);
    expect(ceilingOf(days(0), 0)).toBeGreaterThan(0);
  });
});
