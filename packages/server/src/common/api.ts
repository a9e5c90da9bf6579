/** How a room declares management API routes: zod schemas, from which requests are checked and OpenAPI is drawn. */
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { type FieldError, ServiceError } from './errors.ts';
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
      const where = result.target === 'json' ? 'body' : result.target;
      if (result.success) refuseNulIn(result.data, `The ${where}`);
      else {
        const { length } = result.error.issues;
        const errors = result.error.issues.map(toFieldError);
        const detail = `The ${where} has ${length === 1 ? 'an error' : `${length} errors`}.`;
        throw new ServiceError('invalid', detail, { errors });
      }
    },
  });
}

function toFieldError(issue: z.core.$ZodIssue): FieldError {
  const pointer = issue.path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return { pointer, message: issue.message };
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
