/** `GET /sdk.js`: the SDK's built file, held in memory with its compressed forms. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { once } from '../common/index.ts';

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

interface Form {
  /** As in `Content-Encoding`; null: as it is. */
  readonly encoding: 'br' | 'gzip' | null;
  /** Compressed when it is first asked for: a start is quicker than brotli. */
  readonly body: () => Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** @returns null where it is not built */
export async function loadScript(file: string): Promise<Script | null> {
  const source = await readFile(file).catch(() => null);
  if (source === null) return null;
  const tag = createHash('sha256').update(source).digest('base64url').slice(0, 22);
  const whole = new Uint8Array(source);
  const identity: Form = { encoding: null, body: () => whole, etag: `"${tag}"` };
  // Smallest first: the first one that the browser takes is sent. Eight kilobytes take some milliseconds at the highest quality.
  const forms: readonly Form[] = [
    { encoding: 'br', body: once(() => brotliCompressSync(source, BROTLI)), etag: `"${tag}-br"` },
    { encoding: 'gzip', body: once(() => gzipSync(source, { level: 9 })), etag: `"${tag}-gzip"` },
    identity,
  ];
  return {
    respond(request) {
      const accepts = acceptedBy(request.headers.get('accept-encoding') ?? '');
      const form = forms.find(({ encoding }) => encoding === null || accepts(encoding)) ?? identity;
      const headers = { ...COMMON, ETag: form.etag };
      const known = (request.headers.get('if-none-match') ?? '')
        .split(',')
        .map((part) => part.trim().replace(/^W\//, ''));
      // Whichever form a browser holds, it is this script.
      if (forms.some(({ etag }) => known.includes(etag))) return new Response(null, { status: 304, headers });
      const body = form.body();
      return new Response(request.method === 'HEAD' ? null : body, {
        headers: {
          ...headers,
          'Content-Length': String(body.length),
          ...(form.encoding === null ? {} : { 'Content-Encoding': form.encoding }),
        },
      });
    },
  };
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Which encodings a header takes (RFC 9110, 12.5.3): those that it names, `*` for the others, and none whose weight is 0. */
function acceptedBy(header: string): (encoding: string) => boolean {
  const weights = new Map<string, boolean>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    weights.set(name, !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter)));
  }
  return (encoding) => weights.get(encoding) ?? weights.get('*') ?? false;
}
