import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSend, type OutboundRequest, SendError, type SendOptions } from './index.ts';

const request: OutboundRequest = {
  method: 'POST',
  url: 'https://platform.example/events?x=1',
  headers: { 'content-type': 'application/json' },
  body: '{"a":"ü"}',
};
const options: SendOptions = { timeoutMs: 2_000, maxBytes: 1_000, guarded: true };

let server: Server;
let base: string;
let answer: RequestListener;
let connections: number;
beforeEach(async () => {
  connections = 0;
  server = createServer((incoming, response) => answer(incoming, response));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const mapped = () => createSend({ hosts: new Map([['platform.example', `${base}/under`]]) });
const failure = async (attempt: Promise<unknown>): Promise<SendError> => {
  const thrown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof SendError) return thrown;
  throw new Error(`no SendError: ${thrown}`);
};

describe('a request', () => {
  it('arrives as it was made, where its host is mapped to, and every status is an answer', async () => {
    answer = async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method, url, headers } = incoming;
      const seen = {
        method,
        url,
        type: headers['content-type'],
        length: headers['content-length'],
        body: Buffer.concat(chunks).toString(),
      };
      response
        .writeHead(422, { 'X-Request-Id': 'r1', 'Set-Cookie': ['a=1', 'b=2'] })
        .end(JSON.stringify(seen));
    };
    const { status, headers, body } = await mapped()(request, options);
    expect(status).toBe(422);
    expect(headers).toMatchObject({ 'x-request-id': 'r1', 'set-cookie': 'a=1, b=2' });
    expect(JSON.parse(body)).toEqual({
      ...{
        method: 'POST',
        url: '/under/events?x=1',
        type: 'application/json',
        length: '10',
        body: '{"a":"ü"}',
      },
    });
  });

  it('keeps its connection for the next', async () => {
    answer = (_incoming, response) => response.end('{}');
    const send = mapped();
    for (let n = 0; n < 5; n += 1) await send({ ...request, method: 'GET', body: null }, options);
    expect(connections).toBe(1);
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    answer = (incoming, response) => {
      asked.push(incoming.url);
      response.writeHead(307, { Location: 'https://platform.example/elsewhere' }).end();
    };
    expect(await mapped()(request, options)).toMatchObject({ status: 307 });
    expect(asked).toEqual(['/under/events?x=1']);
  });

  it('takes no more of an answer than it may, also of a compressed one', async () => {
    answer = (_incoming, response) => response.end('x'.repeat(500_000));
    expect((await mapped()(request, options)).body).toHaveLength(1_000);
    answer = (_incoming, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('y'.repeat(5_000_000)));
    expect((await mapped()(request, options)).body).toBe('y'.repeat(1_000));
    answer = (_incoming, response) => response.writeHead(200, { 'Content-Encoding': 'zstd' }).end('z');
    expect(await mapped()(request, options)).toMatchObject({ status: 200, body: '' });
  });
});

describe('a request without an answer', () => {
  it.each<[string, RequestListener]>([
    ['that is never given', () => undefined],
    ['that stops in the middle', (_incoming, response) => void response.writeHead(200).write('{')],
    [
      'that drips',
      (_incoming, response) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('in time (%s) may have arrived', async (_name, listener) => {
    answer = listener;
    const error = await failure(mapped()(request, { ...options, maxBytes: 1_000_000, timeoutMs: 300 }));
    expect(error).toMatchObject({ word: 'timeout', left: true });
  });

  it('since the connection was cut may have arrived', async () => {
    answer = (incoming) => incoming.socket.destroy();
    expect(await failure(mapped()(request, options))).toMatchObject({ word: 'unreachable', left: true });
    answer = (incoming, response) => {
      response.writeHead(200, { 'Content-Length': '10' }).write('{');
      setTimeout(() => incoming.socket.destroy(), 20);
    };
    expect(await failure(mapped()(request, options))).toMatchObject({ word: 'unreachable', left: true });
  });

  it('without a listener, or with a name that leads nowhere, has not left', async () => {
    const send = mapped();
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(send(request, options))).toMatchObject({ word: 'unreachable', left: false });
    const url = 'https://there-is-no-such-host.invalid/';
    expect(await failure(send({ ...request, url }, options))).toMatchObject({
      word: 'no_such_host',
      left: false,
    });
  });

  it('since the service ends says so', async () => {
    answer = () => undefined;
    const abort = new AbortController();
    const attempt = failure(mapped()(request, { ...options, signal: abort.signal }));
    await expect.poll(() => connections).toBe(1);
    setTimeout(() => abort.abort(), 50);
    expect(await attempt).toMatchObject({ word: 'stopped', left: true });
  });

  it('that is none at all is refused without a word of what is in it', async () => {
    const headers = { authorization: 'Bearer secret\r\nX-Evil: 1' };
    const error = await failure(mapped()({ ...request, headers }, options));
    expect(error).toMatchObject({ word: 'invalid_request', left: false });
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret');
    expect(await failure(mapped()({ ...request, url: 'nonsense' }, options))).toMatchObject({
      word: 'invalid_request',
    });
  });
});

describe('a host that a user names', () => {
  const send = () => createSend({ hosts: new Map() });

  it.each([
    'localhost',
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:7f00:1]',
    '[fd00::1]',
    '[64:ff9b::a00:1]',
    '0x7f.1',
    '2130706433',
  ])('must not lead into our own network: %s', async (host) => {
    const error = await failure(send()({ ...request, url: `https://${host}/` }, options));
    expect(error).toMatchObject({ word: 'private_address', left: false });
  });

  it('is asked over https, and may be mapped elsewhere by the operator alone', async () => {
    answer = (_incoming, response) => response.end('here');
    expect(await failure(send()({ ...request, url: base }, options))).toMatchObject({
      word: 'not_https',
      left: false,
    });
    expect((await mapped()(request, options)).body).toBe('here');
  });
});
