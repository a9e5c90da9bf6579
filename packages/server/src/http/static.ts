/**
 * The dashboard's built files, held in memory with their compressed forms. Hashed names never change, so browsers keep them for a
 * year; the page itself is asked for each time.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Nothing but our own files runs, loads or frames: hostile user agents and paths are shown on these pages. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);
const MAX_FILES = 500;
/** The best quality costs a second of every start and saves 3 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  readonly identity: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer> | null;
  readonly gzip: Uint8Array<ArrayBuffer> | null;
}

export interface StaticFiles {
  /** The response for a path, or null when no such file exists. Unknown page paths get the application's page. */
  respond(request: Request, path: string): Response | null;
}

/** @param directory the build output; an absent one serves a sentence that says how to build it */
export async function loadStaticFiles(directory: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((candidate) => candidate.isFile()).slice(0, MAX_FILES)) {
    const path = join(entry.parentPath, entry.name);
    const name = `/${relative(directory, path).replaceAll('\\', '/')}`;
    files.set(name, await loadFile(path, name));
  }
  const page = files.get('/index.html');
  return {
    respond(request, path) {
      const file = files.get(path) ?? (isPagePath(path) ? page : undefined);
      if (file !== undefined) return answer(request, file);
      if (page === undefined && isPagePath(path)) {
        return new Response('The dashboard is not built yet. Run "npm run build" and start again.\n', {
          status: 503,
        });
      }
      return null;
    },
  };
}

async function loadFile(path: string, name: string): Promise<StaticFile> {
  const identity = new Uint8Array(await readFile(path));
  const extension = extname(path);
  const compress = COMPRESSIBLE.has(extension);
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    cacheControl: name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    identity,
    br: compress ? new Uint8Array(await promisify(brotliCompress)(identity, BROTLI)) : null,
    gzip: compress ? new Uint8Array(await promisify(gzip)(identity)) : null,
  };
}

/** A path of the client-side router: no extension, and none of the service's own prefixes. */
function isPagePath(path: string): boolean {
  return extname(path) === '' && !/^\/(api|v1|webhooks|metrics|healthz|readyz)(\/|$)/.test(path);
}

function answer(request: Request, file: StaticFile): Response {
  const headers = new Headers({
    'Content-Type': file.type,
    'Cache-Control': file.cacheControl,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers });
  const accepted = request.headers.get('accept-encoding') ?? '';
  let body = file.identity;
  if (file.br !== null && /\bbr\b/.test(accepted)) {
    body = file.br;
    headers.set('Content-Encoding', 'br');
  } else if (file.gzip !== null && /\bgzip\b/.test(accepted)) {
    body = file.gzip;
    headers.set('Content-Encoding', 'gzip');
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}
