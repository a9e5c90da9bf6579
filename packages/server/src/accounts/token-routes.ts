/** API tokens of the caller's organization; mounted at `/api/v1`. A token can't make or end tokens: one that leaks must not outlive its revocation. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  type Caller,
  createApi,
  isoOf,
  json,
  nameSchema,
  narrowing,
  narrowScope,
  networkSchema,
  problemResponse,
} from '../common/index.ts';
import type { Accounts } from './accounts.ts';
import type { TokenView } from './tokens.ts';
import { isoTime } from './views.ts';

const roleSchema = z.enum(['admin', 'viewer'], 'Choose a role: admin or viewer.');
const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().openapi({ description: 'The first 12 characters' }),
    role: roleSchema,
    attribution_id: z
      .uuid()
      .nullable()
      .openapi({ description: 'The only property it gives access to; null: all' }),
    created_by: z.string(),
    created_by_name: z.string().nullable(),
    mine: z.boolean(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    last_used_from: networkSchema,
    revoked_at: z.iso.datetime().nullable(),
  })
  .openapi('ApiToken');
const newSchema = z
  .object({
    name: nameSchema,
    role: roleSchema,
    attribution_id: z.guid('Enter the ID of a property, a UUID.').nullish(),
    expires_at: z.iso
      .datetime({ offset: true, error: 'Enter a time such as 2027-01-31T00:00:00Z.' })
      .nullish(),
  })
  .openapi('NewApiToken');
const issuedSchema = tokenSchema.extend({
  token: z.string().openapi({ description: 'The token; it is never shown again' }),
});
const tokenParam = z.object({
  token_id: z.guid('Enter the id of a token, a UUID.').openapi({ param: { name: 'token_id', in: 'path' } }),
});
const IN_PERSON = { tags: ['API tokens'], 'x-need': 'admin_in_person' };

export function tokenRoutes({ accounts: { tokens } }: { accounts: Pick<Accounts, 'tokens'> }): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      ...IN_PERSON,
      method: 'get',
      path: '/organization/tokens',
      summary:
        'API tokens, newest first, ended ones included (at most 1,000): all of them for owners, else your own',
      request: { query: narrowing },
      responses: { 200: json(z.object({ items: z.array(tokenSchema) })) },
    }),
    async (c) => {
      const caller = c.get('caller');
      const scope = narrowScope(caller.scope, c.req.valid('query').organization);
      return c.json({ items: (await tokens.list(caller, scope)).map((token) => view(caller, token)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...IN_PERSON,
      method: 'post',
      path: '/organization/tokens',
      summary: 'Issue an API token; only this answer contains it. It can do no more than you can',
      request: { query: narrowing, body: body(newSchema) },
      responses: {
        201: json(issuedSchema, 'Issued'),
        409: problemResponse('Too many'),
        422: problemResponse('Not accepted'),
      },
    }),
    async (c) => {
      const caller = c.get('caller');
      const scope = narrowScope(caller.scope, c.req.valid('query').organization);
      const { name, role, attribution_id: attributionId, expires_at: expires } = c.req.valid('json');
      const expiresAt = typeof expires === 'string' ? Date.parse(expires) : null;
      const issued = await tokens.issue(caller, scope, { name, role, attributionId, expiresAt });
      return c.json({ ...view(caller, issued.view), token: issued.token }, 201);
    },
  );

  api.openapi(
    createRoute({
      ...IN_PERSON,
      method: 'delete',
      path: '/organization/tokens/{token_id}',
      summary: 'Revoke an API token; every node refuses it within 5 seconds',
      request: { params: tokenParam, query: narrowing },
      responses: { 204: { description: 'Revoked' }, 404: problemResponse('No such token of yours') },
    }),
    async (c) => {
      const caller = c.get('caller');
      const scope = narrowScope(caller.scope, c.req.valid('query').organization);
      await tokens.revoke(caller, scope, c.req.valid('param').token_id.toLowerCase());
      return c.body(null, 204);
    },
  );

  return api;
}

function view(caller: Caller, token: TokenView) {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    role: token.role,
    attribution_id: token.attributionId,
    created_by: token.createdBy,
    created_by_name: token.createdByName,
    mine: token.createdBy === caller.actor,
    created_at: isoTime(token.createdAt),
    expires_at: isoOf(token.expiresAt),
    last_used_at: isoOf(token.lastUsedAt),
    last_used_from: token.lastUsedFrom,
    revoked_at: isoOf(token.revokedAt),
  };
}
