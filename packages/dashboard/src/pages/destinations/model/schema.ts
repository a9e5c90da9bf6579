/** Reads the fields of a form from the JSON Schema of a platform's settings or credentials. */
import type { JsonSchema } from '../../../features/destinations/api.ts';

export type FieldKind =
  | { readonly is: 'text'; readonly pattern: RegExp | null; readonly max: number; readonly long: boolean }
  | { readonly is: 'choice'; readonly options: readonly (readonly [value: string, label: string])[] }
  | { readonly is: 'switch' }
  | { readonly is: 'number'; readonly whole: boolean; readonly min: number; readonly max: number }
  /** Texts, one per line. */
  | { readonly is: 'list' }
  /** Anything without a control is entered as JSON, so that every setting can be made. */
  | { readonly is: 'json' };

export interface SchemaField {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** Empty: no help. */
  readonly example: string;
  /** Required, without a default. */
  readonly required: boolean;
  readonly fallback: unknown;
  /** The page can generate it; then it has to be copied. */
  readonly generated: boolean;
  /** The stored value is shown shortened; sending that back keeps it. */
  readonly sealed: boolean;
  readonly kind: FieldKind;
}

const MAX_TEXT = 10_000;

export function fieldsOf({ properties = {}, required = [] }: JsonSchema): SchemaField[] {
  return Object.entries(properties).map(([name, given]) => {
    const schema = { ...given, ...essential(given) };
    return {
      name,
      // The form marks optional fields itself.
      title: (schema.title ?? spoken(name)).replace(/ \(optional\)$/, ''),
      help: schema.description ?? '',
      example: exampleOf(schema),
      required: required.includes(name) && schema.default === undefined && !isNullable(given),
      fallback: schema.default,
      generated: schema.generate === 'whsec',
      sealed: schema.writeOnly === true,
      kind: kindOf(schema),
    };
  });
}

/**
 * Splits fields into those that everyone fills in and those with a usual value, which few change. Where none is required, as with two ways
 * to sign in, none is rare.
 */
export function splitByNeed(fields: readonly SchemaField[]): {
  readonly main: readonly SchemaField[];
  readonly rare: readonly SchemaField[];
} {
  const rare = fields.some(({ required }) => required) ? fields.filter(({ required }) => !required) : [];
  return { main: fields.filter((field) => !rare.includes(field)), rare };
}

/** `pixel_id` as `Pixel id`, for a missing title. */
export function spoken(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function kindOf(schema: JsonSchema): FieldKind {
  const options = optionsOf(schema);
  if (options !== null) return { is: 'choice', options };
  switch (typeOf(schema)) {
    case 'boolean':
      return { is: 'switch' };
    case 'integer':
    case 'number':
      return {
        is: 'number',
        whole: typeOf(schema) === 'integer',
        min: schema.minimum ?? Number.NEGATIVE_INFINITY,
        max: schema.maximum ?? Number.POSITIVE_INFINITY,
      };
    case 'string':
      return {
        is: 'text',
        pattern: patternOf(schema.pattern),
        max: schema.maxLength ?? MAX_TEXT,
        long: schema.multiline === true,
      };
    case 'array':
      return schema.items !== undefined && typeOf(schema.items) === 'string'
        ? { is: 'list' }
        : { is: 'json' };
    default:
      return { is: 'json' };
  }
}

function optionsOf({ enum: values, oneOf }: JsonSchema): (readonly [string, string])[] | null {
  if (values !== undefined) return values.map((value) => [String(value), spoken(String(value))]);
  if (oneOf === undefined || !oneOf.every((one) => one.const !== undefined)) return null;
  return oneOf.map((one) => [String(one.const), one.title ?? spoken(String(one.const))]);
}

/** The X of `X or null`: an empty field is the null. */
function essential({ anyOf }: JsonSchema): JsonSchema {
  const real = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return real.length === 1 ? (real[0] ?? {}) : {};
}

function isNullable({ anyOf, type }: JsonSchema): boolean {
  return anyOf?.some((one) => one.type === 'null') === true || (Array.isArray(type) && type.includes('null'));
}

function typeOf({ type }: JsonSchema): string {
  return typeof type === 'string' ? type : (type?.find((one) => one !== 'null') ?? '');
}

function exampleOf({ examples = [] }: JsonSchema): string {
  const [first] = examples;
  return first === undefined ? '' : typeof first === 'string' ? first : JSON.stringify(first);
}

/** A pattern that this browser can't compile is checked by the service only. */
function patternOf(pattern: string | undefined): RegExp | null {
  if (pattern === undefined) return null;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return null;
  }
}
