/** `GET /sdk.js`: the SDK's built file, held in memory with its compressed form. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

export interface Script {
  respond(request: Request): Response;
}

const COMMON = {
  'Content-Type': 'text/javascript; charset=utf-8',
  // A new version reaches every page within the hour, and for a day a page never waits for it.
  'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
};

/** @returns null where it is not built */
export async function loadScript(file: string): Promise<Script | null> {
  const source = await readFile(file).catch(() => null);
  if (source === null) return null;
  const identity = new Uint8Array(source);
  const gzip = new Uint8Array(gzipSync(identity, { level: 9 }));
  const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return {
    respond(request) {
      const accepted = (request.headers.get('accept-encoding') ?? '').toLowerCase();
      const compressed = /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted);
      const etag = `"${tag}${compressed ? '-gzip' : ''}"`;
      const headers = { ...COMMON, ETag: etag };
      const known = (request.headers.get('if-none-match') ?? '')
        .split(',')
        .map((part) => part.trim().replace(/^W\//, ''));
      if (known.includes(`"${tag}"`) || known.includes(`"${tag}-gzip"`))
        return new Response(null, { status: 304, headers });
      const body = compressed ? gzip : identity;
      return new Response(request.method === 'HEAD' ? null : body, {
        headers: {
          ...headers,
          'Content-Length': String(body.length),
          ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
        },
      });
    },
  };
}
