/** How long a property keeps its data, in the management API. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  idParam,
  json,
  keptDays,
  narrowing,
  narrowScope,
  problemResponse,
  RETENTION_CLASSES,
  type RetentionClass,
  type RetentionRules,
} from '../../common/index.ts';
import type { Properties, Property } from '../../properties/index.ts';
import type { Retention } from './retention.ts';

export interface RetentionRoutesDeps {
  readonly properties: Pick<Properties, 'get'>;
  readonly retention: Retention;
}

const HOLDS: Readonly<Record<RetentionClass, string>> = {
  ai_visits: 'visits of AI bots and search crawlers, one by one',
  referrals: 'visits that AI products referred, one by one',
  samples: 'samples of other visits, and counts of other requests',
  events: 'browser events',
  visitors: 'visitors, sessions and touches',
  conversions: 'conversions with their personal data',
  deliveries: 'deliveries to ad platforms',
  daily: 'daily figures',
};

const nameSchema = z.enum(RETENTION_CLASSES);
const days = z.number('Enter a number of days, or null.').int('Enter whole days.').nullable().optional();
/** Strict: all rules are replaced, so that a name that is dropped would take the rule away that stood. */
const rulesSchema = z
  .strictObject(
    Object.fromEntries(RETENTION_CLASSES.map((name) => [name, days])) as Record<RetentionClass, typeof days>,
  )
  .openapi('RetentionRules', {
    description: 'Days by class of data; null or absent: as the installation says. All rules are replaced',
  });
const retentionSchema = z
  .object({
    items: z.array(
      z.object({
        class: nameSchema,
        holds: z.string().openapi({ description: 'What the rows are' }),
        days: z.number().int().openapi({ description: 'How long it is kept' }),
        own: z
          .boolean()
          .openapi({ description: 'true: set for this property; false: the installation’s default' }),
        default: z.number().int(),
        least: z.number().int(),
        most: z.number().int().openapi({ description: 'What the installation allows' }),
        deleted_rows: z.number().int().openapi({ description: 'By the property’s own retention, in all' }),
        left_rows: z.number().int().openapi({ description: 'Rows that the last count still found' }),
        deleted_at: z.iso.datetime().nullable(),
      }),
    ),
  })
  .openapi('Retention');
const previewSchema = z
  .object({
    items: z.array(
      z.object({
        class: nameSchema,
        holds: z.string(),
        days: z.number().int(),
        rows: z.number().int().openapi({ description: 'Rows that would be deleted' }),
        oldest_day: z.iso.date().nullable(),
        kept_from: z.iso.date().openapi({ description: 'The first day that would be kept' }),
        deleted_by: z.iso.datetime().openapi({ description: 'If the stores are up' }),
      }),
    ),
  })
  .openapi('RetentionPreview');
const tags = ['limits'];
const absent = problemResponse('No such property');

export function retentionRoutes({ properties, retention }: RetentionRoutesDeps): Api {
  const api = createApi();
  const view = async (property: Property): Promise<z.input<typeof retentionSchema>> => {
    const runs = new Map((await retention.runs(property)).map((run) => [run.class, run]));
    const rules = property.retention ?? {};
    return {
      items: RETENTION_CLASSES.map((name) => {
        const run = runs.get(name);
        const limits = retention.limits[name];
        return {
          ...{ class: name, holds: HOLDS[name], days: keptDays(retention.limits, rules, name) },
          ...{ own: rules[name] !== undefined, default: limits.days, least: limits.least, most: limits.most },
          deleted_rows: Number(run?.total ?? 0),
          left_rows: Number(run?.rest ?? 0),
          deleted_at: run === undefined ? null : new Date(run.at).toISOString(),
        };
      }),
    };
  };
  const rulesOf = (given: z.infer<typeof rulesSchema>): RetentionRules =>
    Object.fromEntries(
      RETENTION_CLASSES.flatMap((name) => (given[name] == null ? [] : [[name, given[name]]])),
    );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/properties/{id}/retention',
      tags,
      summary: 'How long the property keeps each class of data',
      request: { params: idParam, query: narrowing },
      responses: { 200: json(retentionSchema), 404: absent },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json(await view(await properties.get(scope, c.req.valid('param').id)), 200);
    },
  );

  api.openapi(
    createRoute({
      // It deletes data, which an editor of the property must not.
      'x-need': 'admin_of_all',
      method: 'put',
      path: '/properties/{id}/retention',
      tags,
      summary: 'Change how long the property keeps its data; what is older is deleted within two hours',
      request: { params: idParam, query: narrowing, body: body(rulesSchema) },
      responses: { 200: json(retentionSchema, 'Changed'), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { scope: all, actor } = c.get('caller');
      const scope = narrowScope(all, c.req.valid('query').organization);
      const property = await properties.get(scope, c.req.valid('param').id);
      return c.json(
        await view(await retention.set(scope, actor, property, rulesOf(c.req.valid('json')))),
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/properties/{id}/retention/preview',
      tags,
      summary: 'What other rules would delete, and by when; changes nothing',
      request: { params: idParam, query: narrowing, body: body(rulesSchema) },
      responses: { 200: json(previewSchema), 404: absent, 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      const property = await properties.get(scope, c.req.valid('param').id);
      const items = await retention.preview(property, rulesOf(c.req.valid('json')));
      return c.json(
        {
          items: items.map((item) => ({
            ...{ class: item.name, holds: HOLDS[item.name], days: item.days, rows: item.rows },
            ...{ oldest_day: item.oldestDay, kept_from: item.keptFrom },
            deleted_by: new Date(item.deletedBy).toISOString(),
          })),
        },
        200,
      );
    },
  );
  return api;
}
