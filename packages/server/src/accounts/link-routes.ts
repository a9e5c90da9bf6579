/** What one-time links open, and how to get one; mounted at `/api/v1`, before authentication: the holder of a link has no session yet. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, json, nameSchema, problemResponse } from '../common/index.ts';
import { type AccountRoutesDeps, beginning, limitBodies, NO_STORE, peerOf } from './open-routes.ts';
import {
  codeSchema,
  emailSchema,
  isoTime,
  newPasswordSchema,
  revokeTokensSchema,
  roleSchema,
  sessionSchema,
  tokenSchema,
} from './views.ts';

const linkSchema = z
  .object({
    kind: z.enum(['welcome', 'invitation', 'reset']),
    email: z.string().nullable(),
    role: roleSchema.nullable(),
    organization: z.string().nullable(),
    has_account: z.boolean(),
    api_tokens: z
      .number()
      .int()
      .openapi({ description: 'Active API tokens of the person; a new password leaves them as they are' }),
    expires_at: z.iso.datetime(),
  })
  .openapi('OneTimeLink');
const tags = ['session'];
const PATHS = [
  '/links/inspect',
  '/welcome',
  '/invitations/accept',
  '/password-resets',
  '/password-resets/complete',
];

export function linkRoutes({ accounts, peer }: AccountRoutesDeps): Api {
  const api = createApi();
  limitBodies(api, PATHS);

  api.openapi(
    createRoute({
      method: 'post',
      path: '/links/inspect',
      tags,
      security: [],
      summary: 'What a one-time link is for, without using it',
      request: { body: body(z.object({ token: tokenSchema })) },
      responses: { 200: json(linkSchema), 404: problemResponse('Used, expired or unknown') },
    }),
    async (c) => {
      const { token } = c.req.valid('json');
      const { link, hasAccount, apiTokens } = await accounts.inspectLink(c.req.raw, token, peerOf(c, peer));
      const { kind, email, role, organizationId, expiresAt } = link;
      const organization =
        organizationId === null
          ? null
          : await accounts.organizations.get({ kind: 'organization', id: organizationId });
      return c.json(
        {
          kind,
          email,
          role,
          organization: organization?.name ?? null,
          has_account: hasAccount,
          api_tokens: apiTokens,
          expires_at: isoTime(expiresAt),
        },
        200,
        NO_STORE,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/welcome',
      tags,
      security: [],
      summary: 'Create the first account, the owner, with the link printed at start',
      request: {
        body: body(
          z.object({ token: tokenSchema, name: nameSchema, email: emailSchema, password: newPasswordSchema }),
        ),
      },
      responses: {
        201: json(sessionSchema, 'Made and signed in'),
        404: problemResponse('Used, expired or unknown'),
      },
    }),
    async (c) => {
      const person = c.req.valid('json');
      const done = await accounts.signInByLink(c.req.raw, peerOf(c, peer), (from) =>
        accounts.joining.welcome(person, from),
      );
      const [view, headers] = await beginning(accounts, done);
      return c.json(view, 201, headers);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/invitations/accept',
      tags,
      security: [],
      summary: 'Accept an invitation with a new account, or with your existing one',
      request: {
        body: body(
          z.object({
            token: tokenSchema,
            name: nameSchema.optional(),
            password: newPasswordSchema,
            code: codeSchema.optional(),
          }),
        ),
      },
      responses: {
        200: json(sessionSchema, 'A member now, and signed in'),
        401: problemResponse('Wrong password of the existing account, or a code is needed too'),
        404: problemResponse('Used, expired or unknown'),
      },
    }),
    async (c) => {
      const answer = c.req.valid('json');
      const done = await accounts.signInByLink(c.req.raw, peerOf(c, peer), (from) =>
        accounts.joining.accept(answer, from),
      );
      const [view, headers] = await beginning(accounts, done);
      return c.json(view, 200, headers);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/password-resets',
      tags,
      security: [],
      summary: 'Request a password reset; the answer is the same for every address',
      request: { body: body(z.object({ email: emailSchema })) },
      responses: { 202: json(z.object({}), 'Sent, if there is such a person and mail is set up') },
    }),
    async (c) => {
      accounts.assertOwnOrigin(c.req.raw);
      accounts.resets.request(c.req.valid('json').email, peerOf(c, peer).ip);
      return c.json({}, 202, NO_STORE);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/password-resets/complete',
      tags,
      security: [],
      summary:
        'Choose a new password with the link; every session of the person ends, API tokens only where the body says so',
      request: {
        body: body(
          z.strictObject({
            token: tokenSchema,
            password: newPasswordSchema,
            revoke_api_tokens: revokeTokensSchema,
          }),
        ),
      },
      responses: {
        204: { description: 'Changed; sign in with the new password' },
        404: problemResponse('Used, expired or unknown'),
      },
    }),
    async (c) => {
      const { token, password, revoke_api_tokens: revokeTokens } = c.req.valid('json');
      await accounts.resetByLink(c.req.raw, peerOf(c, peer), { token, password, revokeTokens });
      return c.body(null, 204, NO_STORE);
    },
  );

  return api;
}
