import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { microsoft } from './index.ts';

const THREE = [{ eventId: 'a' }, { eventId: 'b' }, { eventId: 'c' }];
const detail = (index: number, more: object = {}) => ({
  index,
  propertyName: `data[${index}].userData.em`,
  attemptedValue: 'jane@mail.example',
  errorMessage: "'em' must be a valid SHA256 string.",
  ...more,
});
const error = (...details: object[]) => ({ code: 'ValidationError', message: 'Some are wrong.', details });
const kinds = (status: number, body: unknown, events: readonly object[] = THREE) =>
  classify(answerOf(status, body), events as never).map((verdict) => verdict.kind);

describe('an answer of Microsoft', () => {
  it('without an error takes all', () => {
    expect(kinds(200, { eventsReceived: 3 })).toEqual(['delivered', 'delivered', 'delivered']);
    expect(kinds(200, {})).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('names by index what it refuses, and takes the others', () => {
    expect(classify(answerOf(200, { eventsReceived: 2, error: error(detail(1)) }), THREE)).toEqual([
      { kind: 'delivered' },
      {
        kind: 'refused',
        code: 'ValidationError',
        message: "data[1].userData.em: 'em' must be a valid SHA256 string.",
      },
      { kind: 'delivered' },
    ]);
  });

  it('refuses exactly what it names, in whatever order and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(25), { minLength: 1 }), fc.constantFrom(200, 400), (indices, status) => {
        const events = Array.from({ length: 20 }, (_, index) => ({ eventId: String(index) }));
        const bad = new Set(indices.filter((index) => index < 20));
        const answer = answerOf(status, {
          eventsReceived: 20 - bad.size,
          error: error(...indices.map((index) => detail(index))),
        });
        const kind = bad.size === 0 && status === 400 ? 'bisect' : 'delivered';
        expect(classify(answer, events).map((verdict) => verdict.kind)).toEqual(
          events.map((_, index) => (bad.has(index) ? 'refused' : kind)),
        );
      }),
    );
  });

  it('may count a refused event among those received', () => {
    expect(kinds(200, { eventsReceived: 3, error: error(detail(0)) })).toEqual([
      'refused',
      'delivered',
      'delivered',
    ]);
  });

  it('may warn of what it takes', () => {
    const body = { eventsReceived: 3, error: error(detail(0, { isWarning: true })) };
    expect(classify(answerOf(200, body), THREE)[0]).toMatchObject({
      kind: 'delivered',
      message: expect.stringContaining('SHA256'),
    });
  });

  it('of 400 with details has taken what it counts as received, else nothing', () => {
    expect(kinds(400, { eventsReceived: 2, error: error(detail(1)) })).toEqual([
      'delivered',
      'refused',
      'delivered',
    ]);
    expect(kinds(400, { eventsReceived: 0, error: error(detail(1)) })).toEqual(['retry', 'refused', 'retry']);
    expect(kinds(400, { error: error(detail(1)) })).toEqual(['retry', 'refused', 'retry']);
    expect(kinds(400, { eventsReceived: 0, error: error(detail(0)) }, [{}])).toEqual(['refused']);
  });

  it('that counts fewer than it should is asked again', () => {
    expect(kinds(200, { eventsReceived: 1 })).toEqual(['retry', 'retry', 'retry']);
  });

  it('of 400 without details makes the batch be halved', () => {
    expect(kinds(400, { error: { code: 'InvalidRequest', message: 'No.' } })).toEqual([
      'bisect',
      'bisect',
      'bisect',
    ]);
    expect(kinds(400, {}, [{}])).toEqual(['refused']);
  });

  it.each([
    [401, { error: { code: 'Unauthorized', message: 'no' }, traceId: 't' }, 'auth'],
    [403, {}, 'auth'],
    [404, {}, 'config'],
    [408, {}, 'retry'],
    [429, { error: { code: 'TooManyRequests' } }, 'throttled'],
    [500, {}, 'retry'],
    [200, '<html>', 'retry'],
    [204, '', 'retry'],
  ])('of %i %j means %s', (status, body, kind) => {
    expect(kinds(status, body, [{}])).toEqual([kind]);
  });

  it('is shown without the value that was wrong', () => {
    const verdicts = classify(answerOf(200, { error: error(detail(0)) }), [{}]);
    expect(JSON.stringify(verdicts)).not.toContain('jane');
  });

  it('gets a verdict for every event, whatever it is', () => {
    expect(badlyClassified(define(microsoft), { tag_id: '187012345' })).toEqual([]);
  });
});
