import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldsOf } from './schema.ts';
import { readValues, valuesOf } from './values.ts';

const fields = fieldsOf({
  properties: {
    text: { type: 'string' },
    days: { type: 'integer' },
    share: { type: 'number' },
    limited: { type: 'boolean' },
    mode: { type: 'string', enum: ['a', 'b', 'c'] },
    hosts: { type: 'array', items: { type: 'string' } },
    more: { type: 'object' },
  },
});
const word = fc.stringMatching(/^[!-~]{1,20}$/);
const stored = fc.record({
  text: word,
  days: fc.integer(),
  share: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  limited: fc.boolean(),
  mode: fc.constantFrom('a', 'b', 'c'),
  hosts: fc.array(word, { minLength: 1, maxLength: 5 }),
  more: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(word, fc.integer(), fc.boolean())),
});

it('returns the stored values when nothing was typed', () => {
  fc.assert(
    fc.property(stored, (settings) => {
      const { object, mistakes } = readValues(fields, valuesOf(fields, settings));
      expect([object, mistakes.size]).toEqual([settings, 0]);
    }),
  );
});

it('never throws, for any input', () => {
  const typed = fc.record(
    Object.fromEntries(fields.map(({ name }) => [name, fc.string({ maxLength: 200 })])),
  ) as fc.Arbitrary<Record<string, string>>;
  fc.assert(
    fc.property(typed, (values) => {
      const { object, mistakes } = readValues(fields, values);
      for (const name of mistakes.keys()) expect(object).not.toHaveProperty(name);
    }),
  );
});
