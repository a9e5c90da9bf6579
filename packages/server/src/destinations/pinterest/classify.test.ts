import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { pinterest } from './index.ts';

const TWO = [{ event_id: 'a' }, { event_id: 'b' }];
const PROCESSED = { status: 'processed', error_message: '', warning_message: '' };
const FAILED = { status: 'failed', error_message: 'event_time is too old', warning_message: '' };
const report = (...events: object[]) => ({
  num_events_received: events.length,
  num_events_processed: events.filter((event) => event === PROCESSED).length,
  events,
});
const kinds = (status: number, body: unknown, events: readonly object[] = TWO) =>
  classify(answerOf(status, body), events as never).map((verdict) => verdict.kind);

describe('an answer of Pinterest', () => {
  it('reads the outcome of each event, with 200 and with 422', () => {
    expect(kinds(200, report(PROCESSED, PROCESSED))).toEqual(['delivered', 'delivered']);
    expect(classify(answerOf(422, report(FAILED, PROCESSED)), TWO)).toEqual([
      { kind: 'refused', code: 'failed', message: 'event_time is too old' },
      { kind: 'delivered' },
    ]);
  });

  it('may stand inside the details of an error', () => {
    const body = { code: 4196, message: 'Not all', details: report(PROCESSED, FAILED) };
    expect(kinds(422, body)).toEqual(['delivered', 'refused']);
  });

  it('may warn of what it takes', () => {
    const body = report(PROCESSED, { status: 'processed', warning_message: 'unknown currency' });
    expect(classify(answerOf(200, body), TWO)[1]).toEqual({ kind: 'delivered', message: 'unknown currency' });
  });

  it('without events is read by its count alone', () => {
    expect(kinds(200, { num_events_received: 2, num_events_processed: 2 })).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(kinds(200, { num_events_received: 2, num_events_processed: 1 })).toEqual(['retry', 'retry']);
    expect(kinds(200, report(PROCESSED))).toEqual(['retry', 'retry']);
    expect(kinds(200, report(PROCESSED, { status: 'odd' }))).toEqual(['delivered', 'retry']);
  });

  it('that names no event makes the batch be halved', () => {
    expect(kinds(422, { code: 1, message: 'No.' })).toEqual(['bisect', 'bisect']);
    expect(kinds(400, { code: 4196, message: 'The request was invalid.' })).toEqual(['bisect', 'bisect']);
    expect(kinds(400, {}, [{}])).toEqual(['refused']);
  });

  it.each([
    [401, { code: 2, message: 'Authentication failed.' }, 'auth'],
    [403, { code: 29, message: 'You are not permitted to access that resource.' }, 'auth'],
    [404, { code: 50 }, 'config'],
    [429, { code: 8 }, 'throttled'],
    [500, {}, 'retry'],
    [503, { code: 4197, message: 'The endpoint has been ramped down.' }, 'retry'],
    [200, '<html>', 'retry'],
  ])('of %i %j means %s', (status, body, kind) => {
    expect(kinds(status, body, [{}])).toEqual([kind]);
  });

  it('gets a verdict for every event, whatever it is', () => {
    expect(badlyClassified(define(pinterest), { ad_account_id: '1' })).toEqual([]);
  });
});
