/** Limits in the management API; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, isoOf, json, narrowing, narrowScope } from '../common/index.ts';
import { entryOf, type TableName } from '../database/index.ts';
import { type OwnedTable, WAREHOUSE_TABLES } from '../warehouse/index.ts';
import { type Counts, type Deletion, total } from './deletion/deletions.ts';
import type { Deletions } from './index.ts';
import { type QuotaRoutesDeps, quotaRoutes } from './quota/routes.ts';
import { type RetentionRoutesDeps, retentionRoutes } from './retention/routes.ts';
import { type TakeoutRoutesDeps, takeoutRoutes } from './takeout/routes.ts';

export interface LimitsRoutesDeps extends RetentionRoutesDeps, TakeoutRoutesDeps, QuotaRoutesDeps {
  readonly deletions: Pick<Deletions, 'list'>;
}

const time = z.iso.datetime().nullable();
const countSchema = z.object({
  table: z.string(),
  holds: z.string().openapi({ description: 'What the rows are' }),
  rows: z.number().int(),
});
const deletionSchema = z
  .object({
    id: z.string(),
    organization_id: z.uuid(),
    property_id: z.uuid().nullable().openapi({ description: 'null: the organization itself' }),
    name: z.string().openapi({ description: 'Its name before the deletion' }),
    asked_by: z.string(),
    asked_at: z.iso.datetime(),
    state: z.enum(['waiting', 'deleting', 'done']).openapi({
      description: 'done: every table of both stores was counted, and nothing is left',
    }),
    finished_at: time,
    counted_at: time.openapi({ description: 'When the rows that are left were counted last' }),
    deleted_rows: z.number().int().openapi({ description: 'Rows found, minus rows left' }),
    deleted: z.array(countSchema).openapi({ description: 'What was found, most rows first' }),
    left_rows: z.number().int(),
    left: z.array(countSchema),
    error: z.string().nullable().openapi({ description: 'Why the last attempt failed' }),
  })
  .openapi('Deletion');

export function limitsRoutes({ deletions, takeouts, quotas, ...retention }: LimitsRoutesDeps): Api {
  const api = createApi();
  api.openapi(
    createRoute({
      'x-need': 'admin',
      method: 'get',
      path: '/deletions',
      tags: ['limits'],
      summary: 'Deleted properties and organizations, with what was deleted and what is left; newest first',
      request: { query: narrowing },
      responses: { 200: json(z.object({ items: z.array(deletionSchema) })) },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json({ items: (await deletions.list(scope)).map(deletionView) }, 200);
    },
  );
  api.route('/', retentionRoutes(retention));
  api.route('/', takeoutRoutes({ takeouts }));
  api.route('/', quotaRoutes({ properties: retention.properties, quotas }));
  return api;
}

function deletionView(deletion: Deletion): z.input<typeof deletionSchema> {
  const { found, rest } = deletion;
  return {
    id: deletion.id,
    organization_id: deletion.organizationId,
    property_id: deletion.attributionId,
    name: deletion.name,
    asked_by: deletion.askedBy,
    asked_at: new Date(deletion.askedAt).toISOString(),
    state: deletion.state,
    finished_at: isoOf(deletion.finishedAt),
    counted_at: isoOf(deletion.countedAt),
    deleted_rows: Math.max(0, total(found) - total(rest)),
    deleted: countsView(found),
    left_rows: total(rest),
    left: countsView(rest),
    error: deletion.error,
  };
}

const countsView = (counts: Counts) =>
  Object.entries(counts)
    .filter(([, rows]) => rows > 0)
    .map(([table, rows]) => ({ table, holds: holdsOf(table), rows }))
    .toSorted((a, b) => b.rows - a.rows || a.table.localeCompare(b.table));

const holdsOf = (table: string): string =>
  table in WAREHOUSE_TABLES
    ? WAREHOUSE_TABLES[table as OwnedTable].holds
    : // A table of a version before: its name is all that is known.
      (entryOf(table as TableName)?.holds ?? table);
