/** What attackers and broken senders post: never a 5xx other than 503, never an unhandled rejection, the rest of the batch kept. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  GPTBOT,
  type Harness,
  KEY,
  ndjson,
  pushLine,
  startIngest,
  UNKNOWN_KEY,
  workerHit,
} from './testing/harness.ts';

let ingest: Harness;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(async () => {
  process.on('unhandledRejection', note);
  ingest = await startIngest();
});
afterEach(async () => {
  await ingest.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const good = JSON.stringify(workerHit());

it.each([
  ['deep JSON', `[${good},{"timestamp":${deep(300_000)}}]`, 200],
  [
    'a deep unknown field',
    `[${JSON.stringify(workerHit({ x: 1 })).replace('"x":1', `"x":${deep(300_000)}`)}]`,
    204,
  ],
  ['__proto__', `[${good},{"__proto__":{"timestamp":1},"constructor":{"prototype":{"a":1}}}]`, 200],
  [
    'lone surrogates',
    `[${good},${JSON.stringify(workerHit({ pathname: '/\ud800', query_params: { '\udc00': '\ud800' } }))}]`,
    204,
  ],
  ['NUL bytes in strings', JSON.stringify([workerHit({ pathname: '/\u0000', host: 'a\u0000' })]), 204],
  ['raw NUL bytes', '[\u0000]', 400],
  [
    'ten thousand parameters',
    JSON.stringify([
      workerHit({
        query_params: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'v'])),
      }),
    ]),
    204,
  ],
  [
    'a user agent of nearly 1 MiB',
    JSON.stringify([workerHit({ user_agent: `${GPTBOT} ${'x'.repeat(1_000_000)}` })]),
    204,
  ],
  ['half a million numbers', `[${good},${'0,'.repeat(500_000)}0]`, 200],
])('worker endpoint: %s', async (_, body, status) => {
  expect((await ingest.post('edge_worker', body)).status).toBe(status);
  if (status < 300) expect(ingest.spool.kept).toBeGreaterThan(0);
});

it.each([
  ['random bytes', randomBytes(10_000)],
  ['gzip cut short', gzipSync(`[${good}]`).subarray(0, 40)],
  ['gzip of a gigabyte’s like', gzipSync(Buffer.alloc(64 * 1024 * 1024))],
  ['a gzip head alone', Buffer.from([0x1f, 0x8b, 8])],
  ['broken UTF-8', Buffer.concat([Buffer.from('[{"host":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}]')])],
])('worker endpoint refuses %s with a 4xx', async (_, body) => {
  const { status } = await ingest.post('edge_worker', body);
  expect([400, 413, 422]).toContain(status);
});

it('log push keeps the good lines between bad ones', async () => {
  const bad = [
    `{"EdgeStartTimestamp":${deep(100_000)},"x":1}`,
    '{"__proto__":{"ClientRequestHost":"x"}}',
    '\u0000\u0000',
    '{"ClientRequestUserAgent":"GPTBot\\ud800","EdgeStartTimestamp":-1}',
    `{"ClientRequestUserAgent":"GPTBot ${'x'.repeat(1_000_000)}"}`,
    'x'.repeat(2_000_000),
  ];
  const body =
    bad.map((line, n) => `${ndjson(pushLine({ n }))}${line}\n`).join('') + ndjson(pushLine({ last: true }));
  const answer = await ingest.post('edge_logpush', gzipSync(body));
  expect(answer.json).toMatchObject({ kept: bad.length + 1, rejected: bad.length });
});

it('log push passes over a line of 256 MiB in bounded memory', async () => {
  const gzip = createGzip({ level: 1 });
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => gzip.on('end', resolve));
  const block = Buffer.alloc(4 * 1024 * 1024, 'x');
  gzip.write(ndjson(pushLine()));
  for (let i = 0; i < 64; i++)
    if (!gzip.write(block)) await new Promise((resolve) => gzip.once('drain', resolve));
  gzip.end(`\n${ndjson(pushLine({ n: 2 }))}`);
  await ended;
  const idle = process.memoryUsage().rss;
  let most = idle;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const answer = await ingest.post('edge_logpush', Buffer.concat(parts));
  clearInterval(watch);
  expect(answer.json).toMatchObject({
    kept: 2,
    rejected: 1,
    errors: [{ index: 1, reason: 'line_too_long' }],
  });
  expect(most - idle).toBeLessThan(150 * 1024 * 1024);
});

it('a refused sender of an endless body is let go', async () => {
  const socket = connect(ingest.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(
    `POST /v1/logs/edge_logpush HTTP/1.1\r\nHost: x\r\nX-API-Key: ${UNKNOWN_KEY}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const feed = setInterval(() => socket.writable && socket.write(chunk), 1);
  await closed;
  clearInterval(feed);
  expect(answer).toMatch(/^HTTP\/1.1 401/);
});

it('a refused sender that never finishes a small body is let go', async () => {
  const text = await ingest.raw(
    `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${UNKNOWN_KEY}\r\nContent-Length: 100\r\n\r\n[`,
  );
  expect(text).toMatch(/^HTTP\/1.1 401/);
}, 4_000);

it('a thousand senders that hang up in the middle leave nothing behind', async () => {
  const cut = async (endpoint: string): Promise<void> => {
    const socket = connect(ingest.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.write(
      `POST /v1/logs/${endpoint} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Length: 9999\r\n\r\n[{`,
    );
    setTimeout(() => socket.destroy(), Math.random() * 20);
  };
  for (let i = 0; i < 20; i++) {
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => cut(n % 2 === 0 ? 'edge_worker' : 'edge_logpush')),
    );
  }
  await expect.poll(() => ingest.spool.open).toBe(0);
  await expect.poll(async () => (await ingest.post('edge_logpush', ndjson(pushLine()))).status).toBe(204);
  expect(ingest.spool.entries).toHaveLength(1);
});
