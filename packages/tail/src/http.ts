/** Requests to the service, by Node's own client: `fetch` alone would take a fifth of the memory that this command may have. */
import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { VERSION } from './version.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const TIMEOUT_MS = 60_000;
const AGENTS = { keepAlive: true, maxSockets: 1 };
let agents = new Map<string, Agent>();

/** Not imported: an import reads every member of `node:http`, and with them all of `fetch` would be loaded, which takes 15 MB. */
function clientFor(url: string): Pick<typeof import('node:http'), 'request'> & { readonly agent: Agent } {
  const client = url.startsWith('https:')
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http');
  const { protocol } = new URL(url);
  let agent = agents.get(protocol);
  if (agent === undefined) {
    agent = new client.Agent(AGENTS);
    agents.set(protocol, agent);
  }
  return { request: client.request, agent };
}

/** @throws the connection's error */
export function send(
  url: string,
  method: 'GET' | 'POST',
  headers: Readonly<Record<string, string | number>>,
  body: Buffer | null,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<HttpAnswer> {
  const { request, agent } = clientFor(url);
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const options = {
    method,
    agent,
    headers: { 'User-Agent': `ghostlight-tail/${VERSION}`, ...headers },
    ...(signal === undefined ? {} : { signal }),
  };
  const asked = request(url, options, (response) => {
    read(response, maxBytes).then(resolve, reject);
  });
  asked.setTimeout(TIMEOUT_MS, () => asked.destroy(new Error('no answer within a minute')));
  asked.on('error', reject);
  asked.end(body ?? undefined);
  return promise;
}

async function read(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) throw new Error('the answer is too long');
    parts.push(part);
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(parts).toString(),
  };
}

/** @returns null where there is no answer */
export async function get(
  url: string,
  headers: Record<string, string>,
  maxBytes: number,
): Promise<HttpAnswer | null> {
  try {
    return await send(url, 'GET', headers, null, maxBytes);
  } catch {
    return null;
  }
}

/** Idle connections would keep the process. */
export function closeConnections(): void {
  for (const agent of agents.values()) agent.destroy();
  agents = new Map();
}
