/** For the operator: links for people who can't sign in by themselves; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, json, problemResponse, ServiceError } from '../common/index.ts';
import type { Accounts } from './accounts.ts';
import { emailSchema, isoTime } from './views.ts';

const ROOT = { tags: ['installation'], 'x-need': 'root' };

export function peopleRoutes({ accounts }: { accounts: Accounts }): Api {
  const { joining, resets } = accounts;
  const api = createApi();

  api.openapi(
    createRoute({
      ...ROOT,
      method: 'post',
      path: '/people/password-resets',
      summary: 'A link with which a person chooses a new password, when mail is not configured',
      request: {
        body: body(
          z.object({
            email: emailSchema,
            second_factor_off: z.boolean().default(false).openapi({ description: 'For a lost phone' }),
          }),
        ),
      },
      responses: {
        201: json(z.object({ link: z.string(), expires_at: z.iso.datetime() }), 'Hand it on'),
        403: problemResponse('Not the admin token'),
        404: problemResponse('No account has this address'),
      },
    }),
    async (c) => {
      const { actor } = c.get('caller');
      accounts.assertPasswords();
      const { email, second_factor_off: off } = c.req.valid('json');
      const { url, expiresAt } = await resets.linkFor(actor, email, off);
      return c.json({ link: url, expires_at: isoTime(expiresAt) }, 201);
    },
  );

  api.openapi(
    createRoute({
      ...ROOT,
      method: 'post',
      path: '/people/welcome-links',
      summary: 'A new link like that of the first start, as long as no account exists',
      responses: {
        201: json(z.object({ link: z.string() }), 'The one before opens nothing any more'),
        403: problemResponse('Not the admin token'),
        409: problemResponse('An account already exists'),
      },
    }),
    async (c) => {
      accounts.assertPasswords();
      const link = await joining.welcomeLink();
      if (link === null) {
        throw new ServiceError(
          'conflict',
          'An account already exists; invite others with `ghostlight people invite`.',
        );
      }
      return c.json({ link }, 201);
    },
  );

  return api;
}
