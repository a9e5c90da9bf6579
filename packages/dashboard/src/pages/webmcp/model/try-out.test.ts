import { describe, expect, it } from 'vitest';
import { argumentsOf, fieldAt, suggested, tryFields } from './try-out.ts';

const SCHEMA = {
  type: 'object',
  required: ['query', 'address'],
  properties: {
    query: { type: 'string', description: 'Words', examples: ['lamp'] },
    limit: { type: 'integer', default: 20 },
    cheap: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'm'] },
    stars: { type: 'integer', enum: [1, 2] },
    tags: { type: 'array', items: { type: 'string' } },
    prices: { type: 'array', items: { type: 'number' } },
    address: { type: 'object', properties: { city: { type: 'string', default: 'Bern' } } },
    other: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    rows: { type: 'array', items: { type: 'object' } },
  },
};
const fields = tryFields(SCHEMA);

describe('the try-out form', () => {
  it('has a control for each kind, and JSON for the rest', () => {
    expect(fields?.map(({ kind }) => kind.is)).toEqual([
      'string',
      'integer',
      'boolean',
      'choice',
      'choice',
      'list',
      'list',
      'group',
      'json',
      'json',
    ]);
    expect(fields?.[0]).toMatchObject({ pointer: '/query', required: true, description: 'Words' });
    expect(tryFields({ $ref: '#/$defs/x' })).toBeNull();
  });

  it('starts with the defaults and examples of the schema', () => {
    expect(suggested(SCHEMA)).toEqual({ '/query': 'lamp', '/limit': '20', '/address/city': 'Bern' });
  });

  it('builds the arguments of an agent, without empty fields', () => {
    const { value, mistakes } = argumentsOf(fields, {
      '/query': 'lamp',
      '/limit': ' 5 ',
      '/cheap': 'false',
      '/stars': '2',
      '/tags': 'new\n\nred',
      '/prices': '1.5\n2',
      '/address/city': '',
      '/other': '{"a": [1]}',
    });
    expect(value).toEqual({
      query: 'lamp',
      limit: 5,
      cheap: false,
      stars: 2,
      tags: ['new', 'red'],
      prices: [1.5, 2],
      address: {},
      other: { a: [1] },
    });
    expect(mistakes.size).toBe(0);
  });

  it('sends invalid numbers and JSON as text, and reports them at the field', () => {
    const { value, mistakes } = argumentsOf(fields, { '/limit': 'many', '/other': '{' });
    expect(value).toEqual({ limit: 'many', address: {}, other: '{' });
    expect([...mistakes.keys()]).toEqual(['/limit', '/other']);
  });

  it('takes one JSON text when the schema has no fields', () => {
    expect(argumentsOf(null, { '': '{"a": 1}' }).value).toEqual({ a: 1 });
    expect(argumentsOf(null, {}).value).toEqual({});
  });

  it('finds the field of an error, the nearest one when it lies deeper', () => {
    expect(fieldAt(fields ?? [], '/tags/1')?.name).toBe('tags');
    expect(fieldAt(fields ?? [], '/address/city')?.name).toBe('city');
    expect(fieldAt(fields ?? [], '/address')?.name).toBe('address');
    expect(fieldAt(fields ?? [], '')).toBeNull();
  });
});
