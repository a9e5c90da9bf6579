/** Stored hits and browser events as files. */
import { DAY_MS } from '@ghostlight/core/time';
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  type Clock,
  createFileAnswers,
  type FileFormat,
  fileContent,
  fileLines,
  idParam,
  problemResponse,
} from '../common/index.ts';
import type { Properties, Property } from '../properties/index.ts';
import { exportEvents, exportHits, type Warehouse } from '../warehouse/index.ts';
import { eventItem, exportItem } from './item.ts';
import { classes, instant, scopeOf } from './parameters.ts';

export const EXPORT_FIELDS = [
  ...['id', 'at', 'received_at', 'class', 'bot_name', 'vendor', 'intent', 'verified', 'verified_by'],
  ...['verdict_reason', 'ranges_as_of'],
  ...[
    'method',
    'host',
    'path',
    'status',
    'country',
    'user_agent',
    'referrer_engine',
    'source',
    'event_name',
    'sdk_bot',
  ],
  ...[
    'query_params',
    'referrer',
    'asn',
    'bytes',
    'weight',
    'sample_rate',
    'worker_version',
    'ray_id',
    'waf_action',
  ],
] as const;

export const EVENT_FIELDS = [
  ...['id', 'at', 'received_at', 'event_name', 'sdk_bot', 'bot_name', 'vendor', 'intent', 'host', 'path'],
  ...['referrer', 'user_agent', 'language', 'timezone', 'value', 'currency', 'lib', 'lib_version'],
  'query_params',
] as const;

const periodQuery = z.object({
  from: instant.openapi({ description: 'Default: everything that is kept' }),
  to: instant.openapi({ description: 'Not included' }),
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
});

export interface ExportDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly warehouse: Warehouse;
  readonly clock: Clock;
  /** Exports at a time, over all callers; default 4. */
  readonly maxExports?: number;
}

const routeOf = <Query extends z.ZodObject>(name: 'hits' | 'events', summary: string, query: Query) =>
  createRoute({
    method: 'get',
    path: `/properties/{id}/${name}`,
    tags: ['live'],
    summary,
    request: { params: idParam, query },
    responses: {
      200: { description: 'OK', content: fileContent },
      404: problemResponse('No such property'),
      503: problemResponse('Too many exports'),
    },
  });

const hits = routeOf(
  'hits',
  'Stored hits, streamed, by the visit’s time',
  periodQuery.extend({ class: classes }),
);
const events = routeOf(
  'events',
  'Stored browser events, streamed, by the event’s time; without anything that names or follows a person',
  periodQuery,
);

export function addExports(api: Api, { properties, warehouse, clock, maxExports = 4 }: ExportDeps): void {
  const answerFile = createFileAnswers({ maxFiles: maxExports });
  // A visit's time may be up to a day ahead of the service's clock.
  const rangeOf = ({ from = 0, to = clock() + 2 * DAY_MS }: z.infer<typeof periodQuery>) => ({ from, to });
  const answered = <Row extends object>(
    request: Request,
    { id, timeZone }: Property,
    { name, format }: { name: string; format: FileFormat },
    read: (signal: AbortSignal) => AsyncIterable<readonly Row[]>,
    columns: readonly string[],
    item: (row: Row) => object,
  ) =>
    answerFile({
      ...{ request, name: `${name}-${id}`, format, timeZone },
      pieces: (signal) =>
        fileLines(
          read(signal),
          {
            columns,
            item,
            cells(row) {
              const members = item(row) as Readonly<Record<string, unknown>>;
              return columns.map((column) => members[column]);
            },
          },
          format,
        ),
    });

  api.openapi(hits, async (c) => {
    const property = await properties.get(c.get('caller').scope, c.req.valid('param').id);
    const { class: wanted, ...query } = c.req.valid('query');
    const range = { ...rangeOf(query), ...(wanted === undefined ? {} : { classes: wanted }) };
    return (await answered(
      c.req.raw,
      property,
      { name: 'hits', format: query.format },
      (signal) => exportHits(warehouse, scopeOf(property), range, signal),
      EXPORT_FIELDS,
      exportItem,
    )) as never;
  });
  api.openapi(events, async (c) => {
    const property = await properties.get(c.get('caller').scope, c.req.valid('param').id);
    const query = c.req.valid('query');
    return (await answered(
      c.req.raw,
      property,
      { name: 'events', format: query.format },
      (signal) => exportEvents(warehouse, scopeOf(property), rangeOf(query), signal),
      EVENT_FIELDS,
      eventItem,
    )) as never;
  });
}
