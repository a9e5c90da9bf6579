/** What every page may call: the events endpoint and the SDK's script; mounted at `/`. */
import type { IncomingMessage } from 'node:http';
import { z } from '@hono/zod-openapi';
import { type Api, createApi, problemResponse, ServiceError } from '../common/index.ts';
import type { EventsAnswer, EventsEndpoint, Sender } from './endpoint.ts';
import { isOwnHost, originHost } from './origin.ts';
import type { TrackingDomains } from './ports.ts';
import type { Script } from './script.ts';
import type { SettingsStore } from './settings.ts';

export interface EventRoutesDeps {
  readonly endpoint: EventsEndpoint;
  readonly domains: TrackingDomains;
  readonly settings: Pick<SettingsStore, 'propertyOf'>;
  /** Proxies seen through; undefined when the request was made inside the process. */
  readonly sender: (incoming: IncomingMessage | undefined) => Sender;
  /** null: not built. */
  readonly script: Script | null;
}

const PATH = '/api/events';
/** What a page may read besides the answer. */
const EXPOSED = { 'Access-Control-Expose-Headers': 'X-Request-Id' };

export function eventRoutes({ endpoint, domains, settings, sender, script }: EventRoutesDeps): Api {
  const api = createApi();

  /**
   * Any page may send, none with credentials; except that a property's own pages may, at its custom domain, where the visitor's cookie is. Refusals
   * carry these too: the developer who installs the SDK reads the reason in the browser.
   */
  const cors = async (origin: string | undefined, { host }: Sender): Promise<Record<string, string>> => {
    const domain = domains.domainOf(host);
    if (domain === null) return { ...EXPOSED, 'Access-Control-Allow-Origin': '*' };
    const property = await settings.propertyOf(domain.attributionId);
    if (origin === undefined || property === null || !isOwnHost(originHost(origin), property))
      return { ...EXPOSED, 'Access-Control-Allow-Origin': '*', Vary: 'Origin' };
    return {
      ...EXPOSED,
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      Vary: 'Origin',
    };
  };

  api.use(PATH, async (c, next) => {
    await next();
    // A failing look-up must not replace the answer, which is known by now.
    const headers = await cors(c.req.header('Origin'), sender(incomingOf(c.env))).catch(() => ({}));
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  });
  api.post(PATH, async (c) => answer(await endpoint.take(c.req.raw, sender(incomingOf(c.env)))));
  api.options(PATH, () =>
    Promise.resolve(
      new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'POST',
          'Access-Control-Allow-Headers': 'Content-Type',
          'Access-Control-Max-Age': '86400',
        },
      }),
    ),
  );
  api.all(PATH, () => {
    throw new ServiceError('method_not_allowed', 'This endpoint takes POST.', {
      headers: { Allow: 'POST, OPTIONS' },
    });
  });
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: PATH,
    tags: ['events'],
    security: [],
    summary:
      'Events of a page: one, or an array of at most 256, 64 KiB in all; JSON, whatever the content type',
    request: { body: { content: { 'application/json': { schema: z.unknown() } } } },
    responses: {
      200: { description: 'On disk', content: { 'application/json': { schema: answerSchema } } },
      400: problemResponse('Not JSON'),
      403: problemResponse('The property refuses this origin'),
      404: problemResponse('No property has this attribution_id'),
      413: problemResponse('Too large'),
      422: problemResponse('None of the events can be taken'),
      429: problemResponse('Too many events'),
      503: problemResponse('No room now'),
    },
  });

  // Hono answers HEAD with this too, without the body.
  api.get('/sdk.js', (c) => {
    if (script === null)
      throw new ServiceError('not_found', 'The SDK is not built yet. Run "npm run build" and start again.');
    return script.respond(c.req.raw);
  });
  return api;
}

const answerSchema = z
  .object({
    visitor_id: z.string().nullable().openapi({ description: 'The property the events were accepted for' }),
    errors: z
      .array(z.object({ pointer: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'Events of the array that were not accepted; the others were' }),
  })
  .openapi('EventsTaken');

function answer({ visitorId, errors, cookies }: EventsAnswer): Response {
  const headers = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  const body = { visitor_id: visitorId, ...(errors.length === 0 ? {} : { errors }) };
  return new Response(JSON.stringify(body), { headers });
}

function incomingOf(env: unknown): IncomingMessage | undefined {
  return (env as { incoming?: IncomingMessage } | undefined)?.incoming;
}
