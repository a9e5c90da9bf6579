import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../features/destinations/api.ts';
import { fieldsOf, splitByNeed } from './schema.ts';

const only = (schema: JsonSchema, required: readonly string[] = []) =>
  fieldsOf({ properties: { member: schema }, required })[0];

describe('a field of a schema', () => {
  it('has title, help, example and pattern of a text', () => {
    const field = only(
      {
        type: 'string',
        title: 'Dataset ID',
        description: 'In Settings.',
        examples: ['123'],
        pattern: '^\\d+$',
      },
      ['member'],
    );
    expect(field).toMatchObject({
      name: 'member',
      title: 'Dataset ID',
      help: 'In Settings.',
      example: '123',
      required: true,
      kind: { is: 'text', pattern: /^\d+$/u, long: false },
    });
  });

  it('is write-only when the stored value is shortened', () => {
    expect(only({ type: 'string', writeOnly: true })?.sealed).toBe(true);
    expect(only({ type: 'string' })?.sealed).toBe(false);
  });

  it('is not required when it has a default or is nullable', () => {
    expect(only({ type: 'string', default: 'v1' }, ['member'])?.required).toBe(false);
    expect(only({ anyOf: [{ type: 'string' }, { type: 'null' }] }, ['member'])).toMatchObject({
      required: false,
      kind: { is: 'text' },
    });
    expect(only({ type: ['string', 'null'] }, ['member'])).toMatchObject({ required: false });
  });

  it.each<[string, JsonSchema, object]>([
    ['a switch', { type: 'boolean' }, { is: 'switch' }],
    [
      'a number',
      { type: 'integer', minimum: 1, maximum: 28 },
      { is: 'number', whole: true, min: 1, max: 28 },
    ],
    [
      'a choice',
      { type: 'string', enum: ['global', 'eu'] },
      {
        is: 'choice',
        options: [
          ['global', 'Global'],
          ['eu', 'Eu'],
        ],
      },
    ],
    [
      'a named choice',
      { oneOf: [{ const: 'a', title: 'First' }] },
      { is: 'choice', options: [['a', 'First']] },
    ],
    ['a list', { type: 'array', items: { type: 'string' } }, { is: 'list' }],
    ['a key file', { type: 'string', multiline: true }, { is: 'text', long: true }],
    ['JSON, where there is no control', { type: 'object' }, { is: 'json' }],
  ])('is %s', (_, schema, kind) => {
    expect(only(schema)?.kind).toMatchObject(kind);
  });

  it('leaves a pattern that can’t be compiled to the service', () => {
    expect(only({ type: 'string', pattern: '(' })?.kind).toMatchObject({ pattern: null });
  });

  it('removes "(optional)" from a title, and derives a missing title from the name', () => {
    expect(only({ type: 'string', title: 'App secret (optional)' })?.title).toBe('App secret');
    expect(fieldsOf({ properties: { pixel_id: { type: 'string' } } })[0]?.title).toBe('Pixel id');
  });
});

it('sets apart what few change, unless nothing is required', () => {
  const properties = {
    id: { type: 'string' },
    version: { type: 'string', default: 'v1' },
    app_secret: { type: 'string' },
  };
  const names = (required: readonly string[]) => {
    const { main, rare } = splitByNeed(fieldsOf({ properties, required }));
    return [main, rare].map((fields) => fields.map(({ name }) => name));
  };
  expect(names(['id'])).toEqual([['id'], ['version', 'app_secret']]);
  expect(names([])).toEqual([['id', 'version', 'app_secret'], []]);
});
