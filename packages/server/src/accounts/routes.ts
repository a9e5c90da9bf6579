/** Signing in and out; mounted at `/api/v1`, before authentication: these routes ask for the caller themselves. */
import type { IncomingMessage } from 'node:http';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Api, type ApiEnv, createApi, problemResponse, ServiceError } from '../kit/index.ts';
import type { Accounts, Peer } from './index.ts';

export interface SessionRoutesDeps {
  readonly accounts: Accounts;
  /** The peer of a request, proxies seen through; undefined when the request was made inside the process. */
  readonly peer: (incoming: IncomingMessage | undefined) => Peer;
}

/** A token and a little JSON around it; strangers send here. */
const MAX_BODY_BYTES = 8 * 1024;

const signInSchema = z
  .object({ token: z.string().min(1, 'Give the ADMIN_TOKEN.').max(1_024, 'At most 1,024 characters.') })
  .openapi('SignIn');
const sessionSchema = z
  .object({
    actor: z.string().openapi({ description: 'What the audit log calls you' }),
    organization_id: z.uuid().nullable().openapi({ description: 'null: sees every organization' }),
    expires_at: z.iso.datetime().optional(),
  })
  .openapi('Session');
const content = { 'application/json': { schema: sessionSchema } };
const tags = ['session'];
/** Answers that depend on a cookie belong in no shared cache. */
const NO_STORE = { 'Cache-Control': 'no-store' };

export function sessionRoutes({ accounts, peer }: SessionRoutesDeps): Api {
  const api = createApi();
  const peerOf = (c: Context<ApiEnv>): Peer =>
    peer((c.env as { incoming?: IncomingMessage } | undefined)?.incoming);

  api.use(
    '/session',
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new ServiceError('body_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`, {
          headers: { Connection: 'close' },
        });
      },
    }),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/session',
      tags,
      security: [],
      summary: 'Exchange the API token for a session cookie',
      request: { body: { required: true, content: { 'application/json': { schema: signInSchema } } } },
      responses: {
        200: { description: 'Signed in', content },
        401: problemResponse('Wrong token'),
        403: problemResponse('From another site'),
        429: problemResponse('Too many wrong tokens'),
      },
    }),
    async (c) => {
      const { token } = c.req.valid('json');
      const { session, cookie } = await accounts.signIn(c.req.raw, token, peerOf(c));
      const body = {
        actor: session.actor,
        organization_id: null,
        expires_at: new Date(session.expiresAt).toISOString(),
      };
      return c.json(body, 200, { ...NO_STORE, 'Set-Cookie': cookie });
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/session',
      tags,
      summary: 'Who am I?',
      responses: { 200: { description: 'Signed in', content }, 401: problemResponse('Not signed in') },
    }),
    async (c) => {
      const { actor, scope } = await accounts.authenticate(c.req.raw, peerOf(c));
      return c.json({ actor, organization_id: scope.kind === 'all' ? null : scope.id }, 200, NO_STORE);
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
      c.body(null, 204, { ...NO_STORE, 'Set-Cookie': await accounts.signOut(c.req.raw, peerOf(c)) }),
  );

  return api;
}
