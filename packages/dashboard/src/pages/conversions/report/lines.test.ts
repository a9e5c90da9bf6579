import { expect, it } from 'vitest';
import { figure, pointsOf, seriesOf } from './lines.ts';

const line = (key: string, gathered = false) => ({ key, gathered, total: '1', values: ['1'] });

it('draws AI in its own colour wherever it ranks, and what is gathered in grey', () => {
  const lines = [line('email'), line('ai_assistant'), line('direct'), line('All others', true)];
  expect(seriesOf(lines, 'channel').map(({ paint }) => paint)).toEqual([
    'hue-1',
    'ai_referral',
    'hue-3',
    'rest',
  ]);
});

it('names a line as its row is named, and says what has no name', () => {
  expect(seriesOf([line('paid_search')], 'channel')[0]?.name).toBe('Paid Search');
  const names = seriesOf([line('paid_search'), line(''), line('', true)], 'campaign').map(({ name }) => name);
  expect(names).toEqual(['paid_search', 'No campaign', 'All others']);
});

it('counts in the unit that is drawn', () => {
  expect(figure(1.5, null)).toBe('1.5');
  expect(figure(1.5, 'EUR')).toBe('€1.50');
});

it('shows cents as they were added, whatever floats make of them', () => {
  expect(figure(0.1 + 0.2, 'EUR')).toBe('€0.30');
  expect(figure(1.005 + 1e-12, 'EUR')).toBe('€1.01');
  expect(figure(-0.1 - 0.2, 'EUR')).toBe('−€0.30');
});

it('has a point for each day, the last of which may still grow', () => {
  const shaped = {
    days: ['2026-11-20', '2026-11-21'],
    lines: [{ ...line('email'), values: ['1.5', '2'] }],
    sums: [],
  };
  expect(pointsOf(shaped, '2026-11-21')).toEqual([
    { day: '2026-11-20', partial: false, values: { email: 1.5 } },
    { day: '2026-11-21', partial: true, values: { email: 2 } },
  ]);
});
