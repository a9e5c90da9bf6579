import { describe, expect, it } from 'vitest';
import { missingJourney, missingMatch } from './messages.ts';

const refund = { topic: 'refund', session_matched: false, match_reason: 'no_visitor_id' } as const;

describe('why a conversion has no visit', () => {
  it('names both cases of a known visitor, who may have come too early or only afterwards', () => {
    const late = { topic: 'purchase', order: null, session_matched: false } as const;
    const why = missingMatch({ ...late, match_reason: 'outside_lookback' });
    expect(why).toMatch(/their visits are older, or came after the conversion\.$/);
    expect(missingJourney({ session_matched: false, match_reason: 'outside_lookback', channel: null })).toBe(
      'No visit is in the attribution window.',
    );
  });

  it('is never a visitor id where the order of a refund is missing', () => {
    expect(missingMatch({ ...refund, order: null })).toMatch(/^No purchase or subscription .* is known/);
    expect(missingMatch({ ...refund, order: 'cnv_1' })).toBe('Its order has no matching visit.');
    // It may have a visitor of its own, and still no order.
    expect(missingMatch({ ...refund, order: null, session_matched: true, match_reason: 'matched' })).toMatch(
      /not subtracted/,
    );
  });

  it('is empty where it has one', () => {
    const matched = { session_matched: true, match_reason: 'matched' } as const;
    expect(missingMatch({ topic: 'purchase', order: null, ...matched })).toBe('');
    expect(missingMatch({ ...refund, order: 'cnv_1', ...matched })).toBe('');
  });
});

it('calls a journey without visits direct only where it is', () => {
  const of = (match_reason: 'direct' | 'matched' | 'unknown_visitor', channel: string | null) =>
    missingJourney({ session_matched: match_reason !== 'unknown_visitor', match_reason, channel });
  expect(of('direct', 'direct')).toBe('A direct visit: no ad, link or search led to it.');
  // Their visitor was erased.
  expect(of('matched', 'email')).toBe('The visits are no longer kept.');
  expect(of('unknown_visitor', null)).toBe('No visit is known.');
});
