/** The ingest endpoints in the OpenAPI document. They are served before the application, so no route describes them. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { problemResponse } from '../shared/index.ts';

const elementError = z.object({
  index: z.number().int(),
  field: z.string().nullable(),
  reason: z.string(),
  message: z.string(),
});

const report = z
  .object({
    kept: z.number().int(),
    dropped: z.number().int(),
    duplicate: z.number().int(),
    rejected: z.number().int(),
    errors: z.array(elementError).max(20),
  })
  .openapi('IngestReport');

const key = z.string().openapi({ description: 'The bare ingest key', example: 'svc_cf_…' });
const answers = {
  200: {
    description: 'Some elements were rejected; the others are on disk',
    content: { 'application/json': { schema: report } },
  },
  204: { description: 'Every element was kept on disk or, being no AI traffic, dropped' },
  400: problemResponse('The body can’t be read'),
  401: problemResponse('No valid key'),
  408: problemResponse('The body stopped arriving, or arrives too slowly'),
  413: problemResponse('Over a limit'),
  415: problemResponse('Content-Encoding is none of gzip, deflate, zstd, identity'),
  503: problemResponse('Nothing was stored; send it again later'),
};

export function describeIngest(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/v1/logs/edge_worker',
    tags: ['ingest'],
    security: [],
    summary: 'Hits of an edge collector: one log object, or an array of them, at most 1 MiB',
    request: {
      headers: z.object({ 'X-API-Key': key }),
      body: { content: { 'application/json': { schema: z.array(z.object({}).loose()) } } },
    },
    responses: { ...answers, 422: problemResponse('Every element was rejected') },
  });
  registry.registerPath({
    method: 'post',
    path: '/v1/logs/edge_logpush',
    tags: ['ingest'],
    security: [],
    summary:
      'Lines of an edge log push: one JSON object a line, an array, or objects one behind the other; at most 1 GiB',
    request: {
      headers: z.object({ 'X-API-Key': key.optional() }),
      query: z.object({
        'header_X-API-Key': key.optional(),
        attribution_id: z.uuid().optional(),
        tags: z.string().optional().openapi({ example: 'attribution_id=<uuid>' }),
      }),
      body: { content: { 'application/x-ndjson': { schema: z.object({}).loose() } } },
    },
    responses: answers,
  });
}
