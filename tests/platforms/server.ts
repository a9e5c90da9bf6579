/** A fake platform on a port of its own, with everything that goes wrong between two machines as switches. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/free-port.ts';
import type { Call, Fake, Reply } from './fake.ts';

const MAX_BODY = 10 * 1024 ** 2;
const MAX_CALLS = 100_000;
const EMAIL = /[a-z0-9._+-]+(@|%40)[a-z0-9-]+\.[a-z]{2,}/i;

type Trouble =
  /** Answered so, and nothing is taken. */
  | { readonly kind: 'answer'; readonly reply: Reply }
  /** Taken, and then silence until the sender gives up. */
  | { readonly kind: 'hang' }
  /** Taken, and the connection ends before the answer. */
  | { readonly kind: 'cut' };

export interface Platform<F extends Fake = Fake> {
  readonly fake: F;
  /** Base URL. */
  readonly address: string;
  /** Everything that arrived, oldest first, with the time of its arrival. */
  readonly calls: (Call & { readonly at: number })[];
  /** The next requests are answered in the platform's own form with this status, and nothing is taken. */
  failNext(count: number, status: number, headers?: Readonly<Record<string, string>>): void;
  hangNext(count: number): void;
  cutNext(count: number): void;
  /** Every request takes that long. */
  slow(ms: number): void;
  /** Connections are refused until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPlatform<F extends Fake>(fake: F): Promise<Platform<F>> {
  const calls: (Call & { readonly at: number })[] = [];
  const troubles: Trouble[] = [];
  let delay = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await read(request);
    if (calls.length < MAX_CALLS) calls.push({ ...call, at: Date.now() });
    const trouble = troubles.shift();
    const reply = trouble?.kind === 'answer' ? trouble.reply : judge(fake, call);
    if (delay > 0) await sleep(delay);
    if (trouble?.kind === 'cut') return void request.socket.destroy();
    if (trouble?.kind !== 'hang') send(response, reply);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A connection that ended is the sender's affair; anything else is a fault of the fake, and has to be seen.
      if (!request.destroyed) fake.ledger.refuse(`the fake failed: ${String(error)}`);
      request.socket.destroy();
    });
  });
  const port = await freePort();
  await listen(server, port);
  const expect = (count: number, trouble: Trouble) =>
    void troubles.push(...Array.from({ length: count }, () => trouble));
  return {
    fake,
    address: `http://127.0.0.1:${port}`,
    calls,
    failNext: (count, status, headers = {}) => {
      const reply = fake.error(status, `The next ${count} requests fail.`);
      expect(count, { kind: 'answer', reply: { ...reply, headers: { ...reply.headers, ...headers } } });
    },
    hangNext: (count) => expect(count, { kind: 'hang' }),
    cutNext: (count) => expect(count, { kind: 'cut' }),
    slow: (ms) => {
      delay = ms;
    },
    down: () => close(server),
    up: () => (server.listening ? Promise.resolve() : listen(server, port)),
    stop: () => (server.listening ? close(server) : Promise.resolve()),
  };
}

/** Plain e-mails are refused before anything else looks: no platform takes one, in whatever member. */
function judge(fake: Fake, call: Call): Reply {
  const target = `${call.path}?${call.query}`;
  const leak = fake.name === 'webhook' ? null : (EMAIL.exec(target) ?? EMAIL.exec(call.text));
  if (leak === null) return fake.answer(call);
  return fake.error(400, fake.ledger.refuse(`a plain e-mail left: ${leak[0]}`));
}

async function read(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY) throw new Error(`a body of more than ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(request.url ?? '/', 'http://fake');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers,
    text,
    json: parse(text),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  const json = body !== undefined && typeof body !== 'string';
  response.writeHead(status, { ...(json ? { 'content-type': 'application/json' } : {}), ...headers });
  response.end(json ? JSON.stringify(body) : body);
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
