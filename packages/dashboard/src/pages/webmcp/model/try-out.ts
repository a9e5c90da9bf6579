/** Makes a form from a tool's schema, and the arguments that an agent would send. */
import { isObject } from '@ghostlight/core';
import { choicesOf, itemKind, kindOf, readForm, type Scalar } from './fields.ts';
import { below, readJson } from './json-text.ts';

export type TryKind =
  | { readonly is: Scalar }
  | { readonly is: 'choice'; readonly choices: readonly (string | number)[] }
  | { readonly is: 'list'; readonly of: Scalar }
  | { readonly is: 'group'; readonly fields: readonly TryField[] }
  /** Anything without a control: entered as JSON. */
  | { readonly is: 'json' };

export interface TryField {
  readonly name: string;
  /** The pointer of the value within the arguments. */
  readonly pointer: string;
  readonly required: boolean;
  readonly description: string;
  readonly kind: TryKind;
}

/** The input, by pointer. */
export type TryValues = { readonly [pointer: string]: string };

/** Null when the schema has no fields: the arguments are then one JSON text, at the pointer ''. */
export function tryFields(schema: unknown, pointer = ''): TryField[] | null {
  const form = kindOf(schema) === 'object' ? readForm(schema) : null;
  if (form === null) return null;
  return form.fields.map(({ name, required, schema: own }) => {
    const description = isObject(own) ? own['description'] : undefined;
    const at = below(pointer, name);
    return {
      name,
      pointer: at,
      required,
      description: typeof description === 'string' ? description : '',
      kind: tryKind(own, at),
    };
  });
}

/** Initial values from the schema: defaults, and the first example. */
export function suggested(schema: unknown, pointer = ''): TryValues {
  const fields = tryFields(schema, pointer) ?? [];
  const form = readForm(schema);
  const pairs = fields.flatMap((field): [string, string][] => {
    const own = form?.fields.find(({ name }) => name === field.name)?.schema;
    if (field.kind.is === 'group') return Object.entries(suggested(own, field.pointer));
    const examples = isObject(own) && Array.isArray(own['examples']) ? own['examples'] : [];
    const value = isObject(own) ? (own['default'] ?? examples[0]) : undefined;
    return value === undefined ? [] : [[field.pointer, typed(value, field.kind)]];
  });
  return Object.fromEntries(pairs);
}

export interface Arguments {
  readonly value: unknown;
  /** Invalid input, by pointer; it is sent as text, and the service reports it. */
  readonly mistakes: ReadonlyMap<string, string>;
}

/** Empty fields are left out, as an agent would. */
export function argumentsOf(fields: readonly TryField[] | null, values: TryValues): Arguments {
  const mistakes = new Map<string, string>();
  if (fields === null) {
    const value = readValue(values[''] ?? '', { is: 'json' }, (message) => mistakes.set('', message));
    return { value: value ?? {}, mistakes };
  }
  return { value: group(fields, values, mistakes) ?? {}, mistakes };
}

/** The field of a pointer in the answer: the nearest one around it. Null: none. */
export function fieldAt(fields: readonly TryField[], pointer: string): TryField | null {
  for (const field of fields) {
    if (pointer !== field.pointer && !pointer.startsWith(`${field.pointer}/`)) continue;
    return field.kind.is === 'group' ? (fieldAt(field.kind.fields, pointer) ?? field) : field;
  }
  return null;
}

function tryKind(schema: unknown, pointer: string): TryKind {
  const kind = kindOf(schema);
  const choices = choicesOf(schema);
  if (kind === 'other') return { is: 'json' };
  if (kind === 'object') {
    const fields = tryFields(schema, pointer);
    return fields === null || fields.length === 0 ? { is: 'json' } : { is: 'group', fields };
  }
  if (kind === 'array') {
    const of = itemKind(schema);
    return of === 'other' ? { is: 'json' } : { is: 'list', of };
  }
  return choices === null || choices.length === 0 ? { is: kind } : { is: 'choice', choices };
}

function group(
  fields: readonly TryField[],
  values: TryValues,
  mistakes: Map<string, string>,
): Record<string, unknown> | undefined {
  const pairs = fields.flatMap(({ name, pointer, required, kind }): [string, unknown][] => {
    if (kind.is === 'group') {
      const inner = group(kind.fields, values, mistakes);
      return inner === undefined && !required ? [] : [[name, inner ?? {}]];
    }
    const value = readValue(values[pointer] ?? '', kind, (message) => mistakes.set(pointer, message));
    return value === undefined ? [] : [[name, value]];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

function readValue(text: string, kind: TryKind, mistake: (message: string) => void): unknown {
  if (text === '') return undefined;
  switch (kind.is) {
    case 'string':
    case 'group':
      return text;
    case 'number':
    case 'integer': {
      const number = Number(text.trim());
      if (text.trim() !== '' && Number.isFinite(number)) return number;
      mistake(`“${text}” is not a number.`);
      return text;
    }
    case 'boolean':
      return text === 'true';
    case 'choice':
      return kind.choices.find((choice) => String(choice) === text) ?? text;
    case 'list':
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => readValue(line, { is: kind.of }, mistake));
    case 'json': {
      const json = readJson(text);
      if (json.ok) return json.value;
      mistake(`Line ${json.mistake.line}: ${json.mistake.message}`);
      return text;
    }
  }
}

/** A value as text. */
function typed(value: unknown, kind: TryKind): string {
  if (kind.is === 'list' && Array.isArray(value)) return value.map(String).join('\n');
  return kind.is === 'json' ? JSON.stringify(value, null, 2) : String(value);
}
