/** Traces of the real service, as a collector gets them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReceivedSpan, TraceReceiver } from '../../packages/server/src/tracing/testing.ts';
import { ADMIN_TOKEN, TestService, workerHit } from '../harness/service.ts';

const receiver = new TraceReceiver();
let service: TestService;
beforeAll(async () => {
  const endpoint = await receiver.start();
  service = new TestService({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_SERVICE_NAME: 'ghost',
  });
  await service.start();
});
afterAll(async () => {
  await service.dispose();
  await receiver.close();
});

const spanOf = async (name: string): Promise<ReceivedSpan> => {
  await expect.poll(() => receiver.named(name)).toBeDefined();
  return receiver.named(name) as ReceivedSpan;
};

it('sees requests by their routes, the statements below them, batches of hits and their way to the warehouse', async () => {
  const { id, key } = await service.property('Secret shop', 'hidden.example');
  const report = `/api/v1/properties/${id}/reports/pages?path=%2Fprivate&limit=3`;
  const answer = await service.call('GET', report, {
    headers: {
      Authorization: `Bearer ${ADMIN_TOKEN}`,
      'X-Request-Id': 'traced-1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
  });
  expect(answer.status).toBe(200);
  const request = await spanOf('GET /api/v1/properties/:id/reports/pages');
  expect(request).toMatchObject({
    kind: 2,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/v1/properties/:id/reports/pages',
      'http.response.status_code': 200,
      'ghostlight.request_id': 'traced-1',
    },
    resource: { 'service.name': 'ghost' },
  });
  const statements = receiver.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(statements.length).toBeGreaterThan(0);
  for (const { kind, name, attributes } of statements) {
    expect([kind, name]).toEqual([3, expect.stringMatching(/^SELECT [a-z_.]+$/)]);
    expect(attributes['db.response.returned_rows']).toBeTypeOf('number');
  }

  expect(
    (await service.hits(key, [workerHit({ host: 'hidden.example' }), workerHit({ timestamp: 0 })])).status,
  ).toBe(200);
  expect(await spanOf('POST /v1/logs/edge_worker')).toMatchObject({
    attributes: { 'ghostlight.received': 2, 'ghostlight.kept': 1, 'ghostlight.rejected': 1 },
  });
  const shipped = await spanOf('ship hits');
  expect(shipped).toMatchObject({ parentSpanId: '', attributes: { 'ghostlight.rows': 1 } });
  expect(await spanOf('INSERT hits')).toMatchObject({ parentSpanId: shipped.spanId });

  expect((await service.call('GET', '/api/v1/nothing?token=abcdefgh')).status).toBe(401);
  expect((await service.call('GET', '/healthz')).status).toBe(200);
  expect((await service.call('POST', '/webhooks/custom/x/purchase', { body: '{}' })).status).toBe(404);
  await spanOf('POST /webhooks/custom/:attribution_id/:topic');
  expect(receiver.spans.filter(({ name }) => name.includes('healthz'))).toEqual([]);
  for (const text of [
    ADMIN_TOKEN,
    key,
    id,
    'private',
    'token=',
    'Secret',
    'hidden.example',
    '/products/lamp',
  ])
    expect(receiver.received, text).not.toContain(text);
});

it('gets what waits when the service stops', async () => {
  const before = receiver.spans.length;
  await service.call('GET', '/api/v1/sign-in-options');
  expect(await service.stop()).toBe(0);
  expect(receiver.spans.length).toBeGreaterThan(before);
});
