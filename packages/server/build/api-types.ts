/**
 * The OpenAPI document of the management API as TypeScript: an interface for each named schema, and `Operations`, which says of each
 * operation what it takes and answers. Types alone: nothing of it is in a bundle.
 *
 * It knows the part of JSON Schema that zod writes, and throws at anything else: no check would find a type that it guessed.
 */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly description?: string;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

/** As `GET /api/v1/openapi.json` answers. */
export interface ApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const HEAD = '// Made of the OpenAPI document by `npm run types`. Not to be edited, and not in git.\n';

/** @returns the text of a module @throws Error that names the place of a schema that has no TypeScript form here */
export function apiTypes({ paths = {}, components: { schemas = {} } = {} }: ApiDocument): string {
  const named = Object.entries(schemas).map(
    ([name, schema]) =>
      `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, name, '')};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      if (operation === undefined) return [];
      const name = `${method.toUpperCase()} ${path}`;
      return `${comment(operation.summary, '  ')}  readonly ${quoted(name)}: ${operationType(operation, name)};\n`;
    }),
  );
  return [HEAD, ...named, `export interface Operations {\n${operations.join('')}}\n`].join('\n');
}

function operationType({ parameters = [], requestBody, responses = {} }: Operation, name: string): string {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    if (!status.startsWith('2')) return [];
    const schema = jsonOf(response);
    // An empty body reads as null; what is no JSON (a file, a stream) is not read as an answer.
    return schema === undefined ? ['null'] : [typeOf(schema, `${name} ${status}`, '    ')];
  });
  const body = requestBody === undefined ? undefined : jsonOf(requestBody);
  return [
    '{\n',
    `    readonly query: {${query.map((one) => parameterType(one, name)).join('')}${query.length === 0 ? '' : '\n    '}};\n`,
    `    readonly body: ${body === undefined ? 'undefined' : typeOf(body, `${name} body`, '    ')};\n`,
    `    readonly answer: ${unionOf(answers.length === 0 ? ['null'] : answers)};\n`,
    '  }',
  ].join('');
}

function parameterType({ name, required = false, schema = {}, description }: Parameter, of: string): string {
  const text = comment(description ?? schema.description, '      ');
  return `\n${text}      readonly ${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema, `${of} ?${name}`, '      ')};`;
}

const jsonOf = ({ content = {} }: Body): Schema | undefined => content['application/json']?.schema;

/** @param place named where the schema is refused @param indent of its line */
function typeOf(schema: Schema, place: string, indent: string): string {
  const again = (inner: Schema, name: string) => typeOf(inner, `${place}/${name}`, indent);
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return unionOf(choices.map((one, index) => again(one, String(index))));
  if (schema.allOf !== undefined)
    return schema.allOf.map((one, index) => bracketed(again(one, String(index)))).join(' & ');
  if (schema.type === undefined && schema.properties === undefined) return 'unknown';
  return unionOf([schema.type ?? 'object'].flat().map((type) => plainType(schema, type, place, indent)));
}

function plainType(schema: Schema, type: string, place: string, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      if (schema.prefixItems !== undefined)
        return `readonly [${schema.prefixItems.map((one, index) => typeOf(one, `${place}/${index}`, indent)).join(', ')}]`;
      return `readonly ${bracketed(typeOf(schema.items ?? {}, `${place}/items`, indent))}[]`;
    case 'object':
      return objectType(schema, place, indent);
    default:
      throw new Error(`${place}: there is no TypeScript for the type "${type}".`);
  }
}

function objectType(schema: Schema, place: string, indent: string): string {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, one]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(one.description, inner)}${inner}readonly ${keyOf(name)}${mark}: ${typeOf(one, `${place}/${name}`, inner)};\n`;
  });
  const known = members.length === 0 ? '' : `{\n${members.join('')}${indent}}`;
  const open = typeof additionalProperties === 'object' || (additionalProperties === true && known === '');
  if (!open)
    return known === ''
      ? additionalProperties === false
        ? 'Record<string, never>'
        : 'Readonly<Record<string, unknown>>'
      : known;
  const keys = propertyNames === undefined ? 'string' : typeOf(propertyNames, `${place}/names`, indent);
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  const record = `Record<${keys}, ${typeOf(values, `${place}/values`, indent)}>`;
  // Of a closed set of names there may be some.
  const whole = `Readonly<${keys === 'string' ? record : `Partial<${record}>`}>`;
  return known === '' ? whole : `${known} & ${whole}`;
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');
/** In brackets where it is several types, or a list, at its outermost. */
function bracketed(type: string): string {
  let outermost = type.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  for (let before = ''; before !== outermost; ) {
    before = outermost;
    outermost = before.replaceAll(/\{[^{}]*\}|<[^<>]*>|\([^()]*\)/g, '');
  }
  return /[|&]|^readonly /.test(outermost) ? `(${type})` : type;
}
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

function comment(text: string | undefined, indent: string): string {
  return text === undefined || text === ''
    ? ''
    : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n`;
}
