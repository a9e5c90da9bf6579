/** Signing in and out; mounted at `/api/v1`, before authentication: these routes ask for the caller themselves. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, json, problemResponse } from '../common/index.ts';
import { type AccountRoutesDeps, beginning, limitBodies, NO_STORE, peerOf } from './open-routes.ts';
import { codeSchema, emailSchema, passwordSchema, sessionSchema, sessionView } from './views.ts';

const signInSchema = z
  .union(
    [
      z.object({
        token: z.string().min(1, 'Enter the ADMIN_TOKEN.').max(1_024, 'At most 1,024 characters.'),
      }),
      z.object({ email: emailSchema, password: passwordSchema, code: codeSchema.optional() }),
    ],
    'Enter email address and password, or the ADMIN_TOKEN as token.',
  )
  .openapi('SignIn');
const tags = ['session'];

export function sessionRoutes({ accounts, peer }: AccountRoutesDeps): Api {
  const api = createApi();
  limitBodies(api, ['/session']);

  api.openapi(
    createRoute({
      method: 'get',
      path: '/sign-in-options',
      tags,
      security: [],
      summary: 'Options of the sign-in page',
      responses: {
        200: json(
          z.object({
            mail: z.boolean().openapi({ description: 'A forgotten password is reset by mail' }),
            passwords: z
              .boolean()
              .openapi({ description: 'false: people sign in only at the company’s provider' }),
            provider: z
              .object({ name: z.string() })
              .nullable()
              .openapi({ description: 'The company’s provider: GET /oidc/start; null: none' }),
            people: z.boolean().openapi({ description: 'false: the first start printed a link' }),
          }),
        ),
      },
    }),
    async (c) => c.json(await accounts.options(), 200, NO_STORE),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/session',
      tags,
      security: [],
      summary: 'Sign in: email address and password (and code), or the admin token, for a session cookie',
      request: { body: body(signInSchema) },
      responses: {
        200: json(sessionSchema, 'Signed in'),
        401: problemResponse('Wrong, or a code is needed too (`/problems/second_factor_required`)'),
        403: problemResponse('From another site, or a member of no organization'),
        429: problemResponse('Too many guesses'),
        503: problemResponse('Too many people are signing in right now'),
      },
    }),
    async (c) => {
      const given = c.req.valid('json');
      const done =
        'token' in given
          ? await accounts.signIn(c.req.raw, given.token, peerOf(c, peer))
          : await accounts.signInWithPassword(c.req.raw, given, peerOf(c, peer));
      const [view, headers] = await beginning(accounts, done);
      return c.json(view, 200, headers);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/session',
      tags,
      summary: 'The caller: account, role and organization',
      responses: { 200: json(sessionSchema, 'Signed in'), 401: problemResponse('Not signed in') },
    }),
    async (c) => {
      const caller = await accounts.authenticate(c.req.raw, peerOf(c, peer));
      return c.json(await sessionView(accounts, caller), 200, NO_STORE);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/session',
      tags,
      security: [],
      summary: 'Sign out',
      responses: { 204: { description: 'Signed out' }, 403: problemResponse('From another site') },
    }),
    async (c) =>
      c.body(null, 204, { ...NO_STORE, 'Set-Cookie': await accounts.signOut(c.req.raw, peerOf(c, peer)) }),
  );

  return api;
}
