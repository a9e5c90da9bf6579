/** The ingest endpoints in the OpenAPI document. They are served before the application, so no route describes them: the register of sources does. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { problemResponse } from '../common/index.ts';
import { type LogSource, pathOf, SOURCES } from '../sources/index.ts';

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
  204: { description: 'Every element was kept on disk, or dropped because it is not AI traffic' },
  400: problemResponse('The body can’t be read'),
  401: problemResponse('No valid key'),
  408: problemResponse('The body stopped arriving, or arrives too slowly'),
  413: problemResponse('Over a limit'),
  415: problemResponse('Content-Encoding is none of gzip, deflate, zstd, identity'),
  503: problemResponse('Nothing was stored; send it again later'),
};

export function describeIngest(registry: OpenAPIHono['openAPIRegistry']): void {
  for (const source of SOURCES) describe(source, registry);
}

function describe({ about, auth, document }: LogSource, registry: OpenAPIHono['openAPIRegistry']): void {
  // Where there is a choice, no place has to hold it.
  const schema = auth.length === 1 ? key : key.optional();
  const keysIn = (inQuery: boolean) =>
    Object.fromEntries(
      auth.filter(({ place }) => (place === 'query') === inQuery).map(({ name }) => [name, schema]),
    );
  const query = { ...keysIn(true), ...document.query };
  const problems = Object.entries(document.problems).map(([status, text]) => [status, problemResponse(text)]);
  registry.registerPath({
    method: 'post',
    path: pathOf(about.name),
    tags: ['ingest'],
    security: [],
    summary: document.summary,
    request: {
      headers: z.object(keysIn(false)),
      ...(Object.keys(query).length === 0 ? {} : { query: z.object(query) }),
      body: { content: { [document.contentType]: { schema: document.body } } },
    },
    responses: { ...answers, ...Object.fromEntries(problems) },
  });
}
