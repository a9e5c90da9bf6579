import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../tests/harness/free-port.ts';
import {
  annotate,
  asPart,
  currentRequest,
  inRequest,
  type Log,
  type Tracer,
  traceWith,
  untraced,
} from '../common/index.ts';
import { readConfig } from '../config.ts';
import { startTracing } from './index.ts';
import type { Tracing } from './ports.ts';
import { TraceReceiver } from './testing.ts';

let receiver: TraceReceiver;
let endpoint: string;
let tracing: Tracing | null = null;
const lines: { level: string; message: string; fields: object; requestId: string | undefined }[] = [];
const line = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, message, fields, requestId: currentRequest()?.requestId });
const log: Log = {
  debug: line('debug'),
  info: line('info'),
  warn: line('warn'),
  error: line('error'),
  child: () => log,
};

beforeEach(async () => {
  receiver = new TraceReceiver();
  endpoint = await receiver.start();
  lines.length = 0;
});
afterEach(async () => {
  await tracing?.stop(500);
  tracing = null;
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  await receiver.close();
});

async function start(environment: Record<string, string> = {}): Promise<Tracer> {
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment });
  if (config.tracing === null) throw new Error('Tracing is off');
  tracing = await startTracing({ ...config.tracing, version: '1.2.3', nodeId: 'node-1', log });
  return tracing.tracer;
}
const flush = async () => await tracing?.stop(5_000);
const internal = (name: string) => ({ name, kind: 'internal' }) as const;

describe('a trace', () => {
  it('has its parts, however deep, and what they say of themselves', async () => {
    const trace = traceWith(await start());
    await trace({ ...internal('job rollup'), attributes: { days: 3 } }, async () => {
      await Promise.all(
        ['one', 'two'].map((name) =>
          asPart({ name, kind: 'client' }, async () => {
            await asPart(internal(`in ${name}`), async () =>
              annotate(() => ({ rows: name.length, whole: true })),
            );
          }),
        ),
      );
    });
    await flush();
    const [job, one, inOne] = ['job rollup', 'one', 'in one'].map((name) => receiver.named(name));
    expect(receiver.spans).toHaveLength(5);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(job).toMatchObject({ parentSpanId: '', kind: 1, attributes: { days: 3 }, status: 0 });
    expect(one).toMatchObject({ parentSpanId: job?.spanId, kind: 3 });
    expect(inOne).toMatchObject({ parentSpanId: one?.spanId, attributes: { rows: 3, whole: true } });
  });

  it('tells of an error by its kind, and never by its message', async () => {
    const trace = traceWith(await start());
    const failing = (error: Error) => trace(internal(error.name), () => Promise.reject(error));
    await expect(failing(new RangeError('jane@mail.example is out'))).rejects.toThrow('is out');
    await expect(failing(Object.assign(new Error('secret'), { code: 'ECONNRESET' }))).rejects.toThrow();
    await flush();
    expect(receiver.named('RangeError')).toMatchObject({
      status: 2,
      attributes: { 'error.type': 'RangeError' },
    });
    expect(receiver.named('Error')).toMatchObject({ attributes: { 'error.type': 'ECONNRESET' } });
    for (const text of ['jane@', 'is out', 'secret']) expect(receiver.received).not.toContain(text);
  });

  it('belongs to the service by the standard variables, with the collector’s headers', async () => {
    const trace = traceWith(
      await start({
        OTEL_SERVICE_NAME: 'shop-bots',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=seven',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      }),
    );
    await trace(internal('work'), async () => undefined);
    await flush();
    expect(receiver.named('work')?.resource).toMatchObject({
      'service.name': 'shop-bots',
      'service.version': '1.2.3',
      'service.instance.id': 'node-1',
      'deployment.environment.name': 'test',
    });
    expect(receiver.headers).toMatchObject({ 'x-tenant': 'seven', 'content-encoding': 'gzip' });
  });

  it('begins where the caller’s did, unless callers are not to say so', async () => {
    const caller = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: undefined,
    };
    (await start()).begin(internal('part'), caller).end();
    await flush();
    expect(receiver.named('part')).toMatchObject({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
    });
    const own = await start({ OTEL_PROPAGATORS: 'none' });
    own.begin(internal('own'), caller).end();
    own.begin(internal('malformed'), { ...caller, traceparent: 'nonsense' }).end();
    await flush();
    for (const name of ['own', 'malformed']) expect(receiver.named(name)?.parentSpanId).toBe('');
  });

  it.each([
    ['always_off', '1', 0],
    ['traceidratio', '0', 0],
    ['traceidratio', '1', 20],
    ['parentbased_always_on', '0', 20],
    ['parentbased_always_off', '1', 0],
  ])('is sampled by %s with %s: %d of 20', async (sampler, ratio, count) => {
    const tracer = await start({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio });
    for (let n = 0; n < 20; n += 1) tracer.begin(internal('work'), null).end();
    await flush();
    expect(receiver.spans).toHaveLength(count);
  });
});

describe('a collector', () => {
  it('that is down costs the work nothing, and one line of the log that belongs to no request', async () => {
    const port = await freePort();
    const trace = traceWith(
      await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:hunter2@127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '50',
        OTEL_BSP_SCHEDULE_DELAY: '10',
      }),
    );
    for (let n = 0; n < 10_000; n += 1)
      await inRequest({ requestId: `request-${n}` }, () => trace(internal('work'), async () => undefined));
    await expect.poll(() => lines.length).toBe(1);
    expect(lines).toMatchObject([
      { level: 'warn', requestId: undefined, message: expect.stringContaining('does not answer') },
    ]);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('that hangs keeps no more spans waiting than the queue holds, and no stop', async () => {
    receiver.hangs = true;
    const tracer = await start({
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '32',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    for (let n = 0; n < 1_000; n += 1) tracer.begin(internal('work'), null).end();
    await expect.poll(() => receiver.requests).toBe(1);
    await tracing?.stop(50);
    // One batch was on its way; what the queue held left at the stop.
    await expect.poll(() => receiver.requests).toBeGreaterThan(1);
    expect(receiver.requests).toBeLessThanOrEqual(3);
  });

  it('that answers again is logged', async () => {
    receiver.hangs = true;
    const tracer = await start({ OTEL_EXPORTER_OTLP_TIMEOUT: '50', OTEL_BSP_SCHEDULE_DELAY: '10' });
    tracer.begin(internal('lost'), null).end();
    await expect.poll(() => lines.map(({ level }) => level)).toEqual(['warn']);
    receiver.hangs = false;
    tracer.begin(internal('stored'), null).end();
    await expect.poll(() => lines.map(({ level }) => level)).toEqual(['warn', 'info']);
    expect(receiver.named('stored')).toBeDefined();
  });
});

it('without a tracer work runs as it would', async () => {
  expect(traceWith(null)).toBe(untraced);
  expect(await asPart(internal('work'), async () => currentRequest())).toBeUndefined();
  annotate(() => {
    throw new Error('called for nothing');
  });
});
