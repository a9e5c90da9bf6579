import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Names, type Slimmed, slimLine } from './slim-line.ts';

const NAMES = ['RayID', 'ClientIP', 'ClientRequestURI'];
const slimmed = (text: string): Slimmed => slimLine(Buffer.from(text), new Names(NAMES));
function slim(text: string): string | null {
  const result = slimmed(text);
  return 'text' in result ? result.text : null;
}

it('keeps the members that are read and nothing else, with their values', () => {
  const keys = fc.oneof(fc.constantFrom(...NAMES), fc.string());
  fc.assert(
    fc.property(
      fc.array(fc.tuple(keys, fc.jsonValue())),
      fc.constantFrom(undefined, 1),
      (members, indent) => {
        const value = Object.fromEntries(members);
        const text = JSON.stringify(value, null, indent);
        const expected = Object.fromEntries(
          Object.entries(JSON.parse(text) as object)
            .filter(([name]) => NAMES.includes(name))
            .map(([name, kept]) => [name, typeof kept === 'object' && kept !== null ? [] : kept]),
        );
        expect(JSON.parse(slim(text) ?? 'null')).toEqual(expected);
      },
    ),
  );
});

it('takes the last of several members of one name, and names in escapes', () => {
  expect(slim('{"RayID":"a","RayID":"b"}')).toBe('{"RayID":"b"}');
  expect(slim('{"\\u0052ayID":"c"}')).toBe('{"RayID":"c"}');
});

it('is no longer than what it keeps, whatever the line has', () => {
  const line = `{${Array.from({ length: 2_000 }, (_, n) => `"RayID":"${n}","\\u00${n % 10}1":[${'['.repeat(50)}${']'.repeat(50)}]`).join(',')}}`;
  expect(slim(line)).toBe('{"RayID":"1999"}');
});

it('reads no more than four thousand members', () => {
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(',')}}`;
  expect(slimmed(members(4_000))).toEqual({ text: '{}' });
  expect(slimmed(members(4_001))).toEqual({ fault: 'too_many_members' });
  expect(slimmed(`${members(100_000)}{`)).toEqual({ fault: 'too_many_members' });
});

it.each(['', '{', '[]', '{"a"}', '{"a":1', '{"a":"', '{"a":1}}', '{"a":[}', '{"a":}', '"a"', '{"a":1,}'])(
  'says that %s is no object',
  (text) => expect(slim(text)).toBeNull(),
);
