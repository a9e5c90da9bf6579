import { expect, it } from 'vitest';
import { matchWords } from './MatchMark.tsx';

it.each([
  [true, 'matched', 'good', 'Matched'],
  [true, 'inherited', 'good', 'Matched by order'],
  [true, null, 'good', 'Matched'],
  [true, 'by_magic', 'good', 'by magic'],
  [false, 'unknown_visitor', 'wait', 'Unknown visitor'],
  [false, 'outside_lookback', 'unknown', 'No visit in the attribution window'],
])('a match of %s for the reason %s is %s: %s', (session_matched, match_reason, tone, title) => {
  expect(matchWords({ topic: 'purchase', session_matched, match_reason })).toMatchObject({ tone, title });
});

it('is empty when there was nothing to match', () => {
  expect(matchWords({ topic: 'purchase', session_matched: false, match_reason: null })).toBeNull();
});

it('asks for no visitor id with a refund: its order is what is matched', () => {
  const refund = { topic: 'refund', match_reason: 'no_visitor_id' };
  expect(matchWords({ ...refund, session_matched: false })).toMatchObject({ title: 'No matched order' });
  expect(matchWords({ topic: 'refund', session_matched: true, match_reason: 'inherited' })).toMatchObject({
    title: 'Matched by order',
  });
});
