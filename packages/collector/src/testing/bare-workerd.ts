/**
 * The collector in workerd itself, for tests that are exact about bytes and headers: miniflare's entry compresses again and rewrites
 * Content-Length. One `node:http` server behind it is the whole internet, told apart by Host. There is no Cache API, no key-value
 * store, and `request.cf` is undefined unless a visit gives one: what a preview of the platform is like.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import type { CollectorEnv } from '../platform.ts';
import { bundle, COLLECTOR_ENTRY, COMPATIBILITY_DATE } from './bundle.ts';
import { ENV } from './values.ts';

/** A site of the internet, in Node's own terms: what it writes is what the Worker gets. */
export type RawSite = RequestListener;
export type UpgradeSite = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface BareOptions {
  readonly env?: CollectorEnv;
  readonly entry?: string;
  /** host → site; a host that is not here gets its connection cut. */
  readonly sites: Readonly<Record<string, RawSite>>;
  /** Takes every upgrade. */
  readonly upgrade?: UpgradeSite;
}

export interface RawVisit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** `request.cf`. */
  readonly cf?: Readonly<Record<string, unknown>>;
}

/** An answer as it came over the wire: nothing decoded, header names in their own case. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface BareEdge {
  readonly port: number;
  /** Of workerd itself. */
  readonly pid: number;
  readonly log: readonly string[];
  /** Waits for the whole answer. */
  visit(url: string, visit?: RawVisit): Promise<RawAnswer>;
  /** Resolves with the head; the caller reads or destroys the stream. */
  open(url: string, visit?: RawVisit): Promise<IncomingMessage>;
  close(): Promise<void>;
}

const START_LIMIT_MS = 15_000;
const VISIT_LIMIT_MS = 20_000;

export async function startBareWorkerd(options: BareOptions): Promise<BareEdge> {
  const directory = await mkdtemp(join(tmpdir(), 'collector-workerd-'));
  const internet = await startInternet(options);
  const log: string[] = [];
  await writeFile(join(directory, 'worker.js'), await bundle(options.entry ?? COLLECTOR_ENTRY));
  await writeFile(join(directory, 'config.capnp'), configOf(internet.port, { ...(options.env ?? ENV) }));
  const child = spawn(
    workerdBinary(),
    ['serve', join(directory, 'config.capnp'), '--socket-addr=http=127.0.0.1:0', '--control-fd=3'],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log.push(...text.split('\n').filter((line) => line !== ''));
    });
  }
  const close = async (): Promise<void> => {
    await stop(child);
    await internet.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const port = await listeningPort(child, log);
    const open = (url: string, visit: RawVisit = {}): Promise<IncomingMessage> => send(port, url, visit);
    return {
      port,
      pid: child.pid ?? 0,
      log,
      open,
      visit: async (url, visit) => readWhole(await open(url, visit)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The binary that the `workerd` package resolved for this platform. */
function workerdBinary(): string {
  const require = createRequire(import.meta.url);
  const { default: path } = require('workerd') as { default: string };
  return path;
}

function configOf(internetPort: number, env: CollectorEnv): string {
  const bindings = Object.entries(env)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    // JSON's string escapes are a subset of Cap'n Proto's, except \u: only printable ASCII is allowed here.
    .map(([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "${COMPATIBILITY_DATE}",
      bindings = [${bindings.join(', ')}],
      globalOutbound = "internet",
    )),
    (name = "internet", external = (
      address = "127.0.0.1:${internetPort}",
      http = (forwardedProtoHeader = "X-Forwarded-Proto"),
    )),
  ],
  sockets = [(
    name = "http",
    http = (forwardedProtoHeader = "X-Forwarded-Proto", cfBlobHeader = "X-Cf-Blob"),
    service = "main",
  )],
);
`;
}

async function startInternet(options: BareOptions): Promise<{ port: number; close: () => Promise<void> }> {
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    const site = options.sites[request.headers.host ?? ''];
    if (site === undefined) request.socket.destroy();
    else site(request, response);
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  if (options.upgrade !== undefined) server.on('upgrade', options.upgrade);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

/** workerd writes one JSON line per socket to the control descriptor once it listens. */
async function listeningPort(child: ChildProcess, log: readonly string[]): Promise<number> {
  const control = child.stdio[3] as Readable;
  const failed = (): Error => new Error(`workerd did not start: ${log.join('\n').slice(0, 2_000)}`);
  return new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(failed()), START_LIMIT_MS);
    child.once('exit', () => reject(failed()));
    let text = '';
    control.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const port = /"event":"listen","socket":"http","port":(\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function send(port: number, url: string, visit: RawVisit): Promise<IncomingMessage> {
  const { protocol, host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method: visit.method ?? 'GET',
      path: pathname + search,
      agent: false,
      timeout: VISIT_LIMIT_MS,
      headers: {
        host,
        'x-forwarded-proto': protocol.slice(0, -1),
        ...(visit.cf === undefined ? {} : { 'x-cf-blob': JSON.stringify(visit.cf) }),
        ...visit.headers,
      },
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${VISIT_LIMIT_MS} ms: ${url}`)));
    request.on('error', reject);
    request.on('response', resolve);
    request.end(visit.body);
  });
}

/** @throws when the connection is cut before the end */
async function readWhole(answer: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const raw = answer.rawHeaders;
  const headers: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
