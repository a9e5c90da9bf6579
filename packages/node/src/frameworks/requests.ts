/** Frameworks around the Web's `Request` and `Response`: Hono and Next. They don't say when a response has left. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ghostlight, HonoLike, NextLike } from '../api.ts';
import { ofRequest } from '../incoming.ts';
import type { Ending } from '../line.ts';
import { type Site, watchMessage } from './site.ts';

/** Under `@hono/node-server` Node's own messages are there, and with them the client's address and the whole response. */
interface NodeBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

export const hono =
  (site: Site): Ghostlight['hono'] =>
  async (context, next) => {
    const { incoming: message, outgoing: response } = (context.env ?? {}) as NodeBindings;
    if (message !== undefined && response !== undefined) {
      const answer = await (site.manifest(watchMessage(site, message, response)) ?? null);
      if (answer !== null) return answer;
      await next();
      return undefined;
    }
    const incoming = ofRequest(context.req.raw);
    const sighting = site.look(incoming);
    const answer = await (site.manifest(incoming) ?? null);
    try {
      if (answer === null) await next();
    } finally {
      if (sighting !== null) keepAlive(context, site.report(sighting, endingOf(answer ?? context.res)));
    }
    return answer ?? undefined;
  };

/** A body without a declared length is not read: that would delay it. */
function endingOf({ status, headers }: Response): Ending {
  const declared = headers.get('Content-Length');
  return { status, bytes: declared !== null && /^\d{1,15}$/.test(declared) ? Number(declared) : undefined };
}

/** Where the runtime stops when nothing waits. Outside of such runtimes Hono's context throws when it is asked. */
function keepAlive(context: HonoLike, work: Promise<void>): void {
  try {
    (context as { executionCtx?: NextLike }).executionCtx?.waitUntil(work);
  } catch {
    // It goes on by itself.
  }
}

const UNTOLD: Ending = { status: undefined, bytes: undefined };

export const next =
  (site: Site): Ghostlight['next'] =>
  async (request, event) => {
    try {
      const incoming = ofRequest(request);
      const sighting = site.look(incoming);
      const answer = await (site.manifest(incoming) ?? null);
      if (sighting !== null) {
        const reported = site.report(sighting, answer === null ? UNTOLD : endingOf(answer));
        event?.waitUntil(reported);
      }
      return answer ?? undefined;
    } catch {
      return undefined;
    }
  };
