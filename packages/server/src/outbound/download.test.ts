import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDownload, type DownloadRequest } from './index.ts';
import { createAddressGuard } from './public-address.ts';

const request: DownloadRequest = {
  url: 'https://shop.example/document?x=1',
  maxBytes: 1_000,
  redirects: 1,
  accept: 'application/json',
  purpose: 'test',
  timeoutMs: 300,
};

let server: Server;
let base: string;
let answer: RequestListener;
beforeEach(async () => {
  server = createServer((incoming, response) => answer(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const mapped = () => createDownload({ hosts: new Map([['shop.example', `${base}/under`]]) });

describe('a document', () => {
  it('comes with its headers from where the host is mapped to, whatever its coding', async () => {
    for (const [coding, encode] of [
      ['identity', Buffer.from],
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      answer = (incoming, response) => {
        const seen = `${incoming.url} ${incoming.headers['user-agent']}`;
        response.writeHead(200, { ETag: '"1"', 'Content-Encoding': coding }).end(encode(seen));
      };
      const { text, headers } = await mapped()(request);
      expect(text).toBe('/under/document?x=1 Ghostlight (self-hosted; test)');
      expect(headers.etag).toBe('"1"');
    }
  });

  it('may be a gzip file, bounded by what is in it', async () => {
    answer = (_incoming, response) => response.end(gzipSync('packed'));
    expect((await mapped()({ ...request, gzipFile: true })).text).toBe('packed');
    answer = (_incoming, response) => response.end(gzipSync('x'.repeat(1_001)));
    await expect(mapped()({ ...request, gzipFile: true })).rejects.toMatchObject({ word: 'too_large' });
    answer = (_incoming, response) => response.end(gzipSync('cut off').subarray(0, 12));
    await expect(mapped()({ ...request, gzipFile: true })).rejects.toMatchObject({
      word: 'unknown_encoding',
    });
  });

  it('is asked for with the headers of a browser where the caller says so', async () => {
    answer = (incoming, response) => response.end(incoming.headers['user-agent']);
    expect((await mapped()({ ...request, asBrowser: true })).text).toMatch(/^Mozilla/);
  });

  it('follows a redirect within the site, and none beyond it or beyond the number', async () => {
    answer = (incoming, response) =>
      incoming.url === '/under/document?x=1'
        ? response.writeHead(301, { Location: 'https://shop.example/moved' }).end()
        : response.end('here');
    expect((await mapped()(request)).text).toBe('here');
    await expect(mapped()({ ...request, redirects: 0 })).rejects.toMatchObject({ word: 'redirected' });
    answer = (_incoming, response) =>
      response.writeHead(302, { Location: 'https://elsewhere.example/' }).end();
    await expect(mapped()(request)).rejects.toMatchObject({ word: 'redirected' });
  });

  it.each([
    ['https://a.co.uk/x', 'https://b.co.uk/y', false],
    ['https://shop.co.uk/x', 'https://www.shop.co.uk/y', true],
    ['https://one.github.io/x', 'https://two.github.io/y', false],
    ['https://shop.example/x', 'https://cdn.shop.example/y', true],
    ['https://203.0.113.7/x', 'https://198.51.113.7/y', false],
  ])('is one site with another or not by the public suffix: %s → %s %s', async (from, to, follows) => {
    answer = (incoming, response) =>
      incoming.url === '/under/x' ? response.writeHead(301, { Location: to }).end() : response.end('here');
    const names = [from, to].map((url): [string, string] => [new URL(url).hostname, `${base}/under`]);
    const read = createDownload({ hosts: new Map(names) })({ ...request, url: from });
    if (follows) expect((await read).text).toBe('here');
    else await expect(read).rejects.toMatchObject({ word: 'redirected' });
  });

  it.each<[string, RequestListener]>([
    ['http_403', (_q, r) => r.writeHead(403).end('{}')],
    ['too_large', (_q, r) => r.end('x'.repeat(1_001))],
    [
      'too_large',
      (_q, r) => r.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(9_999))),
    ],
    ['timeout', (_q, r) => void r.write('{')],
    ['unreachable', (_q, r) => r.destroy()],
    ['unknown_encoding', (_q, r) => r.writeHead(200, { 'Content-Encoding': 'zstd' }).end('x')],
  ])('fails with the word %s', async (word, listener) => {
    answer = listener;
    await expect(mapped()(request)).rejects.toMatchObject({ word });
  });
});

describe('where a request may go', () => {
  it('is public addresses only', () => {
    const isPublic = createAddressGuard();
    for (const bad of [
      ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.64.0.1'],
      ...['::1', 'fd00::1', '::ffff:10.0.0.1', 'fe80::1'],
      ...['fec0::1', '::ffff:0:a00:1', '192.88.99.1', '5f00::1', '3fff:0:1::1'],
    ])
      expect(isPublic(bad), bad).toBe(false);
    for (const fine of ['8.8.8.8', '2606:4700::1']) expect(isPublic(fine), fine).toBe(true);
  });

  it('holds for names and for addresses in the URL itself', async () => {
    const download = createDownload({ hosts: new Map() });
    for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:10.0.0.1]', '0x7f.1', '2130706433'])
      await expect(download({ ...request, url: `https://${host}/` }), host).rejects.toMatchObject({
        word: 'private_address',
      });
  });

  it('is https, except for a command that asks its own machine', async () => {
    answer = (_incoming, response) => response.end('here');
    await expect(createDownload({ hosts: new Map() })({ ...request, url: base })).rejects.toMatchObject({
      word: 'not_https',
    });
    const command = createDownload({ hosts: new Map(), reach: 'any' });
    expect((await command({ ...request, url: base })).text).toBe('here');
    await expect(command({ ...request, url: 'http://shop.example/' })).rejects.toMatchObject({
      word: 'not_https',
    });
  });
});
