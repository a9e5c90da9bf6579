import type { JsonObject } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { reddit } from './index.ts';

const event = (id: string, type = 'PURCHASE'): JsonObject => ({
  type: { tracking_type: type },
  metadata: { conversion_id: id },
});
const THREE = [event('a'), event('b'), event('c')];
const invalid = (of: unknown, error_message = 'event_at timestamp must be less than 168h0m0s old') => ({
  error_message,
  event: of,
});
const NONE = 'There were 1 invalid conversion events. None were processed.';
const kinds = (status: number, body: unknown, events: readonly JsonObject[] = THREE) =>
  classify(answerOf(status, body), events).map((verdict) => verdict.kind);

describe('an answer of Reddit', () => {
  it('without invalid events takes all', () => {
    const body = { data: { message: 'Successfully processed 3 conversion events.' } };
    expect(kinds(200, body)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('of 400 names what it refuses by repeating it, and takes none of the others', () => {
    const body = { message: NONE, invalid_events: [invalid(event('b'))] };
    expect(classify(answerOf(400, body), THREE)).toEqual([
      { kind: 'retry', code: 'batch_refused', message: expect.any(String), afterMs: 0 },
      {
        kind: 'refused',
        code: 'invalid_event',
        message: 'event_at timestamp must be less than 168h0m0s old',
      },
      { kind: 'retry', code: 'batch_refused', message: expect.any(String), afterMs: 0 },
    ]);
  });

  it('of 403 is the fault of an event where one is named, and of the token otherwise', () => {
    const body = { message: NONE, invalid_events: [invalid(event('b'), 'test_id is not allowed')] };
    expect(kinds(403, body)).toEqual(['retry', 'refused', 'retry']);
    expect(kinds(403, { error: { code: 403, message: 'Forbidden' } })).toEqual(['auth', 'auth', 'auth']);
  });

  it('refuses exactly what it repeats, whatever the ids are', () => {
    const ids = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(ids, fc.func(fc.boolean()), (all, isBad) => {
        const bad = new Set(all.filter((id) => isBad(id)));
        const body = { invalid_events: [...bad].map((id) => invalid(event(id))) };
        const verdicts = kinds(
          200,
          body,
          all.map((id) => event(id)),
        );
        expect(verdicts).toEqual(all.map((id) => (bad.has(id) ? 'refused' : 'delivered')));
      }),
    );
  });

  it('of 200 may name some and take the others, unless it says that none were taken', () => {
    expect(kinds(200, { invalid_events: [invalid(event('a'))] })).toEqual([
      'refused',
      'delivered',
      'delivered',
    ]);
    expect(kinds(200, { data: { invalid_events: [invalid(event('a'))] } })).toEqual([
      'refused',
      'delivered',
      'delivered',
    ]);
    expect(kinds(200, { message: NONE, invalid_events: [invalid(event('a'))] })).toEqual([
      'refused',
      'retry',
      'retry',
    ]);
  });

  it('may write an event as its predecessor did', () => {
    const old = { event_type: { tracking_type: 'PURCHASE' }, event_metadata: { conversion_id: 'c' } };
    expect(kinds(400, { invalid_events: [invalid(old)] })).toEqual(['retry', 'retry', 'refused']);
  });

  it('tells two events of one order apart by their type', () => {
    const both = [event('a'), event('a', 'LEAD')];
    expect(kinds(400, { invalid_events: [invalid(event('a', 'LEAD'))] }, both)).toEqual(['retry', 'refused']);
  });

  it('that names what was not sent, or nothing, makes the batch be halved', () => {
    for (const named of [event('z'), event('a', 'SIGN_UP'), null, 'x', {}])
      expect(kinds(400, { invalid_events: [invalid(named)] })).toEqual(['bisect', 'bisect', 'bisect']);
    expect(kinds(400, { invalid_events: [invalid(event('a')), invalid(null)] })).toEqual([
      'bisect',
      'bisect',
      'bisect',
    ]);
    expect(kinds(400, { error: { code: 400, message: 'missing action_source' } })).toEqual([
      'bisect',
      'bisect',
      'bisect',
    ]);
  });

  it('refuses a single event in its own words', () => {
    const body = { error: { code: 400, message: 'invalid action_source: web' } };
    expect(classify(answerOf(400, body), [event('a')])).toEqual([
      { kind: 'refused', code: '400', message: 'invalid action_source: web' },
    ]);
  });

  it.each([
    [401, 'Authorization Required', 'auth'],
    [401, { success: false, error: { reason: 'UNAUTHORIZED', explanation: 'no' } }, 'auth'],
    [403, { error: { code: 403, message: 'no access' } }, 'auth'],
    [404, {}, 'config'],
    [429, {}, 'throttled'],
    [500, {}, 'retry'],
    [200, '<html>', 'retry'],
  ])('of %i %j means %s', (status, body, kind) => {
    expect(kinds(status, body)).toEqual([kind, kind, kind]);
  });

  it('gets a verdict for every event, whatever it is', () => {
    expect(badlyClassified(define(reddit), { pixel_id: 'a2_gu5yg1ki8lp4' })).toEqual([]);
  });
});
