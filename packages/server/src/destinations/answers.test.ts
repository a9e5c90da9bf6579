import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badEvent, codeOf, jsonOf, presentable, verdictOfStatus } from './answers.ts';
import { answerOf } from './testing.ts';

const MANY = [{}, {}];

it.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [301, 'config'],
  [400, 'bisect'],
  [401, 'auth'],
  [403, 'auth'],
  [404, 'config'],
  [408, 'retry'],
  [410, 'config'],
  [413, 'bisect'],
  [422, 'bisect'],
  [425, 'retry'],
  [426, 'config'],
  [429, 'throttled'],
  [500, 'retry'],
  [503, 'retry'],
])('reads status %s as %s where the body says nothing better', (status, kind) => {
  expect(verdictOfStatus(answerOf(status), MANY).kind).toBe(kind);
});

it('refuses one event where it halves several', () => {
  expect(badEvent([{}], 'c', 'm').kind).toBe('refused');
  expect(badEvent(MANY, 'c', 'm').kind).toBe('bisect');
});

it('reads an object or nothing', () => {
  expect(['{"a":1}', '[1]', 'null', '{', '', '"x"'].map((body) => jsonOf({ body }))).toEqual([
    { a: 1 },
    null,
    null,
    null,
    null,
    null,
  ]);
});

describe('presentable', () => {
  it.each([
    ['The email jane.doe@mail.example is bad', 'The email *** is bad'],
    ['Call +49 30 901820 now', 'Call *** now'],
    ['from 203.0.113.7', 'from ***'],
    ['from 2001:db8:0:1:1:1:1:1 or 2001:db8::1', 'from *** or ***'],
    ['from ::ffff:203.0.113.7', 'from ***'],
    [`hash ${'0123456789abcdef'.repeat(4)}`, 'hash 012345…'],
    ['token EAAGm0PX4ZCpsBAKZCexample0123456789abcdef', 'token EAAGm0…'],
    ['two\n\tlines\u0000 and\u202e more', 'two lines and more'],
    ['', 'nothing was said'],
    ['   ', 'nothing was said'],
    [42, 'nothing was said'],
    ['value 99.9 at 12:30:45 on 2026-12-02', 'value 99.9 at 12:30:45 on 2026-12-02'],
  ])('makes of %j: %j', (words, shown) => {
    expect(presentable(words, 'nothing was said')).toBe(shown);
  });

  it('is one short line of whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (words) => {
        const shown = presentable(words, 'nothing');
        expect(shown.length).toBeLessThanOrEqual(300);
        expect(shown).not.toBe('');
        expect(shown).not.toMatch(/[\p{Cc}]/u);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
});

it.each([
  ['invalid_grant', 'invalid_grant'],
  [190, '190'],
  ['100/2804003', '100/2804003'],
  ['jane@mail.example', 'unknown'],
  ['+4930901820', 'unknown'],
  ['4930901820123', 'unknown'],
  ['a'.repeat(65), 'unknown'],
  ['abcdef0123456789abcdef0123456789', 'unknown'],
  ['', 'unknown'],
  [null, 'unknown'],
  [{}, 'unknown'],
])('takes for the code %j: %s', (code, shown) => {
  expect(codeOf(code, 'unknown')).toBe(shown);
});
