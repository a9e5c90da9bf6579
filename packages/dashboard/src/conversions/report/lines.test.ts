import { expect, it } from 'vitest';
import { figure, lineName, seriesOf } from './lines.ts';

const line = (key: string, gathered = false) => ({ key, gathered, total: '1', values: ['1'] });

it('draws AI in its own colour wherever it ranks, and what is gathered in grey', () => {
  expect(seriesOf(line('ai_assistant'), 3)).toBe('ai');
  expect(seriesOf(line('All others', true), 5)).toBe('others');
  expect([0, 4, 5].map((index) => seriesOf(line('email'), index))).toEqual(['0', '4', '0']);
});

it('names a line as its row is named, and says what has no name', () => {
  expect(lineName(line('paid_search'), 'channel')).toBe('Paid Search');
  expect(lineName(line('paid_search'), 'campaign')).toBe('paid_search');
  expect(lineName(line(''), 'campaign')).toBe('No campaign');
  expect(lineName(line('', true), 'channel')).toBe('All others');
});

it('counts in the unit that is drawn', () => {
  expect(figure('1.5', null)).toBe('1.5');
  expect(figure('1.5', 'EUR')).toBe('€1.50');
});
