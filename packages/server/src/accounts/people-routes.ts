/** For whoever runs the installation: links for people who can't come in by themselves; mounted at `/api/v1`. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, body, createApi, json, problemResponse, ServiceError } from '../common/index.ts';
import type { Accounts } from './accounts.ts';
import { emailSchema, isoTime } from './views.ts';

const ROOT = { tags: ['installation'], 'x-need': 'root' };

export function peopleRoutes({ accounts: { joining, resets } }: { accounts: Accounts }): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      ...ROOT,
      method: 'post',
      path: '/people/password-resets',
      summary: 'A link with which somebody chooses a new password, where nothing is mailed',
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
        403: problemResponse('Not the root token'),
        404: problemResponse('Nobody has this address'),
      },
    }),
    async (c) => {
      const { actor } = c.get('caller');
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
      summary: 'The link of the first start anew, while there is nobody',
      responses: {
        201: json(z.object({ link: z.string() }), 'The one before opens nothing any more'),
        403: problemResponse('Not the root token'),
        409: problemResponse('There is somebody already'),
      },
    }),
    async (c) => {
      const link = await joining.welcomeLink();
      if (link === null) {
        throw new ServiceError(
          'conflict',
          'There is somebody already; invite others with `ghostlight people invite`.',
        );
      }
      return c.json({ link }, 201);
    },
  );

  return api;
}
