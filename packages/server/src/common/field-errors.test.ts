import { z } from '@hono/zod-openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApi } from './api.ts';
import { ServiceError } from './errors.ts';
import { fieldErrors } from './field-errors.ts';

const told = (schema: z.ZodType, value: unknown, isAddress = false) =>
  fieldErrors(schema.safeParse(value).error?.issues ?? [], { value, isAddress });
const of = (schema: z.ZodType, value: unknown, isAddress = false): string | undefined =>
  told(z.object({ field: schema }), { field: value }, isAddress)[0]?.message;

describe('a field that a schema refuses', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing text', z.string(), undefined, 'Is required: give text.'],
    ['another type', z.string(), 5, 'Must be text, not 5.'],
    ['a list for an object', z.record(z.string(), z.string()), [], 'Must be an object, not a list.'],
    ['null', z.boolean(), null, 'Must be true or false, not null.'],
    ['a fraction', z.number().int(), 1.5, 'Must be a whole number, not 1.5.'],
    ['too small a number', z.number().min(1), -1, 'Must be at least 1, not -1.'],
    ['too large a number', z.number().max(1_000), 5_000, 'Must be at most 1000, not 5000.'],
    ['zero', z.number().positive(), 0, 'Must be more than 0, not 0.'],
    ['an empty text', z.string().min(1), '', 'Must have at least one character.'],
    ['a long text', z.string().max(3), 'abcd', 'Must have at most 3 characters, not 4.'],
    ['a long list', z.array(z.number()).max(2), [1, 2, 3], 'Must have at most 2 items, not 3.'],
    [
      'an email with blanks',
      z.email(),
      'a b@example.com',
      'Must be an email address such as name@example.com, without spaces.',
    ],
    ['a day', z.iso.date(), 'yesterday', 'Must be a day such as 2026-11-22.'],
    ['one of several', z.enum(['a', 'b']), 'secret', 'Must be one of a, b, not this text.'],
    ['one alone', z.literal('a'), 7, 'Must be "a", not 7.'],
    ['two types', z.union([z.string(), z.number()]), true, 'Must be text or a number, not true.'],
    ['a multiple', z.number().multipleOf(5), 7, 'Must be a multiple of 5, not 7.'],
    [
      'its own sentence',
      z.string().regex(/^\//, 'A path begins with a slash.'),
      'x',
      'A path begins with a slash.',
    ],
  ])('says what came and what is expected: %s', (_name, schema, value, message) =>
    expect(of(schema, value)).toBe(message),
  );

  it('shows again what stood in an address, cut, and nothing of a body', () => {
    expect(of(z.enum(['a']), 'b', true)).toBe('Must be "a", not "b".');
    expect(of(z.enum(['a']), 'x'.repeat(100), true)).toBe(`Must be "a", not "${'x'.repeat(40)}…".`);
    expect(of(z.string(), ['1', '2'], true)).toBe('Appears 2 times; send it once.');
    expect(of(z.coerce.number(), 'ten', true)).toBe('Must be a number, not "ten".');
  });

  it('is named by its place, in alternatives too', () => {
    const channel = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('mail'), to: z.email() }),
      z.object({ kind: z.literal('url'), url: z.url() }),
    ]);
    expect(told(z.object({ 'a/b': z.array(channel) }), { 'a/b': [{ kind: 'mail', to: 'x' }] })).toEqual([
      { pointer: '/a~1b/0/to', message: expect.stringMatching(/^Must be an email address/) },
    ]);
    expect(told(z.strictObject({ a: z.string() }), { a: 'x', b: 1 })).toEqual([
      { pointer: '', message: 'Has unknown members: "b". Leave them out.' },
    ]);
  });

  it('never speaks the validator’s words, whatever JSON comes', () => {
    const schema = z.object({
      text: z.string().min(2).max(5),
      number: z.number().int().min(1).max(9),
      map: z.record(z.string().regex(/^[a-z]+$/), z.union([z.string(), z.array(z.number())])),
      one: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
      choice: z.enum(['x', 'y']),
      when: z.iso.datetime(),
      id: z.uuid(),
      link: z.url(),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ text: fc.jsonValue(), map: fc.jsonValue(), one: fc.jsonValue() }, { requiredKeys: [] }),
        ),
        fc.boolean(),
        (value, isAddress) => {
          for (const { message } of told(schema, value, isAddress)) {
            expect(message).toMatch(/^[A-Z].*\.$/s);
            expect(message).not.toMatch(/Invalid|expected|received|record|Too (?:big|small)|undefined|NaN/);
          }
        },
      ),
    );
  });
});

it('a route says where the error is', async () => {
  const api = createApi();
  api.onError((error, c) =>
    error instanceof ServiceError
      ? c.json({ detail: error.message, errors: error.errors }, 422)
      : c.text('fault', 500),
  );
  api.openapi(
    {
      method: 'get',
      path: '/list',
      request: { query: z.object({ limit: z.coerce.number().int().min(1).optional() }) },
      responses: { 200: { description: 'OK' } },
    },
    (c) => c.text('ok'),
  );
  expect(await (await api.request('/list?limit=-1')).json()).toEqual({
    detail: 'The query has an error at limit: must be at least 1, not -1.',
    errors: [{ pointer: '/limit', message: 'Must be at least 1, not -1.' }],
  });
});
