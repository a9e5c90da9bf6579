/** A person's own account; mounted at `/api/v1`. Each route is for people alone, whatever their role. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type Api,
  body,
  createApi,
  json,
  nameSchema,
  type PersonCaller,
  problemResponse,
} from '../common/index.ts';
import { type AccountRoutesDeps, peerOf } from './open-routes.ts';
import { OWN, personOf } from './own-routes.ts';
import {
  idAndName,
  isoTime,
  newPasswordSchema,
  passwordSchema,
  revokeTokensSchema,
  roleSchema,
  sessionSchema,
  sessionView,
} from './views.ts';

const named = z.object({ id: z.uuid(), name: z.string() });
const accountSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: roleSchema,
    organization: named,
    organizations: z.array(named.extend({ role: roleSchema })),
    totp: z.boolean(),
    recovery_codes_left: z.number().int(),
    api_tokens: z.number().int().openapi({ description: 'Active API tokens that you have made' }),
  })
  .openapi('Account');
const sessionsSchema = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        created_at: z.iso.datetime(),
        last_seen_at: z.iso.datetime(),
        expires_at: z.iso.datetime(),
        address: z.string().nullable(),
        user_agent: z.string().nullable(),
        current: z.boolean(),
      }),
    ),
  })
  .openapi('SignInSessions');
const sessionParam = z.object({
  session_id: z
    .string()
    .max(64)
    .openapi({ param: { name: 'session_id', in: 'path' } }),
});
const organizationParam = z.object({
  organization_id: z.guid('Enter an organization ID, a UUID.').openapi({
    param: { name: 'organization_id', in: 'path' },
  }),
});

export function accountRoutes({ accounts, peer }: AccountRoutesDeps): Api {
  const api = createApi();
  const { own } = accounts;
  const view = async (caller: PersonCaller) => {
    const { id, name, email, role, organization, organizations, secondFactor, recoveryCodesLeft, apiTokens } =
      await own.view(caller);
    return {
      id,
      name,
      email,
      role,
      organization: idAndName(organization),
      organizations: organizations.map((one) => ({ ...idAndName(one), role: one.role })),
      totp: secondFactor,
      recovery_codes_left: recoveryCodesLeft,
      api_tokens: apiTokens,
    };
  };

  api.openapi(
    createRoute({
      ...OWN,
      method: 'get',
      path: '/account',
      summary: 'Your account',
      responses: { 200: json(accountSchema) },
    }),
    async (c) => c.json(await view(personOf(c)), 200),
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'patch',
      path: '/account',
      summary: 'Change your name',
      request: { body: body(z.object({ name: nameSchema })) },
      responses: { 200: json(accountSchema), 422: problemResponse('Not accepted') },
    }),
    async (c) => {
      const caller = personOf(c);
      await own.rename(caller, c.req.valid('json').name);
      return c.json(await view(caller), 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'put',
      path: '/account/password',
      summary: 'Change your password; ends your other sessions, and your API tokens on request',
      request: {
        body: body(
          z.strictObject({
            current: passwordSchema,
            new: newPasswordSchema,
            revoke_api_tokens: revokeTokensSchema,
          }),
        ),
      },
      responses: {
        204: { description: 'Changed' },
        422: problemResponse('Wrong, too short or too long'),
        429: problemResponse('Too many guesses'),
      },
    }),
    async (c) => {
      const { current, new: password, revoke_api_tokens: revokeTokens } = c.req.valid('json');
      await own.changePassword(personOf(c), { current, password, revokeTokens }, peerOf(c, peer).ip);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'get',
      path: '/account/sessions',
      summary: 'Your sessions (at most 50)',
      responses: { 200: json(sessionsSchema) },
    }),
    async (c) => {
      const caller = personOf(c);
      const items = (await own.sessions(caller)).map((session) => ({
        id: session.id,
        created_at: isoTime(session.createdAt),
        last_seen_at: isoTime(session.lastSeenAt),
        expires_at: isoTime(session.expiresAt),
        address: session.address,
        user_agent: session.userAgent,
        current: session.id === caller.sessionId,
      }));
      return c.json({ items }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'delete',
      path: '/account/sessions/{session_id}',
      summary: 'Sign out one session',
      request: { params: sessionParam },
      responses: { 204: { description: 'Ended' }, 404: problemResponse('No such session of yours') },
    }),
    async (c) => {
      await own.endSession(personOf(c), c.req.valid('param').session_id);
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'delete',
      path: '/account/sessions',
      summary: 'Sign out all other sessions',
      responses: { 204: { description: 'Ended' } },
    }),
    async (c) => {
      await own.endOtherSessions(personOf(c));
      return c.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'put',
      path: '/account/organization',
      summary: 'Switch to another of your organizations',
      request: { body: body(z.object({ organization_id: z.guid('Enter an organization ID, a UUID.') })) },
      responses: { 200: json(sessionSchema), 404: problemResponse('Not one of yours') },
    }),
    async (c) => {
      const caller = personOf(c);
      await own.moveTo(caller, c.req.valid('json').organization_id);
      // The cookie stays; what it opens has changed.
      const moved = await accounts.authenticate(c.req.raw, peerOf(c, peer));
      return c.json(await sessionView(accounts, moved), 200);
    },
  );

  api.openapi(
    createRoute({
      ...OWN,
      method: 'delete',
      path: '/account/organizations/{organization_id}',
      summary: 'Leave an organization',
      request: { params: organizationParam },
      responses: {
        204: { description: 'Left' },
        404: problemResponse('Not one of yours'),
        409: problemResponse('You are its last owner'),
      },
    }),
    async (c) => {
      const { personId, actor } = personOf(c);
      const id = c.req.valid('param').organization_id.toLowerCase();
      await accounts.organizations.remove({ kind: 'organization', id }, actor, personId);
      return c.body(null, 204);
    },
  );

  return api;
}
