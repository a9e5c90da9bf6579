/** What the end-to-end test of all frameworks doesn't reach: HTTP/2, answers without a body, and runtimes without Node. */
import { once } from 'node:events';
import { createServer as createHttp, get } from 'node:http';
import { connect, createServer as createHttp2, type Http2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ghostlight, GhostlightOptions } from '../api.ts';
import { createGhostlight } from '../ghostlight.ts';
import { ATTRIBUTION_ID, KEY, SERVICE, TestReceiver } from '../testing/world.ts';

const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.2)';
let service: TestReceiver;
let visits: Ghostlight;
const open: (() => Promise<unknown> | unknown)[] = [];
const start = (options: Partial<GhostlightOptions> = {}): Ghostlight =>
  createGhostlight({
    ...{ url: SERVICE, attributionId: ATTRIBUTION_ID, key: KEY, sampleRate: 0, fetch: service.fetch },
    ...{ flushOnExit: false, log: () => {}, ...options },
  });
beforeEach(() => {
  service = new TestReceiver();
  visits = start();
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** The visits that were reported until now. */
async function reported(of = visits) {
  await of.flush();
  return service.lines().filter((line) => !('counted' in line));
}

async function listen(server: Server | Http2Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
    return new Promise((resolve) => void server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a body that HTTP/2 ends with is counted once, and the host is its authority', async () => {
  const address = await listen(
    createHttp2(visits.http((_, response) => void response.end('hello')) as never),
  );
  const session = connect(address);
  open.unshift(() => session.close());
  const stream = session.request({
    ...{ ':path': '/page?a=b', ':authority': 'shop.example', 'user-agent': GPTBOT },
  });
  stream.resume();
  await once(stream, 'end');
  await expect.poll(() => visits.stats().visits).toBe(1);
  expect(await reported()).toMatchObject([
    { host: 'shop.example', pathname: '/page?a=b', status: 200, bytes: 5 },
  ]);
});

it.each([
  ['HEAD', 200, 0],
  ['GET', 204, 0],
  ['GET', 200, 7],
] as const)('%s with status %d has %d bytes', async (method, status, bytes) => {
  const listener = visits.http((_, response) => {
    response.statusCode = status;
    response.write('abc');
    response.end('defg', 'latin1');
  });
  const address = await listen(createHttp(listener));
  await fetch(address, { method, headers: { 'User-Agent': GPTBOT } }).then((answer) => answer.text());
  expect(await reported()).toMatchObject([{ method, status, bytes }]);
});

it('a client that leaves before the answer got no status', async () => {
  const arrived = Promise.withResolvers<void>();
  const address = await listen(createHttp(visits.http(() => arrived.resolve())));
  const request = get(address, { headers: { 'User-Agent': GPTBOT } });
  request.on('error', () => {});
  await arrived.promise;
  request.destroy();
  await expect.poll(() => visits.stats().visits).toBe(1);
  const [line] = await reported();
  expect(line).not.toHaveProperty('status');
  expect(line).not.toHaveProperty('bytes');
});

describe('Hono without Node', () => {
  const headers = { 'User-Agent': GPTBOT, Host: 'shop.example' };

  it('reports the status, the size that was declared, and keeps the runtime for it', async () => {
    const app = new Hono().use(visits.hono);
    app.get('/declared', (c) => c.body('hello', 203, { 'Content-Length': '5' }));
    app.get('/streamed', (c) => c.body('hello'));
    app.get('/fail', () => {
      throw new Error('of the application');
    });
    app.onError((_, c) => c.text('sorry', 500));
    const works: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => void works.push(work),
      passThroughOnException() {},
    };
    for (const path of ['/declared', '/streamed', '/fail'])
      await app.request(path, { headers }, {}, { ...context, props: {} });
    expect(works).toHaveLength(3);
    const [declared, streamed, failed] = await reported();
    await Promise.all(works);
    expect(declared).toMatchObject({ status: 203, bytes: 5, host: 'shop.example' });
    expect(streamed).not.toHaveProperty('bytes');
    expect(failed).toMatchObject({ status: 500 });
  });

  it('needs no context that keeps it', async () => {
    const app = new Hono().use(visits.hono).get('/', (c) => c.text('hello'));
    expect(await (await app.request('/', { headers })).text()).toBe('hello');
    expect(await reported()).toHaveLength(1);
  });
});

describe('an application is not disturbed', () => {
  it.each([undefined, null, 7, {}, { url: 7, key: {}, attributionId: [] }])(
    'by the options %o',
    async (given) => {
      const said: string[] = [];
      const options =
        typeof given === 'object' && given !== null
          ? { ...given, log: (text: string) => said.push(text) }
          : given;
      const { warn } = console;
      console.warn = (text: string) => void said.push(text);
      try {
        const broken = createGhostlight(options as unknown as GhostlightOptions);
        const address = await listen(createHttp(broken.http((_, response) => void response.end('hello'))));
        expect(await (await fetch(address)).text()).toBe('hello');
        expect(await broken.next(new Request('https://shop.example/'))).toBeUndefined();
        await broken.close();
        expect(said.join('\n')).toContain('Nothing is reported');
      } finally {
        console.warn = warn;
      }
    },
  );

  it('by its own callbacks, whatever they do', async () => {
    const thrown = start({
      log: () => {
        throw new Error('of the log');
      },
      debug: () => Promise.reject(new Error('of debug')) as never,
    });
    service.answer = () => new Response(null, { status: 401 });
    const address = await listen(createHttp(thrown.http((_, response) => void response.end('hello'))));
    expect(await (await fetch(address, { headers: { 'User-Agent': GPTBOT } })).text()).toBe('hello');
    await thrown.flush();
    expect(thrown.stats()).toMatchObject({ waiting: 1, sent: 0 });
  });

  it('by what its own listener throws: that goes where it went before', () => {
    const listener = visits.http(() => {
      throw new RangeError('of the application');
    });
    expect(() => listener({ headers: {} } as never, { once() {} } as never)).toThrow(RangeError);
  });
});

it('sees nothing any more when it is closed', async () => {
  const address = await listen(createHttp(visits.http((_, response) => void response.end('hello'))));
  await fetch(address, { headers: { 'User-Agent': GPTBOT } });
  await visits.close();
  expect(visits.stats()).toMatchObject({ requests: 1, visits: 1, sent: 1 });
  await fetch(address, { headers: { 'User-Agent': GPTBOT } });
  expect(visits.stats()).toMatchObject({ requests: 1 });
});
