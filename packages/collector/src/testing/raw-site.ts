/** An origin whose every answer is named by its path, and the same bytes each time: `/{status}/{body kind}`. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { RawSite } from './bare-workerd.ts';

const PAGE = '<!doctype html><title>Shop</title>'.repeat(600);
const FILE = Buffer.alloc(5 * 1024 * 1024, 'ghostlight');

interface Body {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Buffer)[];
  /** Whether the origin says how long it is. */
  readonly declared: boolean;
  /** What the collector can know of it. */
  readonly counted: number;
}

const gzipped = gzipSync(PAGE);
const brotli = brotliCompressSync(PAGE);
const events = ['data: one\n\n', 'data: two\n\n'];

export const BODIES = {
  empty: { headers: {}, chunks: [], declared: true, counted: 0 },
  'content-length': { headers: {}, chunks: [PAGE], declared: true, counted: PAGE.length },
  chunked: { headers: {}, chunks: ['first,', 'second,', 'third'], declared: false, counted: 18 },
  gzip: {
    headers: { 'Content-Encoding': 'gzip' },
    chunks: [gzipped],
    declared: true,
    counted: gzipped.length,
  },
  'gzip-chunked': {
    headers: { 'Content-Encoding': 'gzip' },
    chunks: [gzipped.subarray(0, 20), gzipped.subarray(20)],
    declared: false,
    counted: PAGE.length,
  },
  br: { headers: { 'Content-Encoding': 'br' }, chunks: [brotli], declared: true, counted: brotli.length },
  '5-mib': { headers: {}, chunks: [FILE], declared: true, counted: FILE.length },
  'event-stream': {
    headers: { 'Content-Type': 'text/event-stream' },
    chunks: events,
    declared: false,
    counted: 0,
  },
} as const satisfies Record<string, Body>;

export type BodyKind = keyof typeof BODIES;

/** What came from the Worker: method, path, raw headers and body. */
export type SeenByOrigin = readonly unknown[];

export function rawSite(seen: SeenByOrigin[]): RawSite {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push([request.method, request.url, request.rawHeaders, Buffer.concat(chunks).toString()]);
    const [, status, kind] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const body: Body = BODIES[kind as BodyKind];
    const length = body.chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
    const isBodiless = status === '204' || status === '304' || request.method === 'HEAD';
    response.sendDate = false;
    response.writeHead(Number(status), 'As The Origin Says', {
      'Content-Type': 'text/html; charset=utf-8',
      'Set-Cookie': ['a=1; Path=/', 'b=2; HttpOnly'],
      ETag: '"v1"',
      'X-Odd_Name': 'caf\xe9',
      ...(status === '206' ? { 'Content-Range': `bytes 0-${length}/*` } : {}),
      ...(status?.startsWith('30') === true ? { Location: '/elsewhere?x=1#y' } : {}),
      ...(status === '503' ? { 'Retry-After': '7' } : {}),
      ...body.headers,
      ...(body.declared && status !== '204' ? { 'Content-Length': String(length) } : {}),
    });
    if (!isBodiless) for (const chunk of body.chunks) response.write(chunk);
    response.end();
  };
}
