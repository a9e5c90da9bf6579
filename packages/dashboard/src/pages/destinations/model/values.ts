/** Converts between the texts of a form and the object of its schema. */
import { ApiError } from '../../../api/client.ts';
import type { SchemaField } from './schema.ts';

export type FormValues = Readonly<Record<string, string>>;

/** The texts of the form: the stored values, else the defaults. */
export function valuesOf(
  fields: readonly SchemaField[],
  stored: Readonly<Record<string, unknown>> = {},
): FormValues {
  return Object.fromEntries(
    fields.map((field) => [field.name, textOf(field, stored[field.name] ?? field.fallback)]),
  );
}

function textOf({ kind }: SchemaField, value: unknown): string {
  if (value === undefined || value === null) {
    // A select always has a value.
    return kind.is === 'choice' ? (kind.options[0]?.[0] ?? '') : kind.is === 'switch' ? 'false' : '';
  }
  if (kind.is === 'list') return Array.isArray(value) ? value.join('\n') : String(value);
  return kind.is === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

interface Read {
  readonly object: Readonly<Record<string, unknown>>;
  /** By name of the field; the form can't be sent while there are any. */
  readonly mistakes: ReadonlyMap<string, string>;
}

/** Empty fields are left out; the service applies the defaults. */
export function readValues(fields: readonly SchemaField[], values: FormValues): Read {
  const object: Record<string, unknown> = {};
  const mistakes = new Map<string, string>();
  for (const field of fields) {
    const text = (values[field.name] ?? '').trim();
    if (text === '') {
      if (field.required) mistakes.set(field.name, 'Required.');
      continue;
    }
    const mistake = mistakeOf(field, text);
    if (mistake === null) object[field.name] = meant(field, text);
    else mistakes.set(field.name, mistake);
  }
  return { object, mistakes };
}

function mistakeOf({ kind, example }: SchemaField, text: string): string | null {
  const like = example === '' ? '' : ` Example: ${example}.`;
  switch (kind.is) {
    case 'text':
      if (text.length > kind.max) return `At most ${kind.max.toLocaleString('en')} characters.`;
      return kind.pattern === null || kind.pattern.test(text) ? null : `Not valid.${like}`;
    case 'number': {
      const number = Number(text);
      if (!Number.isFinite(number) || (kind.whole && !Number.isInteger(number))) {
        return kind.whole ? 'A whole number.' : 'A number.';
      }
      if (number < kind.min) return `At least ${kind.min}.`;
      return number > kind.max ? `At most ${kind.max}.` : null;
    }
    case 'json':
      try {
        JSON.parse(text);
        return null;
      } catch {
        return 'Not valid JSON.';
      }
    default:
      return null;
  }
}

function meant({ kind }: SchemaField, text: string): unknown {
  switch (kind.is) {
    case 'switch':
      return text === 'true';
    case 'number':
      return Number(text);
    case 'list':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'json':
      return JSON.parse(text);
    default:
      return text;
  }
}

/** Error messages by field: `/config/pixel_id` of the member `config` is `pixel_id`. */
export function problemsAt(error: unknown, member: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!(error instanceof ApiError)) return found;
  for (const { pointer, message } of error.fields) {
    const [, first = '', second = ''] = pointer.split('/');
    const name = plainName(second);
    if (first === member && name !== '' && !found.has(name)) found.set(name, message);
  }
  return found;
}

/** Whether an error belongs to no field. @param shown names of members and of their fields, `config/pixel_id` */
export function hasOther(error: unknown, shown: ReadonlySet<string>): boolean {
  if (!(error instanceof ApiError) || error.fields.length === 0) return error !== null;
  return error.fields.some(({ pointer }) => {
    const [, first = '', second = ''] = pointer.split('/');
    return !shown.has(second === '' ? first : `${first}/${plainName(second)}`);
  });
}

/** Unescapes a segment of a JSON pointer (RFC 6901). */
function plainName(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Of the 24 to 64 bytes that Standard Webhooks allows. */
const BYTES = 32;

/** `whsec_` and random bytes in base64, the form of Standard Webhooks. */
export function newSigningSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))}`;
}
