import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi, type RootCaller, ServiceError } from '../common/index.ts';
import { createLogger } from '../logger.ts';
import { createApp } from './app.ts';
import { type HttpServer, startHttpServer } from './server.ts';

const directory = mkdtempSync(join(tmpdir(), 'ghostlight-request-id-'));
const file = join(directory, 'log');
const fd = openSync(file, 'a');
const log = createLogger('info', false, fd);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const api = createApi();
api.get('/fine', (c) => c.json({}));
api.get('/refused', () => {
  throw new ServiceError('invalid', 'This is refused.');
});
api.get('/fault', async () => {
  await Promise.resolve();
  log.child({ room: 'deep' }).warn({ part: 1 }, 'something is odd');
  throw new Error('boom');
});
api.get('/stream', () => new Response(ReadableStream.from([new TextEncoder().encode('a stream')])));

const app = createApp({
  version: '0',
  log,
  readiness: {
    spool: () => null,
    durability: 'node',
    dataDir: '.',
    database: async () => undefined,
    warehouse: async () => undefined,
  },
  metrics: null,
  metricsToken: null,
  onBehalfOf: (_, run) => run(),
  open: [{ path: '/open', routes: api }],
  managed: [],
  serves: (_, path) => path !== '/other-host',
  authenticate: async () => ({ kind: 'root' }) as unknown as RootCaller,
  onUnknownPath: () => undefined,
  dashboard: { respond: (_, path) => (path === '/' ? new Response('the page') : null) },
});

let server: HttpServer;
let address: string;
beforeAll(async () => {
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    raw: new Map([['/raw', (_request, response) => void response.writeHead(204).end()]]),
    fetch: (request, env) => app.fetch(request, env),
  });
  address = `http://127.0.0.1:${server.address.port}`;
});
afterAll(async () => {
  await server.close(0);
  closeSync(fd);
  rmSync(directory, { recursive: true });
});

const lines = (): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('the id of a request', () => {
  it.each([
    ['an answer of a route', '/open/fine', 200],
    ['a stream', '/open/stream', 200],
    ['a static file', '/', 200],
    ['a probe', '/healthz', 200],
    ['a refusal', '/open/refused', 422],
    ['a fault', '/open/fault', 500],
    ['an unknown path', '/open/nothing', 404],
    ['a path that this host does not serve', '/other-host', 404],
    ['a handler before the application', '/raw', 204],
  ])('is on %s, as it was sent or made', async (_, path, status) => {
    const asked = await fetch(`${address}${path}`, { headers: { 'X-Request-Id': 'from-a-proxy.1' } });
    expect([asked.status, asked.headers.get('x-request-id')]).toEqual([status, 'from-a-proxy.1']);
    const made = await fetch(`${address}${path}`, { headers: { 'X-Request-Id': 'two words' } });
    expect(made.headers.get('x-request-id')).toMatch(UUID);
    if (status < 400) return;
    expect(await asked.json()).toMatchObject({ status, request_id: 'from-a-proxy.1' });
    expect(await made.json()).toMatchObject({ status, request_id: made.headers.get('x-request-id') });
  });

  it('is on an answer that is written past the application', async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(server.address.port, '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('close', () => resolve(received));
      socket.write('GET /open/fine HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Request-Id: twice-named\r\n\r\n');
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('\r\nX-Request-Id: twice-named\r\n');
    expect(text).toContain('"request_id":"twice-named"');
  });

  it('is in every log line of the request, and in no other', async () => {
    log.info({}, 'nothing is asked');
    await Promise.all(
      ['first', 'second'].map((id) =>
        fetch(`${address}/open/fault`, { headers: { 'X-Request-Id': id } }).then((answer) => answer.text()),
      ),
    );
    const of = (id: string) =>
      lines()
        .filter(({ request_id }) => request_id === id)
        .map(({ msg }) => msg);
    for (const id of ['first', 'second'])
      expect(of(id)).toEqual(['something is odd', 'request failed by a fault of ours']);
    expect(lines().find(({ msg }) => msg === 'nothing is asked')).not.toHaveProperty('request_id');
  });

  it('is on the answer to a command, which comes through no listener', async () => {
    const answer = await app.request('/open/fault', { headers: { 'X-Request-Id': 'command-7' } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([500, 'command-7']);
    expect(await answer.json()).toMatchObject({ request_id: 'command-7' });
    expect((await app.request('/open/stream')).headers.get('x-request-id')).toMatch(UUID);
  });
});
