/** Frameworks around Node's own request and response: Express, Fastify, Koa, and none. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Ghostlight, KoaLike } from '../api.ts';
import { writeResponse } from './node-response.ts';
import { passOn, type Site, watchMessage } from './site.ts';

export const express =
  (site: Site): Ghostlight['express'] =>
  (request, response, next) => {
    // A router that the middleware is mounted in has cut the address.
    const { originalUrl } = request as { originalUrl?: string };
    passOn(site, watchMessage(site, request, response, originalUrl), response, () => next());
  };

interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly originalUrl?: string;
}
interface FastifyReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

export function fastify(site: Site): Ghostlight['fastify'] {
  const plugin: Ghostlight['fastify'] = (instance, _options, done) => {
    instance.addHook('onRequest', ({ raw, originalUrl }: FastifyRequest, reply: FastifyReply, next) =>
      passOn(site, watchMessage(site, raw, reply.raw, originalUrl), reply.raw, next, () => reply.hijack()),
    );
    done();
  };
  // As fastify-plugin does it: hooks of a plugin else see the routes of that plugin alone.
  return Object.assign(plugin, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: '@ghostlight/node',
  });
}

export const koa =
  (site: Site): Ghostlight['koa'] =>
  async (context: KoaLike, next) => {
    const incoming = watchMessage(site, context.req, context.res, context.originalUrl);
    const answer = await (site.manifest(incoming) ?? null);
    if (answer === null) {
      await next();
      return;
    }
    context.respond = false;
    await writeResponse(context.res, answer);
  };

export const http =
  (site: Site): Ghostlight['http'] =>
  (listener): RequestListener =>
  (request, response) =>
    passOn(site, watchMessage(site, request, response), response, () => listener(request, response));
