/**
 * Converts an object schema to rows and back without loss: each row has its complete schema, and the object's own keywords stay in `base`,
 * so that keywords without a control are kept, in their order.
 */
import { isObject } from '@ghostlight/core';
import type { JsonObject } from '../types.ts';

export const SCALARS = ['string', 'number', 'integer', 'boolean'] as const;
export type Scalar = (typeof SCALARS)[number];
/** `other`: anything without controls (a reference, a choice of schemas, no type). */
export type FieldKind = Scalar | 'array' | 'object' | 'other';

export interface Field {
  /** Identifies a row while its name changes. */
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  /** The schema as written; for a group, without its rows. */
  readonly schema: unknown;
  /** The rows of a group; null for any other kind. */
  readonly inner: readonly Field[] | null;
}

export interface FieldForm {
  /** The object schema of the rows. */
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

/** Null when `properties` or `required` is invalid. */
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

/** Rows without a name and duplicates are left out; `fieldMistakes` reports them at the row. */
export function writeForm({ base, fields }: FieldForm): JsonObject {
  const named = fields.filter(
    ({ name }, index) => name !== '' && fields.findIndex((other) => other.name === name) === index,
  );
  const needed = named.filter(({ required }) => required).map(({ name }) => name);
  const before = isNames(base['required']) ? base['required'] : [];
  const known = isObject(base['properties']) ? base['properties'] : {};
  // A required name without a property stays: a pattern may describe it.
  const kept = before.filter((name) => needed.includes(name) || !Object.hasOwn(known, name));
  const required = [...kept, ...needed.filter((name) => !kept.includes(name))];
  const properties = Object.fromEntries(named.map((field) => [field.name, fieldSchema(field)]));
  // Members are replaced in place, so that their order stays.
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

/** The kind of a list's items; `other` when they have no single plain type. */
export function itemKind(schema: unknown): Scalar | 'other' {
  const kind = isObject(schema) ? kindOf(schema['items']) : 'other';
  return SCALARS.find((scalar) => scalar === kind) ?? 'other';
}

/** The field with another kind: its description stays, limits of the old kind are removed. */
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

/** The choices of a field, if all are of the field's kind; otherwise null. */
export function choicesOf(schema: unknown): readonly (string | number)[] | null {
  if (!isObject(schema) || !Array.isArray(schema['enum'])) return null;
  const type = schema['type'] === 'string' ? 'string' : 'number';
  return schema['enum'].every((choice) => typeof choice === type) ? schema['enum'] : null;
}

export interface Hidden {
  /** The path of field names; empty: the tool's input itself. */
  readonly path: readonly string[];
  readonly keywords: readonly string[];
}

/** Parts of the schema that rows keep but can't show. */
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

/** Mistakes that a schema can't express, so the service can't find them; by row id. */
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

/** A name that no row has. */
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
