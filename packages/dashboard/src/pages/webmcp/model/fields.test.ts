import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  type Field,
  type FieldForm,
  fieldMistakes,
  freeName,
  hiddenIn,
  kindOf,
  readForm,
  withKind,
  writeForm,
} from './fields.ts';

/** Names that JavaScript keeps in order: it moves those that look like array indices to the front. */
const name = fc.oneof(
  fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,8}$/),
  fc.constantFrom('__proto__', 'constructor', 'a/b', 'm~n', 'ü 🛒', 'required', 'type'),
);
const keyword = fc.dictionary(
  fc.constantFrom('description', 'minLength', 'pattern', 'enum', 'x-own', 'anyOf', 'default', 'title'),
  fc.jsonValue({ maxDepth: 1 }),
);
const scalarSchema = fc
  .tuple(fc.constantFrom('string', 'number', 'integer', 'boolean', 'array'), keyword)
  .map(([type, more]) => ({ type, ...more }));
const oddSchema = fc.oneof(fc.boolean(), fc.constant({ $ref: '#/$defs/x' }), keyword);

const { schema } = fc.letrec<{ schema: object; property: unknown }>((tie) => ({
  property: fc.oneof({ maxDepth: 3 }, scalarSchema, oddSchema, tie('schema')),
  schema: fc
    .record({
      properties: fc.option(
        fc.array(fc.tuple(name, tie('property')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
        { nil: undefined },
      ),
      required: fc.option(fc.uniqueArray(name, { maxLength: 3 }), { nil: undefined }),
      additionalProperties: fc.option(fc.boolean(), { nil: undefined }),
      more: keyword,
    })
    .map(({ more, ...rest }) => ({
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      ...more,
      type: 'object',
    })),
}));

const withIds = (fields: readonly Omit<Field, 'id'>[]): Field[] =>
  fields.map((field) => ({ ...field, id: field.name }));
const form: fc.Arbitrary<FieldForm> = fc
  .uniqueArray(fc.record({ name, required: fc.boolean(), schema: scalarSchema, inner: fc.constant(null) }), {
    selector: (field) => field.name,
    maxLength: 5,
  })
  .chain((leaves) =>
    fc.constantFrom<FieldForm['fields']>(
      withIds(leaves),
      withIds([
        { name: 'group', required: true, schema: withKind({}, 'object'), inner: withIds(leaves) },
        ...leaves,
      ]),
    ),
  )
  .map((fields) => ({ base: { type: 'object', additionalProperties: false }, fields }));

/** Rows without the editor's own ids. */
const meaning = (fields: readonly Field[]): unknown =>
  fields.map(({ name: own, required, schema: of, inner }) => ({
    own,
    required,
    of: inner === null ? of : kindOf(of),
    inner: inner === null ? null : meaning(inner),
  }));

describe('rows and schemas', () => {
  it('lose nothing from schema to rows to schema, and keep the order of members', () => {
    fc.assert(
      fc.property(schema, (original) => {
        const rows = readForm(original);
        expect(rows).not.toBeNull();
        expect(JSON.stringify(rows && writeForm(rows))).toBe(JSON.stringify(original));
      }),
    );
  });

  it('lose nothing from rows to schema to rows', () => {
    fc.assert(
      fc.property(form, (rows) => {
        expect(meaning(readForm(writeForm(rows))?.fields ?? [])).toEqual(meaning(rows.fields));
      }),
    );
  });

  it('are not rows when properties or required have a wrong type', () => {
    for (const broken of [null, [], 'x', { properties: [] }, { required: 'a' }, { required: [1] }]) {
      expect(readForm(broken)).toBeNull();
    }
  });

  it('keep a required name without a property, and drop that of a removed row', () => {
    const rows = readForm({ type: 'object', properties: { a: {}, b: {} }, required: ['z', 'b', 'a'] });
    const fields = rows?.fields.filter((field) => field.name !== 'b') ?? [];
    expect(rows && writeForm({ ...rows, fields })).toEqual({
      type: 'object',
      properties: { a: {} },
      required: ['z', 'a'],
    });
  });

  it('leave out required when no row is', () => {
    const rows = readForm({ type: 'object', properties: { a: {} }, required: ['a'] });
    const fields = rows?.fields.map((field) => ({ ...field, required: false })) ?? [];
    expect(rows && writeForm({ ...rows, fields })).toEqual({ type: 'object', properties: { a: {} } });
  });
});

describe('a row', () => {
  it('keeps its description when its kind changes, and loses limits of the old kind', () => {
    expect(withKind({ type: 'string', description: 'How many', maxLength: 3 }, 'integer')).toEqual({
      type: 'integer',
      description: 'How many',
    });
  });

  it('shows choices only when each is of its own kind', () => {
    expect(choicesOf({ type: 'string', enum: ['s', 'm'] })).toEqual(['s', 'm']);
    expect(choicesOf({ type: 'integer', enum: [1, 'm'] })).toBeNull();
  });

  it('reports missing and duplicate names', () => {
    const row = (id: string, own: string): Field => ({
      id,
      name: own,
      required: true,
      schema: {},
      inner: null,
    });
    const mistakes = fieldMistakes([row('1', 'a'), row('2', ''), row('3', 'a')]);
    expect([...mistakes.keys()]).toEqual(['2', '3']);
    expect(freeName([row('1', 'input'), row('2', 'input_2')], 'input')).toBe('input_3');
  });
});

it('names what rows can’t show, with its group', () => {
  const hidden = hiddenIn({
    type: 'object',
    $defs: {},
    additionalProperties: { type: 'string' },
    properties: {
      fine: { type: 'string', maxLength: 3, description: 'x' },
      choice: { anyOf: [] },
      group: { type: 'object', properties: { sku: { type: 'string', default: 'a' } } },
      items: { type: 'array', items: { type: 'string', maxLength: 3 } },
    },
  });
  expect(hidden).toEqual([
    { path: [], keywords: ['$defs', 'additionalProperties'] },
    { path: ['choice'], keywords: [] },
    { path: ['group', 'sku'], keywords: ['default'] },
    { path: ['items'], keywords: ['items'] },
  ]);
});
