/** A span for each request of the application: method, route as it is written in the code, status, request id. Nothing that a caller wrote is in it. */
import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { currentRequest, inRequest, type Tracer } from '../common/index.ts';

/** Monitoring asks for them every few seconds. */
const PROBES: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** @param tracer begins a span for each; a caller's `traceparent` says whose part it is */
export function traceRequests(tracer: Tracer): MiddlewareHandler {
  return async (c, next) => {
    if (PROBES.includes(c.req.path)) return await next();
    const { method } = c.req;
    const request = currentRequest();
    const span = tracer.begin(
      {
        name: method,
        kind: 'server',
        attributes: {
          'http.request.method': method,
          ...(request?.requestId === undefined ? {} : { 'ghostlight.request_id': request.requestId }),
        },
      },
      { traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') },
    );
    await inRequest({ ...request, span }, next);
    // The pattern of middleware has a star; what answered is the last one without.
    const route = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path;
    if (route !== undefined) {
      span.rename(`${method} ${route}`);
      span.set({ 'http.route': route });
    }
    const { status } = c.res;
    span.set({ 'http.response.status_code': status });
    if (status >= 500) span.fail(String(status));
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
    // A stream lasts until its last byte has left.
    if (outgoing === undefined || outgoing.closed) span.end();
    else outgoing.once('close', () => span.end());
  };
}
