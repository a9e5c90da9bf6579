/**
 * The Unix socket by which commands reach the running service (`cli/socket.ts` is the other end). A port outlives its service: after a kill
 * any program may listen there, and a command would hand it the admin token. This socket can be bound by the owner of the data directory alone.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';

const NAME = 'control.sock';
/** A socket's address holds 108 bytes on Linux and 104 on macOS, with the closing zero. */
const MAX_PATH_BYTES = 103;
const FALLBACK_PREFIX = 'ghostlight-control-';
const CLOSE_IDLE_MS = 50;

export interface Control {
  /** Where it is: relative to the data directory, or absolute where that can't hold a socket. */
  readonly path: string;
  /** Takes no new command, lets those under way end within the time, then cuts them. Removes the socket. */
  close(graceMs: number): Promise<void>;
}

/**
 * The socket is in the data directory; where its path is too long, or the file system has no sockets (network and desktop mounts), in a new
 * private folder of the temporary directory.
 * @param dataDir absolute, private (0700), held by this process
 */
export async function startControl(
  dataDir: string,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<Control> {
  const listener = getRequestListener((request) => fetch(request));
  const server = createServer((request, response) => void listener(request, response));
  const preferred = join(dataDir, NAME);
  // A killed service left it behind; the lock of the data directory proves that no other service uses it.
  rmSync(preferred, { force: true });
  const bound = fits(preferred) && (await listen(server, preferred).then(yes, no));
  const path = bound ? preferred : await listenElsewhere(server);
  return {
    path: bound ? NAME : path,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
      rmSync(bound ? path : dirname(path), { recursive: true, force: true });
    },
  };
}

const yes = () => true;
const no = () => false;
const fits = (path: string) => Buffer.byteLength(path) <= MAX_PATH_BYTES;

async function listenElsewhere(server: Server): Promise<string> {
  const parent = [tmpdir(), '/tmp'].find((each) => fits(join(each, `${FALLBACK_PREFIX}xxxxxx`, NAME)));
  // Made with mode 0700.
  const path = join(mkdtempSync(join(parent ?? '/tmp', FALLBACK_PREFIX)), NAME);
  await listen(server, path);
  return path;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      chmodSync(path, 0o600);
      resolve();
    });
  });
}
