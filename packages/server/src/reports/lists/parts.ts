/** What the routes of all lists have in common. */
import { z } from '@hono/zod-openapi';
import { type Api, problemResponse } from '../../shared/index.ts';
import type { Asking } from '../asking.ts';
import { envelopeSchema } from '../context.ts';
import { listShape, pageShape } from '../listing.ts';
import type { Reports } from '../reports.ts';

/** Adds the route of one list. */
export type AddList = (api: Api, asking: Asking, reports: Reports) => void;

export const PATH = '/properties/{id}/reports';
export const tags = ['reports'];

/** An answer as JSON, or the whole list as a file. */
export const responses = <T extends z.ZodType, S extends z.ZodRawShape>(
  items: T,
  around: S,
  name: string,
) => ({
  200: {
    description: 'OK',
    content: {
      'application/json': {
        schema: envelopeSchema.extend({ ...pageShape, items: z.array(items), ...around }).openapi(name),
      },
      'text/csv': { schema: z.string() },
      'application/x-ndjson': { schema: z.string() },
    },
  },
  404: problemResponse('No such property'),
  422: problemResponse('Not accepted'),
  503: problemResponse('The warehouse is away or busy'),
});

export const sorted = <const T extends readonly [string, ...string[]]>(sorts: T) => ({
  sort: z.enum(sorts).default(sorts[0]),
  ...listShape,
});
