import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { tiktok } from './index.ts';

const TWO = [{ event_id: 'a' }, { event_id: 'b' }];
const ONE = [{ event_id: 'a' }];

describe('an answer of TikTok', () => {
  it.each([
    [0, 'OK', 'delivered'],
    [40001, 'No permission to operate pixel code: X.', 'auth'],
    [40002, 'data.0.properties.contents.0.content_id: Not a valid string', 'bisect'],
    [40007, 'Pixel does not exist', 'config'],
    [40100, 'Too many requests. Please retry in some time.', 'throttled'],
    [40105, 'Access token is incorrect or has been revoked.', 'auth'],
    [50000, 'System error', 'retry'],
    [51021, 'Something new', 'retry'],
    [20001, 'Partial success', 'bisect'],
  ])('with code %i (%s) means %s, though its status is 200', (code, message, kind) => {
    const verdicts = classify(answerOf(200, { code, message, request_id: 'r' }), TWO);
    expect(verdicts.map((verdict) => verdict.kind)).toEqual([kind, kind]);
  });

  it('refuses a single event by 40002, and takes one by 20001', () => {
    expect(classify(answerOf(200, { code: 40002, message: 'Wrong.' }), ONE)).toEqual([
      { kind: 'refused', code: '40002', message: 'Wrong.' },
    ]);
    expect(classify(answerOf(200, { code: 20001, message: 'In part.' }), ONE)).toEqual([
      { kind: 'delivered', message: 'In part.' },
    ]);
  });

  it.each([
    [500, 'retry'],
    [503, 'retry'],
    [429, 'throttled'],
    [401, 'auth'],
    [404, 'config'],
  ])('without a code is read by its status: %i means %s', (status, kind) => {
    expect(classify(answerOf(status, '<html>'), ONE)[0]?.kind).toBe(kind);
  });

  it('is read by its code even with another status', () => {
    expect(classify(answerOf(400, { code: 40105, message: 'x' }), ONE)[0]?.kind).toBe('auth');
  });

  it('is no yes without a code', () => {
    expect(classify(answerOf(200, {}), ONE)[0]).toMatchObject({ kind: 'retry', code: 'no_verdict' });
  });

  it('gets a verdict for every event, whatever it is', () => {
    expect(badlyClassified(define(tiktok), { pixel_code: 'COQDA8RC77U2TMR44LI0' })).toEqual([]);
  });
});
