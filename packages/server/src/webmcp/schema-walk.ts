/** Every subschema of a JSON Schema 2020-12, by the keywords that hold one; the value of `const`, `enum` or `default` is no schema. */
import { isObject } from '@ghostlight/core';
import { token } from './problem.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;

export interface Subschema {
  readonly schema: SchemaObject;
  /** From the root of the schema. */
  readonly pointer: string;
}

const ONE = [
  ...['additionalProperties', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = [
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
];

/** Outermost first. No recursion: the depth of a schema is limited elsewhere. */
export function* subschemas(root: unknown): Generator<Subschema> {
  const waiting: { value: unknown; pointer: string }[] = [{ value: root, pointer: '' }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (!isObject(next.value)) continue;
    const { value: schema, pointer } = next;
    yield { schema, pointer };
    for (const key of ONE) waiting.push({ value: schema[key], pointer: pointer + token(key) });
    for (const key of [...MANY, ...NAMED]) {
      const held = schema[key];
      if (typeof held !== 'object' || held === null) continue;
      for (const [name, value] of Object.entries(held))
        waiting.push({ value, pointer: pointer + token(key) + token(name) });
    }
  }
}
