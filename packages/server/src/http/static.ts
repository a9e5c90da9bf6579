/**
 * The dashboard's built files, held in memory with their compressed forms. Hashed names never change, so browsers keep them for a
 * year; the page itself is asked for each time.
 */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { once } from '../common/index.ts';

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
  '.zip': 'application/zip',
};
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest']);
const PAGE = '/index.html';
const NO_SUCH_DOCUMENT = '/docs/404.html';
/** What a browser shows as a page of its own; scripts, styles and fonts would carry these headers for nothing, 9 kB in a first view. */
const DOCUMENTS = /^(?:text\/html|image\/svg)/;
const OF_A_DOCUMENT = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
/** The build's own compressed form of the file beside it. */
const BUILT_BROTLI = /\.br$/;
const MAX_FILES = 800;
/** The first request of a file that the build has not compressed waits for it: 3 ms for a page of the documentation, 40 for its search index. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };

interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  readonly identity: Uint8Array<ArrayBuffer>;
  /** Made when they are first asked for, as `gzip`: of all files that would be a fifth of a start. */
  readonly br: (() => Uint8Array<ArrayBuffer>) | null;
  readonly gzip: (() => Uint8Array<ArrayBuffer>) | null;
}

export interface StaticFiles {
  /** The response for a path, or null when no such file exists. Unknown page paths get the application's page. */
  respond(request: Request, path: string): Response | null;
}

/** A build that is written at this moment takes its directory away and fills it again. */
const READINGS = 20;
const BETWEEN_READINGS_MS = 100;

/**
 * @param directory the build output; where there is none, or half a one, a sentence that says how to build it is served. One that is being
 * written is waited for, two seconds at most: a page of one build and files of another would be a page that doesn't start.
 */
export async function loadStaticFiles(directory: string): Promise<StaticFiles> {
  let contents = readWhole(directory);
  for (let reading = 1; contents === 'changing' && reading < READINGS; reading += 1) {
    await sleep(BETWEEN_READINGS_MS);
    contents = readWhole(directory);
  }
  const files = new Map<string, StaticFile>();
  if (contents !== 'changing')
    for (const [name, content] of contents)
      if (!BUILT_BROTLI.test(name) || !contents.has(name.replace(BUILT_BROTLI, '')))
        files.set(name, prepared(name, content, contents.get(`${name}.br`) ?? null));
  const page = files.get(PAGE);
  return {
    respond(request, path) {
      const file = files.get(path) ?? files.get(documentPath(path)) ?? (isPagePath(path) ? page : undefined);
      if (file !== undefined) return answer(request, file);
      const missing = isDocs(path) ? files.get(NO_SUCH_DOCUMENT) : undefined;
      if (missing !== undefined) return answer(request, missing, 404);
      if (page === undefined && isPagePath(path)) return notBuilt();
      return null;
    },
  };
}

const notBuilt = (): Response =>
  new Response(
    'The dashboard is not built, or was being built when this service started. Run "npm run build" and start again.\n',
    { status: 503, headers: { 'Cache-Control': 'no-store' } },
  );

type Contents = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/**
 * Every file under its path in the address; empty: never built. In one go, because no request waits yet: hundreds of small files take five
 * times the processor time when a thread reads each of them.
 */
function readWhole(directory: string): Contents | 'changing' {
  const names = namesIn(directory);
  if (names.length === 0) return new Map();
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of names) {
    try {
      contents.set(name, new Uint8Array(readFileSync(join(directory, name))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return 'changing';
    }
  }
  const after = namesIn(directory);
  return contents.has(PAGE) && names.join('\n') === after.join('\n') ? contents : 'changing';
}

function namesIn(directory: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`)
    .sort()
    .slice(0, MAX_FILES);
}

/** @param built as the build compressed it, which is smaller than what a start has time for; null: it did not */
function prepared(
  name: string,
  identity: Uint8Array<ArrayBuffer>,
  built: Uint8Array<ArrayBuffer> | null,
): StaticFile {
  const extension = extname(name);
  const compress = COMPRESSIBLE.has(extension);
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    cacheControl: name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    identity,
    br: built !== null ? () => built : compress ? once(() => brotliCompressSync(identity, BROTLI)) : null,
    gzip: compress ? once(() => gzipSync(identity)) : null,
  };
}

const isDocs = (path: string): boolean => path === '/docs' || path.startsWith('/docs/');

/** The file of a page of the documentation, which has no extension in the address, or `.md` as in the repository. */
function documentPath(path: string): string {
  if (!isDocs(path)) return '';
  const name = path.replace(/\/$/, '').replace(/\.md$/, '');
  return name === '/docs' ? '/docs/index.html' : `${name}.html`;
}

/** A path of the client-side router: no extension, and none of the service's own prefixes. */
function isPagePath(path: string): boolean {
  return extname(path) === '' && !/^\/(api|v1|webhooks|metrics|healthz|readyz|docs)(\/|$)/.test(path);
}

function answer(request: Request, file: StaticFile, status = 200): Response {
  const headers = new Headers({
    'Content-Type': file.type,
    'Cache-Control': file.cacheControl,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...(DOCUMENTS.test(file.type) ? OF_A_DOCUMENT : {}),
    // The page of a share link is for who has it, and for no search engine.
    ...(new URL(request.url).pathname.startsWith('/s/') ? { 'X-Robots-Tag': 'noindex, nofollow' } : {}),
  });
  if (status === 200 && request.headers.get('if-none-match') === file.etag)
    return new Response(null, { status: 304, headers });
  const accepted = request.headers.get('accept-encoding') ?? '';
  let body = file.identity;
  if (file.br !== null && /\bbr\b/.test(accepted)) {
    body = file.br();
    headers.set('Content-Encoding', 'br');
  } else if (file.gzip !== null && /\bgzip\b/.test(accepted)) {
    body = file.gzip();
    headers.set('Content-Encoding', 'gzip');
  }
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}
