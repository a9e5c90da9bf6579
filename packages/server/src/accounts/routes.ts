/** Signing in and out, and what links open; mounted at `/api/v1`, before authentication: these routes ask for the caller themselves. */
import type { IncomingMessage } from 'node:http';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Api, type ApiEnv, body, createApi, json, problemResponse, ServiceError } from '../kit/index.ts';
import type { Accounts, SignedIn } from './accounts.ts';
import type { Peer } from './peer.ts';
import {
  codeSchema,
  emailSchema,
  isoTime,
  nameSchema,
  newPasswordSchema,
  passwordSchema,
  sessionSchema,
  sessionView,
  tokenSchema,
} from './views.ts';

export { accountRoutes } from './account-routes.ts';
export { auditRoutes } from './audit-routes.ts';
export { organizationRoutes } from './organization-routes.ts';
export { tokenRoutes } from './token-routes.ts';

export interface SessionRoutesDeps {
  readonly accounts: Accounts;
  /** The peer of a request, proxies seen through; undefined when the request was made inside the process. */
  readonly peer: (incoming: IncomingMessage | undefined) => Peer;
}

/** A token and a little JSON around it; strangers send here. */
const MAX_BODY_BYTES = 8 * 1024;
const PATHS = [
  '/session',
  '/sign-in-options',
  '/links/inspect',
  '/welcome',
  '/invitations/accept',
  '/password-resets',
  '/password-resets/complete',
];

const signInSchema = z
  .union(
    [
      z.object({
        token: z.string().min(1, 'Give the ADMIN_TOKEN.').max(1_024, 'At most 1,024 characters.'),
      }),
      z.object({ email: emailSchema, password: passwordSchema, code: codeSchema.optional() }),
    ],
    'Give e-mail address and password, or the ADMIN_TOKEN as token.',
  )
  .openapi('SignIn');
const linkSchema = z
  .object({
    kind: z.enum(['welcome', 'invitation', 'reset']),
    email: z.string().nullable(),
    role: z.string().nullable(),
    organization: z.string().nullable(),
    has_account: z.boolean(),
    expires_at: z.iso.datetime(),
  })
  .openapi('OneTimeLink');
const tags = ['session'];
/** Answers that depend on a cookie belong in no shared cache. */
const NO_STORE = { 'Cache-Control': 'no-store' };

export function sessionRoutes({ accounts, peer }: SessionRoutesDeps): Api {
  const api = createApi();
  const peerOf = (c: Context<ApiEnv>): Peer =>
    peer((c.env as { incoming?: IncomingMessage } | undefined)?.incoming);
  const signedIn = async ({ session, cookie }: SignedIn) =>
    [
      await sessionView(accounts, session.caller, session.expiresAt),
      { ...NO_STORE, 'Set-Cookie': cookie },
    ] as const;

  for (const path of PATHS) {
    api.use(
      path,
      bodyLimit({
        maxSize: MAX_BODY_BYTES,
        onError: () => {
          throw new ServiceError('body_too_large', `The body may have at most ${MAX_BODY_BYTES} bytes.`, {
            headers: { Connection: 'close' },
          });
        },
      }),
    );
  }

  api.openapi(
    createRoute({
      method: 'get',
      path: '/sign-in-options',
      tags,
      security: [],
      summary: 'What the sign-in page offers',
      responses: {
        200: json(
          z.object({
            mail: z.boolean().openapi({ description: 'A forgotten password is reset by mail' }),
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
      summary: 'Sign in: e-mail address and password (and code), or the root token, for a session cookie',
      request: { body: body(signInSchema) },
      responses: {
        200: json(sessionSchema, 'Signed in'),
        401: problemResponse('Wrong, or a code is needed too (`/problems/second_factor_required`)'),
        403: problemResponse('From another site, or a member of no organization'),
        429: problemResponse('Too many guesses'),
        503: problemResponse('Too many people are signing in at this moment'),
      },
    }),
    async (c) => {
      const given = c.req.valid('json');
      const done =
        'token' in given
          ? await accounts.signIn(c.req.raw, given.token, peerOf(c))
          : await accounts.signInWithPassword(c.req.raw, given, peerOf(c));
      const [view, headers] = await signedIn(done);
      return c.json(view, 200, headers);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/session',
      tags,
      summary: 'Who am I?',
      responses: { 200: json(sessionSchema, 'Signed in'), 401: problemResponse('Not signed in') },
    }),
    async (c) => {
      const caller = await accounts.authenticate(c.req.raw, peerOf(c));
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
      c.body(null, 204, { ...NO_STORE, 'Set-Cookie': await accounts.signOut(c.req.raw, peerOf(c)) }),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/links/inspect',
      tags,
      security: [],
      summary: 'What a one-time link opens, without using it',
      request: { body: body(z.object({ token: tokenSchema })) },
      responses: { 200: json(linkSchema), 404: problemResponse('Used, expired or unknown') },
    }),
    async (c) => {
      const { token } = c.req.valid('json');
      const { link, hasAccount } = await accounts.inspectLink(c.req.raw, token, peerOf(c));
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
      summary: 'Make the first account, the owner, with the link that the start printed',
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
      const done = await accounts.signInByLink(c.req.raw, peerOf(c), (origin) =>
        accounts.joining.welcome(person, origin),
      );
      const [view, headers] = await signedIn(done);
      return c.json(view, 201, headers);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/invitations/accept',
      tags,
      security: [],
      summary: 'Accept an invitation: with a name and a new password, or as who you are here already',
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
      const done = await accounts.signInByLink(c.req.raw, peerOf(c), (origin) =>
        accounts.joining.accept(answer, origin),
      );
      const [view, headers] = await signedIn(done);
      return c.json(view, 200, headers);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/password-resets',
      tags,
      security: [],
      summary: 'Ask for a link to choose a new password; the answer is the same whoever asks',
      request: { body: body(z.object({ email: emailSchema })) },
      responses: { 202: json(z.object({}), 'Sent, if there is such a person and mail is set up') },
    }),
    async (c) => {
      accounts.assertOwnOrigin(c.req.raw);
      accounts.resets.request(c.req.valid('json').email, peerOf(c).ip);
      return c.json({}, 202, NO_STORE);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/password-resets/complete',
      tags,
      security: [],
      summary: 'Choose a new password with the link; every session of the person ends',
      request: { body: body(z.object({ token: tokenSchema, password: newPasswordSchema })) },
      responses: {
        204: { description: 'Changed; sign in with it' },
        404: problemResponse('Used, expired or unknown'),
      },
    }),
    async (c) => {
      accounts.assertOwnOrigin(c.req.raw);
      const { token, password } = c.req.valid('json');
      await accounts.resets.complete(token, password);
      return c.body(null, 204, NO_STORE);
    },
  );

  return api;
}
