import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Unframe } from './unframe.ts';

function unframed(body: string | Buffer, cuts: readonly number[] = []): string {
  const bytes = Buffer.from(body);
  const unframe = new Unframe();
  const parts: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length].filter((at) => at <= bytes.length).sort((a, b) => a - b)) {
    parts.push(Buffer.from(unframe.push(bytes.subarray(from, cut))));
    from = cut;
  }
  return Buffer.concat(parts).toString();
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }), {
  minLength: 2,
  maxLength: 6,
});
const cuts = fc.array(fc.nat(2_000), { maxLength: 6 });

it.each<[string, (values: object[]) => string]>([
  ['an array', (values) => JSON.stringify(values)],
  ['an array over many lines', (values) => JSON.stringify(values, null, 2)],
  [
    'objects without anything between them',
    (values) => values.map((value) => JSON.stringify(value)).join(''),
  ],
  ['objects with blanks between them', (values) => values.map((value) => JSON.stringify(value)).join(' \t')],
  [
    'objects over many lines',
    (values) => values.map((value) => JSON.stringify({ x: 1, ...value }, null, 1)).join('\n'),
  ],
  ['arrays, one a line', (values) => values.map((value) => `${JSON.stringify([value])}\n`).join('')],
  ['lines that end with commas', (values) => values.map((value) => JSON.stringify(value)).join(',\n')],
])('finds the objects of %s, however the chunks fall', (name, write) => {
  fc.assert(
    fc.property(objects, cuts, (values, where) => {
      const expected =
        name === 'objects over many lines' ? values.map((value) => ({ x: 1, ...value })) : values;
      expect(lines(unframed(write(values), where)).map((line) => JSON.parse(line))).toEqual(
        JSON.parse(JSON.stringify(expected)),
      );
    }),
  );
});

it('leaves a body of lines as it is, byte for byte, from its second line on', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), cuts, (others, where) => {
      const body = `{"a":1}\n${others.join('\n')}`;
      expect(unframed(body, where)).toBe(body);
    }),
  );
});

it('makes at most twice as much of arbitrary bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(new Unframe().push(Buffer.from(bytes)).length).toBeLessThanOrEqual(bytes.length * 2);
    }),
  );
});

describe('what is broken', () => {
  it.each([
    ['a first line cut short', '{"half":\n{"a":1}\n{"b":2}\n', ['{"half": ', '{"a":1}', '{"b":2}']],
    ['a first line cut short in a string', '{"half":"x\n{"a":1}\n', ['{"half":"x', '{"a":1}']],
    ['an element of an array cut short', '[{"a":1},{"half":\n{"b":2}]', ['{"a":1}', '{"half": ', '{"b":2}']],
    ['other values in an array', '[1,"x",{"a":1},null]', ['1', '"x"', '{"a":1}', 'null']],
    ['words', 'hello, world\n', ['hello, world']],
    ['a byte order mark', '\ufeff[{"a":1}]', ['{"a":1}']],
  ])('takes the other elements beside %s', (_, body, expected) => {
    for (let cut = 0; cut <= Buffer.byteLength(body); cut++)
      expect(lines(unframed(body, [cut]))).toEqual(expected);
  });
});

it('counts what it leaves out between elements', () => {
  const unframe = new Unframe();
  unframe.push(Buffer.from(`[${',\n'.repeat(1_000)}`));
  expect(unframe.takePassed()).toBe(2_000);
  expect(unframe.takePassed()).toBe(0);
});

it('reads a chunk of one byte again and again as it reads its bytes one by one', () => {
  const byte = fc.constantFrom('\n', ',', ' ', '\t', '[', ']', '{', '}', '"', '\\', 'x', '\r');
  const run = fc.tuple(byte, fc.integer({ min: 1, max: 9 })).map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
      const [whole, single] = [new Unframe(), new Unframe()];
      const read = (unframe: Unframe, parts: readonly string[]) =>
        parts.map((part) => unframe.push(Buffer.from(part)).toString()).join('');
      expect(read(whole, runs)).toBe(read(single, [...runs.join('')]));
      expect(whole.takePassed()).toBe(single.takePassed());
    }),
    { numRuns: 2_000 },
  );
});
