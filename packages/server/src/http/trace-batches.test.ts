import { get } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { annotate, currentRequest } from '../common/index.ts';
import { recordingTracer } from '../common/testing-tracer.ts';
import { type HttpServer, type RawHandler, startHttpServer } from './server.ts';
import { traceBatches } from './trace-batches.ts';

let server: HttpServer;
afterEach(() => server.close(0));

it('begins a span for a request now and then, for each address, and leaves all others as they are', async () => {
  const tracer = recordingTracer();
  let now = 0;
  const seen: unknown[] = [];
  const handler: RawHandler = (_request, response) => {
    seen.push(currentRequest()?.requestId);
    annotate(() => ({ 'ghostlight.received': 2 }));
    response.writeHead(response.req.url === '/b' ? 503 : 204).end();
  };
  const raw = traceBatches(
    new Map([
      ['/a', handler],
      ['/b', handler],
    ]),
    tracer,
    () => now,
  );
  server = await startHttpServer({ host: '127.0.0.1', port: 0, raw, fetch: () => new Response() });
  const ask = (path: string, id: string) =>
    new Promise<void>((resolve) => {
      const headers = { 'X-Request-Id': id, traceparent: '00-1-2-01' };
      get({ port: server.address.port, path, headers, agent: false }, (answer) => {
        answer.resume().on('close', resolve);
      });
    });
  for (const id of ['first', 'second', 'third']) await ask('/a?token=abcdefgh', id);
  await ask('/b', 'elsewhere');
  now += 100;
  await ask('/a', 'later');
  expect(seen).toEqual(['first', undefined, undefined, 'elsewhere', 'later']);
  await expect.poll(() => tracer.roots.map(({ ended }) => ended)).toEqual([true, true, true]);
  expect(tracer.roots).toMatchObject([
    {
      name: 'GET /a',
      kind: 'server',
      caller: { traceparent: '00-1-2-01' },
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/a',
        'http.response.status_code': 204,
        'ghostlight.request_id': 'first',
        'ghostlight.received': 2,
      },
    },
    { name: 'GET /b', failed: '503' },
    { name: 'GET /a', attributes: { 'ghostlight.request_id': 'later' } },
  ]);
});
