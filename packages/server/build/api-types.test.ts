import { describe, expect, it } from 'vitest';
import { describeApi } from '../src/composition/describe-api.ts';
import { type ApiDocument, apiTypes, type Schema } from './api-types.ts';

/** The type of one schema, without its name. */
const typeOf = (schema: Schema) =>
  /export type It = ([\s\S]*?);\n\n/.exec(apiTypes({ components: { schemas: { It: schema } } }))?.[1];

describe('a schema', () => {
  it.each<[string, Schema, string]>([
    ['text', { type: 'string' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['a closed set', { type: 'string', enum: ['a', "b'c"] }, '"a" | "b\'c"'],
    ['one value', { type: 'boolean', const: true }, 'true'],
    ['text or nothing', { type: ['string', 'null'] }, 'string | null'],
    ['a closed set or nothing', { type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
    ['a choice', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    ['all of several', { allOf: [{ $ref: '#/components/schemas/It' }, { type: 'null' }] }, 'It & null'],
    ['a list', { type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
    ['a list of lists', { type: 'array', items: { type: 'array' } }, 'readonly (readonly unknown[])[]'],
    ['a pair', { type: 'array', prefixItems: [{ type: 'string' }, {}] }, 'readonly [string, unknown]'],
    ['anything', {}, 'unknown'],
    ['any object', { type: 'object' }, 'Readonly<Record<string, unknown>>'],
    ['an empty object', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      'names of any kind',
      { type: 'object', additionalProperties: { type: 'number' } },
      'Readonly<Record<string, number>>',
    ],
  ])('of %s has a type', (_, schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('of an object says which members may be missing, and what they mean', () => {
    const type = typeOf({
      type: 'object',
      properties: { at: { type: 'string', description: 'RFC 3339, */ too' }, 'x-y': { type: 'number' } },
      required: ['at'],
    });
    expect(type).toBe(
      "{\n  /** RFC 3339, *\\/ too */\n  readonly at: string;\n  readonly 'x-y'?: number;\n}",
    );
  });

  it('that has no type here is refused, with its place', () => {
    expect(() => typeOf({ type: 'object', properties: { odd: { type: 'date' } } })).toThrow('It/odd');
  });
});

it('of an operation says what it takes and what it answers, not how it refuses', () => {
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
  const text = apiTypes({
    paths: {
      '/things/{id}': {
        put: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
          ],
          requestBody: json({ type: 'string' }),
          responses: { 200: json({ type: 'number' }), 204: {}, 404: json({ type: 'boolean' }) },
        },
      },
    },
  });
  expect(text).toContain("readonly 'PUT /things/{id}': {");
  expect(text).toContain('readonly limit?: number;');
  expect(text).toContain('readonly body: string;');
  expect(text).toContain('readonly answer: number | null;');
  expect(text).not.toContain('boolean');
});

it('every operation of the service is among them', async () => {
  const document = (await describeApi()) as ApiDocument;
  const text = apiTypes(document);
  const paths = Object.keys(document.paths ?? {});
  expect(paths.length).toBeGreaterThan(80);
  for (const path of paths) expect(text).toContain(` ${path}': {`);
});
