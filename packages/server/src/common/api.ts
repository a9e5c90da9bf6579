/** How a room declares management API routes: zod schemas, from which requests are checked and OpenAPI is drawn. */
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { type FieldError, ServiceError } from './errors.ts';
import { fieldErrors } from './field-errors.ts';
import { refuseNulIn } from './nul.ts';
import type { Caller } from './scope.ts';

export interface ApiEnv {
  Variables: { caller: Caller };
}

export type Api = OpenAPIHono<ApiEnv>;

/** An empty sub-application. Bodies, parameters and queries that a schema refuses, or in which NUL stands, become a 422 that names every place. */
export function createApi(): Api {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      const where = PLACES[result.target] ?? result.target;
      if (result.success) {
        refuseNulIn(result.data, `The ${where}`);
        return;
      }
      // The validated input comes with the error, whatever the type says.
      const value: unknown = 'data' in result ? result.data : undefined;
      const errors = fieldErrors(result.error.issues, { value, isAddress: result.target !== 'json' });
      throw new ServiceError('invalid', detailOf(where, errors), { errors });
    },
  });
}

/** What is validated → as sentences call it. */
const PLACES: Readonly<Record<string, string>> = { json: 'body', param: 'path' };

function detailOf(where: string, errors: readonly FieldError[]): string {
  const [first] = errors;
  if (first === undefined || errors.length > 1) return `The ${where} has ${errors.length} errors.`;
  const place = first.pointer === '' ? '' : ` at ${first.pointer.slice(1)}`;
  return `The ${where} has an error${place}: ${first.message.charAt(0).toLowerCase()}${first.message.slice(1)}`;
}

/** RFC 9457, one shape for every endpoint. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
    request_id: z
      .string()
      .optional()
      .openapi({ description: 'The answer’s `X-Request-Id`; the log has it too' }),
  })
  .openapi('Problem');

/** An OpenAPI response entry for a problem document. */
export function problemResponse(description: string) {
  return { description, content: { 'application/problem+json': { schema: problemSchema } } } as const;
}
