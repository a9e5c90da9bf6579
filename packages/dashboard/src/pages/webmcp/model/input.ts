/**
 * A tool's input while it is edited, in one of three notations. Invalid text and rows without names are kept;
 * `schemaOf` returns what can be sent.
 */
import { isObject } from '@ghostlight/core';
import { allFieldMistakes, type FieldForm, readForm, writeForm } from './fields.ts';
import { readJson } from './json-text.ts';
import { readShort, shortened, writeShort } from './short-form.ts';

export type Input =
  | { readonly mode: 'short'; readonly text: string }
  | { readonly mode: 'fields'; readonly form: FieldForm }
  | { readonly mode: 'json'; readonly text: string };
export type InputMode = Input['mode'];

export interface LineMistake {
  readonly line: number;
  readonly message: string;
}

/** `draft`: the value for a draft: the text itself while it is invalid. */
export type SchemaOf =
  | { readonly ok: true; readonly schema: unknown }
  | { readonly ok: false; readonly draft: unknown; readonly mistakes: readonly LineMistake[] };

/** Rows whenever possible. A string is invalid text of an earlier session. */
export function inputOf(schema: unknown): Input {
  if (typeof schema === 'string') return { mode: 'json', text: schema };
  const form = readForm(schema);
  return form === null ? { mode: 'json', text: pretty(schema) } : { mode: 'fields', form };
}

export function schemaOf(input: Input): SchemaOf {
  if (input.mode === 'short') {
    const short = readShort(input.text);
    return short.ok ? short : { ok: false, draft: input.text, mistakes: short.mistakes };
  }
  if (input.mode === 'json') {
    const json = readJson(input.text);
    if (!json.ok) return { ok: false, draft: input.text, mistakes: [json.mistake] };
    return { ok: true, schema: json.value };
  }
  const schema = writeForm(input.form);
  // Mistakes of rows are shown at the rows.
  const mistakes = allFieldMistakes(input.form.fields).map((message) => ({ line: 1, message }));
  return mistakes.length === 0 ? { ok: true, schema } : { ok: false, draft: schema, mistakes };
}

export type Switch =
  | { readonly ok: true; readonly input: Input }
  /** The reasons; `lossy` is the reduced short form. */
  | { readonly ok: false; readonly reasons: readonly string[]; readonly lossy?: Input };

/** The same input in another notation, if that is lossless. */
export function switchMode(input: Input, mode: InputMode): Switch {
  if (input.mode === mode) return { ok: true, input };
  const read = schemaOf(input);
  if (!read.ok) return { ok: false, reasons: read.mistakes.map(({ message }) => message) };
  if (mode === 'json') return { ok: true, input: { mode, text: pretty(read.schema) } };
  if (mode === 'fields') {
    const form = readForm(read.schema);
    if (form !== null) return { ok: true, input: { mode, form } };
    const what = isObject(read.schema) ? 'Its properties or required names' : 'The schema';
    return { ok: false, reasons: [`${what} are not of the form that JSON Schema asks for.`] };
  }
  const short = writeShort(read.schema);
  if (short.ok) return { ok: true, input: { mode, text: short.text } };
  return { ok: false, reasons: short.reasons, lossy: { mode, text: shortened(read.schema) } };
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
