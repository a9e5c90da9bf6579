/** The short form of an input, `{"sku": "string", "quantity": "number"}`: every input required, nothing else accepted. */
import { isObject } from '@ghostlight/core';
import type { JsonObject } from '../types.ts';
import { readForm, SCALARS } from './fields.ts';

export interface ShortMistake {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export type ShortForm =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly mistakes: readonly ShortMistake[] };

/** `"sku": "string"`, with or without quotes. Names in quotes may hold anything but a quote or a backslash. */
const PAIR = /^(?:"([^"\\]+)"|'([^'\\]+)'|([^\s"':,{}]+))\s*:\s*["']?([A-Za-z]*)["']?$/;

/** Reads JSON and a loose notation: quotes, commas and braces are optional, one input per line. */
export function readShort(text: string): ShortForm {
  const mistakes: ShortMistake[] = [];
  const types = new Map<string, string>();
  const lines = inside(text).split('\n');
  for (const [index, whole] of lines.entries()) {
    for (const part of whole.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)) {
      const pair = part.trim();
      if (pair === '') continue;
      const mistake = (message: string) => mistakes.push({ line: index + 1, message });
      const match = PAIR.exec(pair);
      const name = match?.[1] ?? match?.[2] ?? match?.[3];
      const type = SCALARS.find((scalar) => scalar === match?.[4]);
      if (match === null || name === undefined) mistake(`“${pair}” is not of the form name: type.`);
      else if (type === undefined) mistake(`The type of “${name}” must be one of ${SCALARS.join(', ')}.`);
      else if (types.has(name)) mistake(`Duplicate name “${name}”.`);
      else types.set(name, type);
    }
  }
  if (mistakes.length > 0) return { ok: false, mistakes };
  return {
    ok: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries([...types].map(([name, type]) => [name, { type }])),
      required: [...types.keys()],
      additionalProperties: false,
    },
  };
}

/** The short form as JSON, or the reasons why it is impossible, each a clause after “because”. */
export function writeShort(
  schema: unknown,
): { ok: true; text: string } | { ok: false; reasons: readonly string[] } {
  const form = readForm(schema);
  if (form === null) return { ok: false, reasons: ['its properties can’t be read'] };
  const reasons: string[] = [];
  const { type: _type, properties: _properties, required, additionalProperties, ...rest } = form.base;
  for (const { name, required: needed, schema: own } of form.fields) {
    const type = isObject(own) ? own['type'] : undefined;
    const more = isObject(own) ? Object.keys(own).filter((keyword) => keyword !== 'type') : [];
    if (!SCALARS.some((scalar) => scalar === type)) reasons.push(`“${name}” is more than one plain value`);
    else if (more.length > 0) reasons.push(`“${name}” has ${more.join(', ')}`);
    if (!needed) reasons.push(`“${name}” is optional`);
    if (/["\\\n]/.test(name)) reasons.push(`“${name}” has a quote, a backslash or a line break in it`);
  }
  if (Array.isArray(required) && required.length > form.fields.filter((field) => field.required).length) {
    reasons.push('it requires inputs that it doesn’t describe');
  }
  if (additionalProperties !== false) reasons.push('it accepts inputs that are not listed');
  if (Object.keys(rest).length > 0) reasons.push(`it has ${Object.keys(rest).join(', ')}`);
  if (reasons.length > 0) return { ok: false, reasons };
  const pairs = form.fields.map(({ name, schema: own }) => [name, isObject(own) ? own['type'] : '']);
  return { ok: true, text: JSON.stringify(Object.fromEntries(pairs), null, 2) };
}

/** The part of a schema that the short form can express: plain inputs, all required. */
export function shortened(schema: unknown): string {
  const fields = readForm(schema)?.fields ?? [];
  const pairs = fields.flatMap(({ name, schema: own }) => {
    const type = SCALARS.find((scalar) => isObject(own) && own['type'] === scalar);
    return type === undefined || /["\\\n]/.test(name) ? [] : [[name, type]];
  });
  return JSON.stringify(Object.fromEntries(pairs), null, 2);
}

/** Without the outer braces, line breaks kept, so that mistakes keep their lines. */
function inside(text: string): string {
  const match = /^(\s*)\{([\s\S]*)\}\s*$/.exec(text);
  return match === null ? text : `${match[1]}${match[2]}`;
}
