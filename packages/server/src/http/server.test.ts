import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpServer, type ServerLimits, startHttpServer } from './server.ts';

let server: HttpServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(0);
});

interface Options {
  limits?: Partial<ServerLimits>;
  trust?: { kind: 'hops'; count: number };
  isHttps?: boolean;
  onUntrustedProxy?: () => void;
}

async function start(options: Options = {}): Promise<void> {
  server = await startHttpServer({
    host: '0.0.0.0',
    port: 0,
    raw: new Map([['/raw', (_request, response) => void response.writeHead(204).end()]]),
    fetch: async (request) => new Response(await request.text()),
    ...options,
  });
}

/** A socket from this address of the loopback network, and everything that it is sent until it closes. */
function dial(from: string, bytes: string): { socket: Socket; text: () => string; closed: Promise<string> } {
  const socket = connect({ host: '127.0.0.1', port: server.address.port, localAddress: from });
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  return {
    socket,
    text: () => text,
    closed: new Promise((resolve) => socket.on('close', () => resolve(text))),
  };
}
const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
const HANGING = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';

describe('connections', () => {
  it('lets one address hold only so many, and others come in', async () => {
    await start({ limits: { connections: { perAddress: 3, total: 100 } } });
    const held = [1, 2, 3].map(() => dial('127.0.0.2', HANGING));
    await expect.poll(() => held.every(({ socket }) => !socket.connecting)).toBe(true);
    expect(await dial('127.0.0.2', get('/raw')).closed).toBe('');
    expect(await dial('127.0.0.3', get('/raw')).closed).toContain('204');
    held[0]?.socket.destroy();
    await expect.poll(() => dial('127.0.0.2', get('/raw')).closed).toContain('204');
  });

  it('closes the one that has been idle longest when all are taken, never one that works', async () => {
    await start({ limits: { connections: { perAddress: 100, total: 2 } } });
    const working = dial('127.0.0.2', HANGING);
    const idle = dial('127.0.0.3', 'GET /raw HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(idle.text).toContain('204');
    expect(await dial('127.0.0.4', get('/raw')).closed).toContain('204');
    await idle.closed;
    expect(working.socket.destroyed).toBe(false);
    working.socket.write('0123456789');
    await expect.poll(working.text).toContain('0123456789');
  });

  it('does not hold a trusted proxy to what one client may have', async () => {
    await start({
      limits: { connections: { perAddress: 1, total: 100 } },
      trust: { kind: 'hops', count: 1 },
    });
    for (let i = 0; i < 3; i++) dial('127.0.0.2', HANGING);
    expect(await dial('127.0.0.2', get('/raw')).closed).toContain('204');
  });
});

it('answers 408 when a body of the application takes too long, however steadily it drips', async () => {
  await start({ limits: { bodyTimeout: 150 } });
  const { socket, closed } = dial('127.0.0.1', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const drip = setInterval(() => socket.write('x'), 20);
  expect(await closed).toMatch(/^HTTP\/1.1 408 [\s\S]*problems\/request_timeout/);
  clearInterval(drip);
});

it.each([
  ['/healthz', 200],
  ['/readyz', 200],
  ['/api', 400],
])('answers health checks in HTTP/1.0 without a Host header, and nothing else: %s', async (path, status) => {
  await start();
  const { closed } = dial('127.0.0.1', `GET ${path} HTTP/1.0\r\n\r\n`);
  expect(await closed).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
});

it.each([
  ['two Host headers', 'GET /raw HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n'],
  ['an address that names another host', 'GET http://b.example/raw HTTP/1.1\r\nHost: a.example\r\n\r\n'],
  ['a host with an empty label', 'GET /raw HTTP/1.1\r\nHost: a.example..\r\n\r\n'],
])('answers 400 to %s', async (_, bytes) => {
  await start();
  expect(await dial('127.0.0.1', bytes).closed).toMatch(/^HTTP\/1.1 400 /);
});

it('takes an address in the request line that names the same host', async () => {
  await start();
  const bytes = 'GET http://A.example/raw HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n';
  expect(await dial('127.0.0.1', bytes).closed).toMatch(/^HTTP\/1.1 204 /);
});

it('forbids guessing content types everywhere, and asks for https where the service has it', async () => {
  await start({ isHttps: true });
  for (const path of ['/raw', '/']) {
    const answer = await dial('127.0.0.1', get(path)).closed;
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(answer.toLowerCase()).toContain('strict-transport-security: max-age=31536000');
  }
});

it('tells of each request that a proxy forwards though none is trusted', async () => {
  let told = 0;
  await start({
    onUntrustedProxy: () => {
      told += 1;
    },
  });
  await dial('127.0.0.1', get('/raw')).closed;
  expect(told).toBe(0);
  for (let i = 0; i < 2; i++) await dial('127.0.0.1', get('/raw', 'X-Forwarded-For: 203.0.113.9\r\n')).closed;
  expect(told).toBe(2);
});

it('answers 400 to a body in chunks of a byte, and reads the next connections of its address one after the other', async () => {
  await start();
  const crumbs = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(2_000)}`;
  expect(await dial('127.0.0.2', crumbs).closed).toMatch(
    /^HTTP\/1.1 400 [\s\S]*chunks of the body are too small/,
  );
  const ended: string[] = [];
  const slow = Array.from({ length: 5 }, (_, n) =>
    dial('127.0.0.2', get('/raw')).closed.then((text) => {
      ended.push(`slow ${n}`);
      return text;
    }),
  );
  const other = await dial('127.0.0.3', get('/raw')).closed;
  ended.push('other');
  expect(other).toContain('204');
  for (const text of await Promise.all(slow)) expect(text).toContain('204');
  expect(ended.indexOf('other')).toBeLessThan(5);
  expect(ended.filter((name) => name !== 'other')).toEqual([
    'slow 0',
    'slow 1',
    'slow 2',
    'slow 3',
    'slow 4',
  ]);
});
