/** Members of the caller's organization, and invitations to it; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, json, narrowing, narrowScope, problemResponse } from '../common/index.ts';
import type { Accounts } from './accounts.ts';
import type { Link } from './links.ts';
import type { MemberView } from './reading-members.ts';
import {
  accessSchema,
  accessView,
  chosenOf,
  chosenSchema,
  emailSchema,
  isoTime,
  roleSchema,
} from './views.ts';

const memberSchema = z
  .object({
    person_id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: roleSchema,
    properties: accessSchema,
    totp: z.boolean(),
    by_groups: z.boolean().openapi({
      description: 'The groups of the company’s provider set role and properties at each sign-in',
    }),
    joined_at: z.iso.datetime(),
  })
  .openapi('Member');
const invitationSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role: roleSchema,
    properties: accessSchema,
    invited_by: z.string(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .openapi('Invitation');
const newInvitationSchema = z
  .object({ email: emailSchema, role: roleSchema, properties: chosenSchema.default(null) })
  .openapi('NewInvitation');
const invitedSchema = invitationSchema.extend({
  mailed: z.boolean(),
  link: z
    .string()
    .nullable()
    .openapi({ description: 'The link to copy, if it was not mailed; shown only once' }),
});
const memberParam = z.object({
  person_id: z
    .guid('Enter the id of a member, a UUID.')
    .openapi({ param: { name: 'person_id', in: 'path' } }),
});
const invitationParam = z.object({
  invitation_id: z.guid('Enter the id of an invitation, a UUID.').openapi({
    param: { name: 'invitation_id', in: 'path' },
  }),
});
const tags = ['organization'];
const OWNER = { tags, 'x-need': 'owner' };

export function memberRoutes({ accounts: { organizations, joining } }: { accounts: Accounts }): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: '/organization/members',
      tags,
      summary: 'Members (at most 500); with access to chosen properties, those who see one of them',
      request: { query: narrowing },
      responses: { 200: json(z.object({ items: z.array(memberSchema) })) },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json({ items: (await organizations.members(scope)).map(memberView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'patch',
      path: '/organization/members/{person_id}',
      summary: 'Change a member’s role, or the properties that they see; applies at once',
      request: {
        params: memberParam,
        query: narrowing,
        body: body(z.object({ role: roleSchema.optional(), properties: chosenSchema.optional() })),
      },
      responses: {
        200: json(memberSchema),
        404: problemResponse('No such member'),
        409: problemResponse('The last owner'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const id = c.req.valid('param').person_id.toLowerCase();
      const { role, properties } = c.req.valid('json');
      const chosen = properties === undefined ? undefined : chosenOf(properties);
      await organizations.change(narrowed, actor, id, { role, chosen });
      const member = (await organizations.members(narrowed)).find(({ personId }) => personId === id);
      if (member === undefined) throw new Error('A member who was just changed is not there.');
      return c.json(memberView(member), 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'delete',
      path: '/organization/members/{person_id}',
      summary:
        'Remove a member: their sessions here end, the tokens that they made, and an owner’s open invitations',
      request: { params: memberParam, query: narrowing },
      responses: {
        204: { description: 'Removed' },
        404: problemResponse('No such member'),
        409: problemResponse('The last owner'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      await organizations.remove(narrowed, actor, c.req.valid('param').person_id.toLowerCase());
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'get',
      path: '/organization/invitations',
      summary: 'Open invitations (at most 100)',
      request: { query: narrowing },
      responses: { 200: json(z.object({ items: z.array(invitationSchema) })) },
    }),
    async (c) => {
      const scope = narrowScope(c.get('caller').scope, c.req.valid('query').organization);
      return c.json({ items: (await joining.invitations(scope)).map(invitationView) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'post',
      path: '/organization/invitations',
      summary: 'Invite a person, for 7 days; another invitation of the same address replaces this one',
      request: { query: narrowing, body: body(newInvitationSchema) },
      responses: {
        201: json(invitedSchema, 'Invited'),
        409: problemResponse('Already a member, or too many open invitations'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      const { email, role, properties } = c.req.valid('json');
      const { link, url } = await joining.invite(narrowed, actor, {
        email,
        role,
        chosen: chosenOf(properties),
      });
      return c.json({ ...invitationView(link), mailed: url === null, link: url }, 201);
    },
  );

  api.openapi(
    createRoute({
      ...OWNER,
      method: 'delete',
      path: '/organization/invitations/{invitation_id}',
      summary: 'Withdraw an invitation; its link stops working',
      request: { params: invitationParam, query: narrowing },
      responses: { 204: { description: 'Withdrawn' }, 404: problemResponse('No such open invitation') },
    }),
    async (c) => {
      const { scope, actor } = c.get('caller');
      const narrowed = narrowScope(scope, c.req.valid('query').organization);
      await joining.withdraw(narrowed, actor, c.req.valid('param').invitation_id.toLowerCase());
      return c.body(null, 204);
    },
  );

  return api;
}

function memberView({ personId, name, email, role, access, secondFactor, byGroups, joinedAt }: MemberView) {
  return {
    ...{ person_id: personId, name, email, role, totp: secondFactor, joined_at: isoTime(joinedAt) },
    by_groups: byGroups,
    properties: accessView(access),
  };
}

function invitationView({ id, email, role, access, createdBy, createdAt, expiresAt }: Link) {
  return {
    id,
    email: email ?? '',
    role: role ?? ('viewer' as const),
    properties: accessView(access),
    invited_by: createdBy,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  };
}
