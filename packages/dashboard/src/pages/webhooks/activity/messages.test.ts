import { expect, it } from 'vitest';
import { matchWords, statusWords } from './messages.ts';

it('says what became of a request, and shows a word of tomorrow as it came', () => {
  expect(statusWords('auth_error')).toEqual({ tone: 'bad', title: 'Key refused' });
  expect(statusWords('held_back')).toEqual({ tone: 'unknown', title: 'held back' });
});

it.each([
  [true, 'matched', 'good', 'Matched'],
  [true, 'inherited', 'good', 'Matched through its order'],
  [true, null, 'good', 'Matched'],
  [true, 'by_magic', 'good', 'by magic'],
  [false, 'unknown_visitor', 'unknown', 'Unknown visitor'],
])('a match of %s for the reason %s is %s: %s', (session_matched, match_reason, tone, title) => {
  expect(matchWords({ session_matched, match_reason })).toEqual({ tone, title });
});

it('says nothing where there was nothing to match', () => {
  expect(matchWords({ session_matched: false, match_reason: null })).toBeNull();
});
