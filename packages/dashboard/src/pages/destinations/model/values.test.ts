import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/client.ts';
import { fieldsOf } from './schema.ts';
import { hasOther, newSigningSecret, problemsAt, readValues, valuesOf } from './values.ts';

const fields = fieldsOf({
  properties: {
    pixel: { type: 'string', pattern: '^\\d+$', examples: ['123'] },
    version: { type: 'string', default: 'v25.0' },
    days: { type: 'integer', minimum: 1, maximum: 28 },
    limited: { type: 'boolean', default: false },
    mode: { type: 'string', enum: ['a', 'b'] },
    hosts: { type: 'array', items: { type: 'string' } },
    more: { type: 'object' },
  },
  required: ['pixel'],
});

describe('the values of a form', () => {
  it('are the defaults at first, the stored values later', () => {
    expect(valuesOf(fields)).toEqual({
      pixel: '',
      version: 'v25.0',
      days: '',
      limited: 'false',
      mode: 'a',
      hosts: '',
      more: '',
    });
    expect(valuesOf(fields, { pixel: '7', limited: true, hosts: ['x', 'y'], more: { a: 1 } })).toMatchObject({
      pixel: '7',
      limited: 'true',
      hosts: 'x\ny',
      more: '{\n  "a": 1\n}',
    });
  });

  it('become an object without empty fields', () => {
    const values = {
      pixel: ' 42 ',
      days: '7',
      limited: 'true',
      mode: 'b',
      hosts: ' x \n\ny',
      more: '{"a":1}',
    };
    expect(readValues(fields, values)).toEqual({
      object: { pixel: '42', days: 7, limited: true, mode: 'b', hosts: ['x', 'y'], more: { a: 1 } },
      mistakes: new Map(),
    });
  });

  it('are rejected with a hint about the expected form', () => {
    const { mistakes } = readValues(fields, { pixel: 'abc', days: '2.5', more: '{' });
    expect(Object.fromEntries(mistakes)).toEqual({
      pixel: 'Not valid. Example: 123.',
      days: 'A whole number.',
      more: 'Not valid JSON.',
    });
    expect(readValues(fields, { days: '29' }).mistakes.get('days')).toBe('At most 28.');
    expect(readValues(fields, { days: '0' }).mistakes.get('days')).toBe('At least 1.');
    expect(readValues(fields, {}).mistakes.get('pixel')).toBe('Required.');
  });
});

const refused = (...pointers: string[]) =>
  new ApiError(
    422,
    'The destination is not valid.',
    pointers.map((pointer) => ({ pointer, message: `at ${pointer}` })),
  );

it('finds errors by field, at any depth, the first of each', () => {
  const error = refused('/config/hosts/0', '/config/hosts/1', '/credentials/token', '/events/custom:a~1b');
  expect(problemsAt(error, 'config')).toEqual(new Map([['hosts', 'at /config/hosts/0']]));
  expect(problemsAt(error, 'events')).toEqual(new Map([['custom:a/b', 'at /events/custom:a~1b']]));
  expect(problemsAt(new Error('x'), 'config').size).toBe(0);
});

it('reports errors that belong to no field', () => {
  const shown = new Set(['name', 'config/pixel']);
  expect(hasOther(refused('/name', '/config/pixel'), shown)).toBe(false);
  expect(hasOther(refused('/name', '/config/other'), shown)).toBe(true);
  expect(hasOther(refused(), shown)).toBe(true);
  expect(hasOther(new ApiError(0, 'The service could not be reached.'), shown)).toBe(true);
  expect(hasOther(null, shown)).toBe(false);
});

it('generates a random signing secret in the form of Standard Webhooks', () => {
  const made = newSigningSecret();
  expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(made);
});
