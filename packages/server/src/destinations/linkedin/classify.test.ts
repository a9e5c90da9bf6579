import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { answerOf, badlyClassified } from '../testing.ts';
import { classify } from './classify.ts';
import { linkedin } from './index.ts';

const THREE = [{ eventId: 'a' }, { eventId: 'b' }, { eventId: 'c' }];
const kinds = (status: number, body: unknown) =>
  classify(answerOf(status, body), THREE).map((verdict) => verdict.kind);
const all = (kind: string) => [kind, kind, kind];

describe('an answer of LinkedIn', () => {
  it('takes a batch element by element', () => {
    expect(kinds(200, { elements: [{ status: 201 }, { status: 201 }, { status: 201 }] })).toEqual(
      all('delivered'),
    );
    expect(
      classify(
        answerOf(200, {
          elements: [
            { status: 201 },
            { status: 400, error: { code: 'BAD', message: 'No such rule.' } },
            { status: 503 },
          ],
        }),
        THREE,
      ),
    ).toEqual([
      { kind: 'delivered' },
      { kind: 'refused', code: 'BAD', message: 'No such rule.' },
      { kind: 'retry', code: 'http_503', message: 'LinkedIn says 503.' },
    ]);
  });

  it('names by index what it refuses, and takes none of the others', () => {
    const message =
      'Index: 0, ERROR :: /conversionValue/amount :: field is required but not found and has no default value\nERROR :: /user/userInfo/firstName :: field is required\nIndex: 2, ERROR :: /user :: wrong\n';
    expect(classify(answerOf(422, { message, status: 422 }), THREE)).toEqual([
      {
        kind: 'refused',
        code: 'http_422',
        message:
          'ERROR :: /conversionValue/amount :: field is required but not found and has no default value ERROR :: /user/userInfo/firstName :: field is required',
      },
      { kind: 'retry', code: 'batch_refused', message: expect.any(String), afterMs: 0 },
      { kind: 'refused', code: 'http_422', message: 'ERROR :: /user :: wrong' },
    ]);
  });

  it('takes a rule that was not made for the API for a fault of the settings, not of the events', () => {
    const message = "Conversion's method should be CONVERSIONS_API, indices [0, 1] (0-indexed)";
    expect(kinds(400, { message })).toEqual(['config', 'config', 'config']);
  });

  it('is read the same however many it names, in whatever words', () => {
    const words = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .filter((text) => !/index: \d|indices \[/i.test(text));
    const named = fc.uniqueArray(fc.nat(19), { minLength: 1 });
    fc.assert(
      fc.property(named, words, fc.constantFrom('\n', '; ', ' '), (indices, text, between) => {
        const message = indices.map((index) => `Index: ${index}, ERROR :: ${text}`).join(between);
        const events = Array.from({ length: 20 }, (_, index) => ({ eventId: String(index) }));
        const verdicts = classify(answerOf(422, { message }), events);
        expect(verdicts.flatMap(({ kind }, index) => (kind === 'refused' ? [index] : []))).toEqual(
          indices.toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it('that names no event makes the batch be halved', () => {
    expect(kinds(422, { message: 'Something is wrong.' })).toEqual(all('bisect'));
    expect(kinds(400, { message: 'indices [9] (0-indexed)' })).toEqual(all('bisect'));
    expect(classify(answerOf(422, '<html>'), [{}])[0]?.kind).toBe('refused');
  });

  it.each([
    [401, { code: 'REVOKED_ACCESS_TOKEN', message: 'revoked' }, 'auth'],
    [401, { code: 'INVALID_ACCESS_TOKEN', message: 'Invalid access token' }, 'auth'],
    [403, { message: 'Not enough permissions' }, 'auth'],
    [404, { message: 'no such resource' }, 'config'],
    [426, { code: 'NONEXISTENT_VERSION', message: 'Requested version 202511 is not active' }, 'config'],
    [408, {}, 'retry'],
    [423, {}, 'retry'],
    [429, {}, 'throttled'],
    [500, {}, 'retry'],
    [504, '<html>', 'retry'],
  ])('of %i %j means %s', (status, body, kind) => {
    expect(kinds(status, body)).toEqual(all(kind));
  });

  it('gets a verdict for every event, whatever it is', () => {
    expect(badlyClassified(define(linkedin), {})).toEqual([]);
  });

  it('is read no further than an answer can sensibly be long', () => {
    const message = 'Index: 1, ERROR :: x '.repeat(20_000);
    expect(kinds(422, { message })).toEqual(['retry', 'refused', 'retry']);
  });
});
