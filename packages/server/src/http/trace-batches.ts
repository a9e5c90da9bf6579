/**
 * Spans of ingest requests: a few of them, whatever comes. A collector posts each hit by itself, ten thousand a second where the machine can
 * take them, so a span begins at most ten times a second for each address; requests between them are not slowed by anything.
 */
import { inRequest, type Tracer } from '../common/index.ts';
import { requestIdOf } from './request-id.ts';
import type { RawHandler } from './server.ts';

const BETWEEN_MS = 100;

/** @param handlers address → its handler @param now monotonic milliseconds */
export function traceBatches(
  handlers: ReadonlyMap<string, RawHandler>,
  tracer: Tracer,
  now: () => number = () => performance.now(),
): ReadonlyMap<string, RawHandler> {
  return new Map([...handlers].map(([path, handler]) => [path, traced(path, handler, tracer, now)]));
}

function traced(path: string, handler: RawHandler, tracer: Tracer, now: () => number): RawHandler {
  let free = Number.NEGATIVE_INFINITY;
  return (request, response, query) => {
    if (now() < free) return handler(request, response, query);
    free = now() + BETWEEN_MS;
    const requestId = requestIdOf(request);
    const method = request.method ?? '';
    const span = tracer.begin(
      {
        name: `${method} ${path}`,
        kind: 'server',
        attributes: {
          'http.request.method': method,
          'http.route': path,
          'ghostlight.request_id': requestId,
        },
      },
      { traceparent: one(request.headers['traceparent']), tracestate: one(request.headers['tracestate']) },
    );
    response.once('close', () => {
      span.set({ 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.fail(String(response.statusCode));
      span.end();
    });
    inRequest({ requestId, span }, () => handler(request, response, query));
  };
}

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? undefined : header);
