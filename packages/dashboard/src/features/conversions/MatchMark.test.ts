import { expect, it } from 'vitest';
import { matchWords } from './MatchMark.tsx';

it.each([
  [true, 'matched', 'good', 'Matched'],
  [true, 'inherited', 'good', 'Matched by order'],
  [true, null, 'good', 'Matched'],
  [true, 'by_magic', 'good', 'by magic'],
  [false, 'unknown_visitor', 'wait', 'Unknown visitor'],
  [false, 'outside_lookback', 'unknown', 'Outside the attribution window'],
])('a match of %s for the reason %s is %s: %s', (session_matched, match_reason, tone, title) => {
  expect(matchWords({ session_matched, match_reason })).toMatchObject({ tone, title });
});

it('is empty when there was nothing to match', () => {
  expect(matchWords({ session_matched: false, match_reason: null })).toBeNull();
});
