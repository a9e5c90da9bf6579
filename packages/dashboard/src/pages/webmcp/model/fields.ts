/**
 * An object schema as rows, and back without loss: each row carries its own schema whole, and the object's own keywords stay in `base`, so
 * what has no control is kept as it was written, in the order in which it was written.
 */
import { isObject } from '@ghostlight/core';
import type { JsonObject } from '../types.ts';

export const SCALARS = ['string', 'number', 'integer', 'boolean'] as const;
export type Scalar = (typeof SCALARS)[number];
/** `other`: anything that the rows have no words for (a reference, a choice of schemas, no type). */
export type FieldKind = Scalar | 'array' | 'object' | 'other';

export interface Field {
  /** Tells rows apart while their names change. */
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  /** As it was written; of a group, everything but its rows counts. */
  readonly schema: unknown;
  /** The rows of a group; null for any other kind. */
  readonly inner: readonly Field[] | null;
}

export interface FieldForm {
  /** The object schema that the rows were read from. */
  readonly base: JsonObject;
  readonly fields: readonly Field[];
}

/** Keywords that a row of this kind has a control for. */
const SHOWN: Readonly<Record<Exclude<FieldKind, 'other'>, readonly string[]>> = {
  string: ['enum', 'minLength', 'maxLength', 'pattern', 'format'],
  number: ['enum', 'minimum', 'maximum'],
  integer: ['enum', 'minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
};

/** Null when the members that rows are made of are not what JSON Schema asks for. */
export function readForm(schema: unknown): FieldForm | null {
  if (!isObject(schema)) return null;
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties) || !isNames(required)) return null;
  const fields = Object.entries(properties).map(([name, own]) => ({
    id: name,
    name,
    required: required.includes(name),
    schema: own,
    inner: isObject(own) && own['type'] === 'object' ? (readForm(own)?.fields ?? null) : null,
  }));
  return { base: schema, fields };
}

/** Rows without a name, and all but the first of one name, are left out: `fieldMistakes` says so at the row. */
export function writeForm({ base, fields }: FieldForm): JsonObject {
  const named = fields.filter(
    ({ name }, index) => name !== '' && fields.findIndex((other) => other.name === name) === index,
  );
  const needed = named.filter(({ required }) => required).map(({ name }) => name);
  const before = isNames(base['required']) ? base['required'] : [];
  const known = isObject(base['properties']) ? base['properties'] : {};
  // A name that never was a property stays: a pattern may describe it, and without it more would be accepted.
  const kept = before.filter((name) => needed.includes(name) || !Object.hasOwn(known, name));
  const required = [...kept, ...needed.filter((name) => !kept.includes(name))];
  const properties = Object.fromEntries(named.map((field) => [field.name, fieldSchema(field)]));
  // Members are written over where they stand, so that their order stays.
  const written = {
    ...base,
    ...(named.length > 0 || base['properties'] !== undefined ? { properties } : {}),
    required,
  };
  const wanted = required.length > 0 || (base['required'] !== undefined && before.length === 0);
  return wanted ? written : withKeyword(written, 'required', undefined);
}

/** The whole schema of one row. */
export function fieldSchema({ schema, inner }: Field): unknown {
  return inner === null || !isObject(schema) ? schema : writeForm({ base: schema, fields: inner });
}

export function kindOf(schema: unknown): FieldKind {
  if (!isObject(schema)) return 'other';
  const { type, properties = {}, required = [] } = schema;
  if (type === 'object') return isObject(properties) && isNames(required) ? 'object' : 'other';
  if (type === 'array') return 'array';
  return SCALARS.find((scalar) => scalar === type) ?? 'other';
}

/** What the items of a list are; `other` when they are not of one plain type. */
export function itemKind(schema: unknown): Scalar | 'other' {
  const kind = isObject(schema) ? kindOf(schema['items']) : 'other';
  return SCALARS.find((scalar) => scalar === kind) ?? 'other';
}

/** The same field as another kind: what described it stays, what limited the old kind goes. */
export function withKind(schema: unknown, kind: Exclude<FieldKind, 'other'>): JsonObject {
  const { title, description } = isObject(schema) ? schema : {};
  return {
    type: kind,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(kind === 'array' ? { items: { type: 'string' } } : {}),
    ...(kind === 'object' ? { properties: {}, additionalProperties: false } : {}),
  };
}

/** The schema with one keyword set, or without it. */
export function withKeyword(schema: unknown, keyword: string, value: unknown): JsonObject {
  const own = isObject(schema) ? schema : {};
  if (value !== undefined) return { ...own, [keyword]: value };
  return Object.fromEntries(Object.entries(own).filter(([name]) => name !== keyword));
}

/** The choices of a field, when each is of the field's own kind; else they are not shown. */
export function choicesOf(schema: unknown): readonly (string | number)[] | null {
  if (!isObject(schema) || !Array.isArray(schema['enum'])) return null;
  const type = schema['type'] === 'string' ? 'string' : 'number';
  return schema['enum'].every((choice) => typeof choice === type) ? schema['enum'] : null;
}

export interface Hidden {
  /** Names of the fields on the way to it; empty: the tool's input itself. */
  readonly path: readonly string[];
  readonly keywords: readonly string[];
}

/** What rows can't show and keep. */
export function hiddenIn(schema: unknown, path: readonly string[] = []): Hidden[] {
  const kind = kindOf(schema);
  if (!isObject(schema) || kind === 'other') return [{ path, keywords: [] }];
  const shown: readonly string[] = ['type', 'description', ...SHOWN[kind]];
  const keywords = Object.keys(schema).filter(
    (keyword) =>
      !shown.includes(keyword) ||
      (keyword === 'enum' && choicesOf(schema) === null) ||
      (keyword === 'items' &&
        Object.keys(isObject(schema['items']) ? schema['items'] : { x: 0, y: 0 }).length > 1) ||
      (keyword === 'additionalProperties' && typeof schema['additionalProperties'] !== 'boolean'),
  );
  const own = keywords.length > 0 ? [{ path, keywords }] : [];
  const form = kind === 'object' ? readForm(schema) : null;
  return [...own, ...(form?.fields ?? []).flatMap((field) => hiddenIn(field.schema, [...path, field.name]))];
}

/** Mistakes that can't reach the service, since a schema can't hold them; by the row's id. */
export function fieldMistakes(fields: readonly Field[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ id, name }, index): [string, string][] => {
      if (name === '') return [[id, 'Give this input a name.']];
      const first = fields.findIndex((other) => other.name === name);
      return first === index ? [] : [[id, 'Another input has this name.']];
    }),
  );
}

/** The same, groups within groups included, in reading order. */
export function allFieldMistakes(fields: readonly Field[]): string[] {
  return [
    ...fieldMistakes(fields).values(),
    ...fields.flatMap(({ inner }) => (inner === null ? [] : allFieldMistakes(inner))),
  ];
}

/** A name that no row has yet. */
export function freeName(fields: readonly Field[], wish: string): string {
  const taken = new Set(fields.flatMap(({ id, name }) => [id, name]));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wish : `${wish}_${count}`;
    if (!taken.has(name)) return name;
  }
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
