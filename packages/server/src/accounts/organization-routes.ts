/** The caller's organization, and all of them; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  DEFAULT_ORGANIZATION_ID,
  json,
  nameSchema,
  narrowing,
  narrowScope,
  problemResponse,
} from '../common/index.ts';
import type { Accounts } from './accounts.ts';
import { organizationSchema, organizationView } from './views.ts';

const ownSchema = organizationSchema.extend({
  members: z.number().int(),
  runs_installation: z.boolean().openapi({
    description: 'The first organization: its people run the installation, and it can’t be deleted',
  }),
});
const tags = ['organization'];
const OWNER = { tags, 'x-need': 'owner' } as const;
const ROOT = { tags, 'x-need': 'root' } as const;

export function organizationRoutes({ accounts }: { accounts: Accounts }): Api {
  const api = createApi();
  const { organizations, own } = accounts;

  api.openapi(
    createRoute({
      method: 'get',
      path: '/organization',
      tags,
      summary: 'The current organization',
      request: { query: narrowing },
      responses: { 200: json(ownSchema) },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      const [organization, members] = await Promise.all([
        organizations.get(scope),
        organizations.members(scope),
      ]);
      const runs = organization.id === DEFAULT_ORGANIZATION_ID;
      return c.json(
        { ...organizationView(organization), members: members.length, runs_installation: runs },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'patch',
      path: '/organization',
      summary: 'Rename the organization',
      request: { query: narrowing, body: body(z.object({ name: nameSchema })) },
      responses: { 200: json(organizationSchema), 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      return c.json(
        organizationView(await organizations.rename(narrowed, actor, c.req.valid('json').name)),
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'delete',
      path: '/organization',
      summary: 'Delete the organization with everything in it; it can’t be undone',
      description:
        'Its members are signed out, and its keys and tokens stop working at once. Everything else is deleted in the background. Accounts of people who belong to no other organization are deleted too.',
      request: {
        query: narrowing.extend({
          confirm: z.string().max(200).openapi({ description: 'The name of the organization' }),
        }),
      },
      responses: {
        204: { description: 'Deleted' },
        404: problemResponse('No such organization'),
        409: problemResponse('The first organization of the installation'),
        422: problemResponse('Not its name'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const { organization, confirm } = c.req.valid('query');
      await organizations.delete(narrowScope(scope, organization), actor, confirm);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/organizations',
      tags,
      summary: 'Your organizations; all of them for the admin token (at most 1,000)',
      responses: { 200: json(z.object({ items: z.array(organizationSchema) })) },
    }),
    async (c) => {
      const caller = c.get('caller');
      const all =
        caller.kind === 'person'
          ? (await own.view(caller)).organizations
          : await organizations.list(caller.scope);
      return c.json({ items: all.map(organizationView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...ROOT,
      method: 'post',
      path: '/organizations',
      summary: 'Create an organization; invite its first owner afterwards',
      request: { body: body(z.object({ name: nameSchema })) },
      responses: { 201: json(organizationSchema, 'Made'), 403: problemResponse('Not the admin token') },
    }),
    async (c) => {
      const { actor } = c.get('caller');
      return c.json(organizationView(await organizations.create(actor, c.req.valid('json').name)), 201);
    },
  );

  return api;
}
