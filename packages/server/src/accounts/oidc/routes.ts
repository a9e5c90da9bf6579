/** Sign-in at the company's provider; mounted at `/api/v1`, before authentication. A browser is sent from page to page: no answer is JSON. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, ServiceError } from '../../common/index.ts';
import { type AccountRoutesDeps, NO_STORE, peerOf } from '../open-routes.ts';

const tags = ['session'];
const redirected = {
  description: 'To the provider, to the dashboard, or to the sign-in page with the reason',
};

export function oidcRoutes({ accounts, peer }: AccountRoutesDeps): Api {
  const api = createApi();

  api.openapi(
    createRoute({
      method: 'get',
      path: '/oidc/start',
      tags,
      security: [],
      summary: 'Sign in at the company’s provider (OpenID Connect)',
      request: {
        query: z.object({
          next: z.string().max(2_000).optional().openapi({ description: 'A path of the dashboard' }),
          again: z.string().max(1).optional().openapi({
            description: 'Asks for an account even if the person is signed in at the provider',
          }),
          moved: z.string().max(1).optional().openapi({
            description: 'Set by the service, which sends a browser to APP_BASE_URL once',
          }),
        }),
      },
      responses: { 303: redirected },
    }),
    async (c) => {
      const { next, again, moved } = c.req.valid('query');
      const wish = { next, again: again !== undefined, moved: moved !== undefined };
      const { location, cookies } = await accounts.beginAtProvider(c.req.raw, peerOf(c, peer), wish);
      return away(location, cookies);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/oidc/callback',
      tags,
      security: [],
      summary: 'Where the provider sends the browser back to',
      responses: { 303: redirected },
    }),
    async (c) => {
      if (c.req.raw.url.length > 16_384)
        throw new ServiceError('invalid', 'The provider’s answer is too long.');
      const { location, cookies } = await accounts.returnFromProvider(c.req.raw, peerOf(c, peer));
      return away(location, cookies);
    },
  );
  return api;
}

/** Nothing of the answer stays: no copy in a cache, and the next page does not get the address with the code. */
function away(location: string, cookies: readonly string[]): never {
  const headers = new Headers({ ...NO_STORE, Location: location, 'Referrer-Policy': 'no-referrer' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers }) as never;
}
