/** The audit log of the caller's organization; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  createApi,
  json,
  narrowing,
  narrowScope,
  pageOf,
  pageQuery,
  problemResponse,
} from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { readAudit } from './audit.ts';
import { isoTime } from './views.ts';

const time = z.iso.datetime({ offset: true, error: 'Enter a time such as 2027-01-31T00:00:00Z.' });
const querySchema = narrowing.extend({
  ...pageQuery.shape,
  actor: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: 'One, such as `person:<id>`; or all of a kind: `root`, `person`, `token`' }),
  action: z
    .string()
    .regex(/^[a-z_.]{1,60}$/, 'Enter an action or the beginning of one, such as api_token.')
    .optional(),
  from: time.optional(),
  to: time.optional(),
});
const shown = z.union([z.string(), z.number(), z.boolean()]).nullable();
const entrySchema = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.string(),
    actor_name: z.string().nullable(),
    action: z.string(),
    subject: z.string(),
    subject_name: z.string().nullable().openapi({
      description:
        'Name of a custom bot; of a destination, alert channel, webhook key or share link that still exists',
    }),
    request_id: z.string().nullable().openapi({
      description:
        'The `X-Request-Id` of the request that made the change, by which the log is searched; null: no request did',
    }),
    changes: z.array(z.object({ what: z.string(), before: shown, after: shown })).openapi({
      description: 'Values before and after, at most 40; none of secrets, and none of older rows',
    }),
  })
  .openapi('AuditEntry');

export function auditRoutes({ database }: { database: Database }): Api {
  const api = createApi();
  api.openapi(
    createRoute({
      'x-need': 'admin',
      method: 'get',
      path: '/organization/audit',
      tags: ['organization'],
      summary: 'The audit log, newest first; the admin token also sees changes of the installation',
      request: { query: querySchema },
      responses: {
        200: json(pageOf(entrySchema)),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { organization, limit, after, actor, action, from, to } = c.req.valid('query');
      const scope = narrowScope(c.get('caller').scope, organization);
      const epoch = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
      const page = await readAudit(database, scope, {
        limit,
        after,
        actor,
        action,
        from: epoch(from),
        to: epoch(to),
      });
      const items = page.items.map((entry) => ({
        id: entry.id,
        at: isoTime(entry.at),
        actor: entry.actor,
        actor_name: entry.actorName,
        action: entry.action,
        subject: entry.subject,
        subject_name: entry.subjectName,
        request_id: entry.requestId,
        changes: [...entry.changes],
      }));
      return c.json({ items, next: page.next }, 200);
    },
  );
  return api;
}
