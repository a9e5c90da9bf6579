/** The operations of a running service's OpenAPI document, each with a body that its schema takes: for tests that walk all of them. */
import type { TestService } from './service.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly paths: Record<string, Record<string, RawOperation>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface RawOperation {
  readonly security?: readonly unknown[];
  readonly 'x-need'?: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema?: Schema }>> };
}

export interface Operation {
  readonly method: string;
  /** `/api/v1/properties/{id}` */
  readonly path: string;
  /** Needs no caller. */
  readonly open: boolean;
  readonly need: string | undefined;
  /** Takes `?organization=`. */
  readonly narrows: boolean;
  /** Parameters of the query that must be given, with a value each; begins with `?` where there are any. */
  readonly query: string;
  /** What its schema takes, as far as that can be made up; undefined where it takes no body. */
  readonly body: unknown;
}

/** Every operation under `/api/v1`. */
export async function operationsOf(service: TestService): Promise<Operation[]> {
  const document = (await service.call('GET', '/api/v1/openapi.json')).body as Document;
  const sample = (schema: Schema | undefined) => sampleOf(schema, document.components?.schemas ?? {}, 0);
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
        const needed = inQuery.filter(({ required }) => required === true);
        const query = new URLSearchParams(needed.map(({ name, schema }) => [name, String(sample(schema))]));
        return {
          method: method.toUpperCase(),
          path,
          open: operation.security?.length === 0,
          need: operation['x-need'],
          narrows: inQuery.some(({ name }) => name === 'organization'),
          query: needed.length === 0 ? '' : `?${query}`,
          body: sample(operation.requestBody?.content?.['application/json']?.schema),
        };
      }),
    );
}

const MAX_DEPTH = 8;
const FORMATS: Readonly<Record<string, string>> = {
  uuid: '11111111-1111-4111-8111-111111111111',
  guid: '11111111-1111-4111-8111-111111111111',
  email: 'walker@nowhere.example',
  'date-time': '2030-01-01T00:00:00Z',
  date: '2026-01-01',
  uri: 'https://nowhere.example/',
};

function sampleOf(
  schema: Schema | undefined,
  known: Readonly<Record<string, Schema>>,
  depth: number,
): unknown {
  if (schema === undefined || depth > MAX_DEPTH) return undefined;
  const again = (inner: Schema | undefined) => sampleOf(inner, known, depth + 1);
  if (schema.$ref !== undefined) return again(known[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return again(choice);
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(again));
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties !== undefined) {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(required.map((name) => [name, again(properties[name])]));
  }
  if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => again(schema.items));
  if (type === 'string') return FORMATS[schema.format ?? ''] ?? 'shop'.padEnd(schema.minLength ?? 1, 'x');
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return null;
}
