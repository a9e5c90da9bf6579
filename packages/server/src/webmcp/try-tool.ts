/** What a tool's schema says to given arguments, as an agent's runtime would. */

import { isObject } from '@ghostlight/core';
import { ServiceError } from '../common/index.ts';
import type { Property } from '../properties/index.ts';
import { createAjv } from './compiler.ts';
import { token } from './problem.ts';
import type { SchemaCheck } from './schema-check.ts';
import type { SchemaObject } from './schema-walk.ts';
import { checkDeclaration } from './tools.ts';
import { TookTooLong, type Watchdog } from './watchdog.ts';

const VALIDATE_MS = 200;
const MAX_ERRORS = 50;

export interface TryError {
  /** Into the arguments. */
  readonly pointer: string;
  readonly message: string;
}

export interface TryAnswer {
  readonly valid: boolean;
  readonly errors: readonly TryError[];
}

/** @throws ServiceError `invalid` when the schema itself is wrong, with pointers below `/tool` */
export async function tryTool(
  tool: SchemaObject,
  args: unknown,
  property: Pick<Property, 'id' | 'domain'>,
  { checkSchema, watchdog }: { checkSchema: SchemaCheck; watchdog: Watchdog },
): Promise<TryAnswer> {
  const inputSchema = await soundSchema(tool, property, checkSchema);
  const validate = createAjv(() => undefined).compile(inputSchema);
  try {
    if (watchdog(() => validate(args), VALIDATE_MS)) return { valid: true, errors: [] };
  } catch (thrown) {
    if (!(thrown instanceof TookTooLong || thrown instanceof RangeError)) throw thrown;
    return { valid: false, errors: [{ pointer: '', message: 'These arguments take too long to check.' }] };
  }
  const errors = (validate.errors ?? []).slice(0, MAX_ERRORS).map(({ instancePath, params, message }) => {
    const { missingProperty, additionalProperty } = params as Record<string, unknown>;
    const member = missingProperty ?? additionalProperty;
    return {
      pointer: typeof member === 'string' ? instancePath + token(member) : instancePath,
      message: sentence(message ?? 'is not accepted'),
    };
  });
  return { valid: false, errors };
}

/** Only the schema counts here: a tool may be tried before it has a name and a page. */
async function soundSchema(
  tool: SchemaObject,
  property: Pick<Property, 'id' | 'domain'>,
  checkSchema: SchemaCheck,
): Promise<SchemaObject> {
  const { inputSchema } = tool;
  const page = `https://${property.domain}/`;
  const alone = {
    hosts: [property.domain],
    tools: [{ name: 'tool', description: 'tool', page, inputSchema }],
  };
  const { problems, tools } = await checkDeclaration(alone, property, 0, checkSchema);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [checked] = tools;
  const schema = isObject(checked) ? checked['inputSchema'] : undefined;
  if (errors.length === 0 && isObject(schema)) return schema;
  throw new ServiceError('invalid', 'The tool’s schema has to be fixed first.', {
    errors: errors.map(({ pointer, message }) => ({
      pointer: pointer.replace('/tools/0', '/tool'),
      message,
    })),
  });
}

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/\.?$/, '.');
