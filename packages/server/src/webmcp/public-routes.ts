/** The manifest and its keys, public; mounted at `/api/v1`, before authentication. */
import { createRoute, z } from '@hono/zod-openapi';
import { type Api, createApi, problemResponse, ServiceError } from '../common/index.ts';
import type { PublicDocument } from './documents.ts';
import type { Webmcp } from './index.ts';

const OPEN = {
  // An agent may be a page of another site: what is published is public.
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
  'X-Content-Type-Options': 'nosniff',
};
const params = z.object({
  attribution_id: z.string().openapi({ param: { name: 'attribution_id', in: 'path' } }),
});
const document = z.object({}).loose();

export interface PublicRoutesDeps {
  readonly webmcp: Pick<Webmcp, 'documents'>;
}

export function webmcpPublicRoutes({ webmcp }: PublicRoutesDeps): Api {
  const api = createApi();
  const serve = (
    paths: readonly string[],
    cacheControl: string,
    summary: string,
    find: (attributionId: string) => Promise<PublicDocument | null>,
  ) => {
    for (const path of paths) {
      const headers = { ...OPEN, 'Cache-Control': cacheControl };
      api.openapi(
        createRoute({
          method: 'get',
          path,
          tags: ['webmcp'],
          security: [],
          summary,
          request: { params },
          responses: {
            200: { description: 'OK', content: { 'application/json': { schema: document } } },
            304: { description: 'Not modified' },
            404: problemResponse('Nothing is published'),
          },
        }),
        // Hono answers HEAD with this too, without the body.
        async (c) => {
          const found = await find(c.req.valid('param').attribution_id);
          if (found === null) throw absent();
          const { text, etag } = found;
          const own = { ...headers, ETag: etag };
          if (matches(c.req.header('If-None-Match'), etag)) return c.body(null, 304, own);
          const bytes = new TextEncoder().encode(text);
          return c.body(bytes, 200, {
            ...own,
            'Content-Type': 'application/json',
            'Content-Length': String(bytes.length),
          }) as never;
        },
      );
      api.options(path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
        c.body(null, 204, {
          ...headers,
          'Access-Control-Allow-Methods': 'GET, HEAD',
          // An agent whose verification failed asks past every cache.
          'Access-Control-Allow-Headers': 'If-None-Match, Cache-Control',
          'Access-Control-Max-Age': '86400',
        }),
      );
      api.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {
        throw new ServiceError('method_not_allowed', 'This is read with GET or HEAD.', {
          headers: { ...OPEN, Allow: 'GET, HEAD, OPTIONS' },
        });
      });
    }
  };

  const manifest = '/webmcp/{attribution_id}/manifest';
  serve(
    [manifest, `${manifest}/`],
    'public, max-age=3600',
    'The signed WebMCP manifest of a property, in canonical form',
    webmcp.documents.manifest,
  );
  serve(
    ['/webmcp/{attribution_id}/jwks.json'],
    // A verifier must see a rotation at once: it may keep a copy, but has to ask.
    'no-cache',
    'The key that verifies the manifest',
    webmcp.documents.jwks,
  );
  return api;
}

/** The same for an id that is none, that no property has, and that has published nothing. */
function absent(): ServiceError {
  return new ServiceError('not_found', 'No manifest is published under this attribution ID.', {
    headers: OPEN,
  });
}

/** Weak comparison (RFC 9110 §13.1.2): proxies that compress weaken the tag. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
