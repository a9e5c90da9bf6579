import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { snap } from './index.ts';

const TWO = [{ event_id: 'a' }, { event_id: 'b' }];
const kinds = (status: number, body: unknown, events: readonly object[] = TWO) =>
  classify(answerOf(status, body), events as never).map((verdict) => verdict.kind);

describe('an answer of Snap', () => {
  it.each([
    [200, { status: 'VALID', reason: 'Events have been processed successfully.' }, 'delivered'],
    [200, { status: 'SUCCESS' }, 'delivered'],
    [200, { status: 'INVALID', reason: 'Timestamp out of range' }, 'bisect'],
    [400, { status: 'INVALID', reason: 'Insufficient PII' }, 'bisect'],
    [401, { status: 'INVALID', reason: 'Invalid token' }, 'auth'],
    [403, {}, 'auth'],
    [404, {}, 'config'],
    [429, {}, 'throttled'],
    [500, {}, 'retry'],
    [200, '<html>', 'retry'],
    [200, '', 'retry'],
  ])('of %i %j means %s', (status, body, kind) => {
    expect(kinds(status, body)).toEqual([kind, kind]);
  });

  it('refuses a single event in its own words', () => {
    expect(classify(answerOf(400, { status: 'INVALID', reason: 'Unhashed PII' }), [{}])).toEqual([
      { kind: 'refused', code: 'http_400', message: 'Unhashed PII' },
    ]);
  });

  it('gets a verdict for every event, whatever it is', () => {
    const config = { pixel_id: '1ec32188-754e-4be2-8e55-c949a984a39f' };
    expect(badlyClassified(define(snap), config)).toEqual([]);
  });
});
