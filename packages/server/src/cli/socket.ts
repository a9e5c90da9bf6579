/** How a command asks the running service: over its Unix socket (`composition/control.ts`), and only where no other user can have bound it. */
import { lstatSync, statSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { readServiceFile, type ServiceFile } from '../data-dir.ts';

/** A service that hangs is not waited for. */
const PROBE_TIMEOUT_MS = 5_000;

export interface RunningService extends Pick<ServiceFile, 'address' | 'token'> {
  /** @throws connection errors */
  send(request: Request): Promise<Response>;
  /**
   * Posts to a path that only the socket has, and hands over each line of JSON as it comes.
   * @returns the status @throws connection errors, and what `onLine` throws: the connection is closed then
   */
  lines(path: string, body: unknown, onLine: (line: unknown) => void): Promise<number>;
}

/** The service that runs on this data directory and answers, or null. */
export async function findRunning(dataDir: string): Promise<RunningService | null> {
  const file = readServiceFile(dataDir);
  if (file === null) return null;
  const path = resolve(dataDir, file.socket);
  if (!isPrivate(path, dataDir)) return null;
  const { address, token } = file;
  const probe = new Request(`${address}/healthz`);
  const answers = await ask(path, probe, AbortSignal.timeout(PROBE_TIMEOUT_MS)).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!answers) return null;
  return {
    ...{ address, token, send: (request) => ask(path, request) },
    lines: (at, body, onLine) => readLines(path, { at, token, body }, onLine),
  };
}

/**
 * Whether only the owner of the data directory (or root) can have bound the socket. The name of a folder outside of the data directory stays
 * known after a kill: another user can create it again, but not as that owner.
 */
function isPrivate(path: string, dataDir: string): boolean {
  try {
    const trusted = new Set([statSync(dataDir).uid, 0, process.getuid?.()]);
    const socket = lstatSync(path);
    if (!socket.isSocket() || !trusted.has(socket.uid)) return false;
    if (dirname(path) === dataDir) return true;
    const folder = lstatSync(dirname(path));
    return folder.isDirectory() && trusted.has(folder.uid) && (folder.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

async function readLines(
  socketPath: string,
  { at, token, body }: { readonly at: string; readonly token: string; readonly body: unknown },
  onLine: (line: unknown) => void,
): Promise<number> {
  const answer = await new Promise<IncomingMessage>((settle, fail) => {
    const headers = {
      ...{ host: 'localhost', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    };
    httpRequest({ socketPath, method: 'POST', path: at, headers }, settle)
      .once('error', fail)
      .end(JSON.stringify(body));
  });
  const status = answer.statusCode ?? 502;
  if (status >= 400) answer.resume();
  else for await (const line of createInterface({ input: answer })) onLine(JSON.parse(line));
  return status;
}

async function ask(path: string, request: Request, signal?: AbortSignal): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  const answer = await new Promise<IncomingMessage>((settle, fail) => {
    const headers = { ...Object.fromEntries(request.headers), host: 'localhost' };
    const options = { socketPath: path, method: request.method, path: `${pathname}${search}`, headers };
    httpRequest({ ...options, ...(signal === undefined ? {} : { signal }) }, settle)
      .once('error', fail)
      .end(body);
  });
  const status = answer.statusCode ?? 502;
  const content = await text(answer);
  return new Response(status === 204 ? null : content, { status });
}
