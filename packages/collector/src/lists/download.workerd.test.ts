import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BareEdge, startBareWorkerd } from '../testing/bare-workerd.ts';

const MAX_BYTES = 100_000;
const ENTRY = `
import { download } from './lists/index.ts';
export default { async fetch(request) {
  const path = new URL(request.url).pathname;
  const timeoutMs = path === '/stalls' || path === '/silent' ? 300 : 10_000;
  const got = await download(fetch, { url: 'https://far.example' + path, headers: { accept: 'x/y' }, timeoutMs, maxBytes: ${MAX_BYTES} });
  // While the request lasts: its end closes everything.
  for (let i = 0; i < 300 && path.startsWith('/endless'); i++) {
    if ((await (await fetch('https://far.example/closed' + path)).text()) === 'true') return Response.json({ ...got, closed: true });
    await scheduler.wait(10);
  }
  return Response.json('text' in got ? { text: got.text, etag: got.headers.get('etag') } : got);
} };`;

const closed = new Set<string>();
const far: RequestListener = (request, response) => {
  const path = request.url ?? '';
  response.on('close', () => closed.add(path));
  const endless = (status: number) => () => {
    response.writeHead(status);
    const timer = setInterval(() => response.write('x'.repeat(20_000)), 1);
    response.on('close', () => clearInterval(timer));
  };
  const answer: Record<string, () => void> = {
    '/text': () => response.writeHead(200, { etag: '"e"' }).end(`grün ${request.headers.accept}`),
    '/empty': () => response.writeHead(200, { 'content-length': 0 }).end(),
    '/full': () => response.end('x'.repeat(MAX_BYTES)),
    '/endless': endless(200),
    '/endless-error': endless(500),
    '/bomb': () =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10 * MAX_BYTES))),
    '/stalls': () => response.write('{"half":'),
    '/silent': () => {},
    '/cut': () => {
      response.writeHead(200, { 'content-length': 1000 }).write('half');
      setTimeout(() => response.destroy(), 20);
    },
    '/same': () => response.writeHead(304).end(),
    '/moved': () => response.writeHead(302, { location: 'https://far.example/text' }).end(),
    '/gone': () => response.writeHead(410).end('gone'),
  };
  const told = path.replace('/closed', '');
  if (told !== path) response.end(String(closed.has(told)));
  else answer[path]?.();
};

let edge: BareEdge;
beforeAll(async () => {
  edge = await startBareWorkerd({ entry: ENTRY, sites: { 'far.example': far } });
});
afterAll(() => edge.close());

const download = async (path: string): Promise<unknown> =>
  JSON.parse((await edge.visit(`https://shop.example${path}`)).body.toString());

it.each([
  ['/text', { text: 'grün x/y', etag: '"e"' }],
  ['/empty', { text: '', etag: null }],
  ['/full', { text: 'x'.repeat(MAX_BYTES), etag: null }],
  ['/same', { status: 304 }],
  ['/moved', { problem: 'status 302' }],
  ['/gone', { problem: 'status 410' }],
  ['/bomb', { problem: 'too long' }],
  ['/stalls', { problem: 'no answer in time' }],
  ['/silent', { problem: 'no answer in time' }],
  ['/cut', { problem: 'no connection' }],
])('a download from %s ends with its own word', async (path, expected) => {
  expect(await download(path)).toEqual(expected);
});

it.each([
  ['/endless', 'too long'],
  ['/endless-error', 'status 500'],
])('%s is dropped at once, and its connection with it', async (path, problem) => {
  expect(await download(path)).toEqual({ problem, closed: true });
});
