import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { openai } from './index.ts';

const TWO = [{ id: 'a' }, { id: 'b' }];
const error = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: 'events[1].timestamp_ms', code },
});

describe('an answer of OpenAI', () => {
  it.each([
    [200, { events_received: 2 }, 'delivered'],
    [202, '', 'delivered'],
    [400, error('events[1].timestamp_ms is too old'), 'bisect'],
    [422, { detail: 'No.' }, 'bisect'],
    [401, error('Incorrect API key provided.', 'invalid_api_key'), 'auth'],
    [403, error('No access to this pixel.'), 'auth'],
    [404, {}, 'config'],
    [408, {}, 'retry'],
    [429, error('Rate limit reached.'), 'throttled'],
    [500, {}, 'retry'],
    [200, '<html>', 'retry'],
  ])('of %i %j means %s for all', (status, body, kind) => {
    expect(classify(answerOf(status, body), TWO).map((verdict) => verdict.kind)).toEqual([kind, kind]);
  });

  it('refuses a single event in its own words', () => {
    expect(classify(answerOf(400, error('Too old.')), [{}])).toEqual([
      { kind: 'refused', code: 'invalid_request_error', message: 'Too old.' },
    ]);
    expect(classify(answerOf(401, error('No.', 'invalid_api_key')), [{}])).toEqual([
      { kind: 'auth', code: 'invalid_api_key', message: 'No.' },
    ]);
  });

  it('gets a verdict for every event, whatever it is', () => {
    expect(badlyClassified(define(openai), { pixel_id: '2atj5meV' })).toEqual([]);
  });
});
