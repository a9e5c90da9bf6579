/**
 * A tool's input while it is edited, in one of three ways of writing. Text that is no schema yet and rows without names are kept as they
 * are; `schemaOf` says what can be sent of them.
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

/** `draft`: what a draft keeps of it, which is the text itself while that is no schema. */
export type SchemaOf =
  | { readonly ok: true; readonly schema: unknown }
  | { readonly ok: false; readonly draft: unknown; readonly mistakes: readonly LineMistake[] };

/** Fields whenever they can be: nothing is lost by them. A string is text that an earlier session could not finish. */
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
  // Rows have no lines: their mistakes are shown at the rows themselves.
  const mistakes = allFieldMistakes(input.form.fields).map((message) => ({ line: 1, message }));
  return mistakes.length === 0 ? { ok: true, schema } : { ok: false, draft: schema, mistakes };
}

export type Switch =
  | { readonly ok: true; readonly input: Input }
  /** What stands in the way; `lossy` is what the short form would keep. */
  | { readonly ok: false; readonly reasons: readonly string[]; readonly lossy?: Input };

/** The same input in another way of writing, when that loses nothing. */
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
