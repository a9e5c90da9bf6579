/**
 * Sends one request and reads its answer, whatever its status: redirects are not followed. Bounded in time and size, over connections
 * that are kept for a moment. An error says whether the request may have reached the other side: for a platform that counts everything it
 * gets, that decides whether it may be sent again.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createAddressGuard } from './public-address.ts';
import { below, decoded, guardedLookup, isLoopback, literalAddress } from './reach.ts';

export interface OutboundRequest {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendOptions {
  /** The whole of it, from the first connection to the last byte. */
  readonly timeoutMs: number;
  /** Of the answer's body, after decompression; what is beyond is cut off. */
  readonly maxBytes: number;
  /** A user names the host: it must not lead into our own network. */
  readonly guarded: boolean;
  /** The operator names the host and tries something out on this machine: plain http is taken there. */
  readonly plainOnLoopback?: boolean;
  readonly signal?: AbortSignal;
}

/** @throws SendError for everything that is no answer */
export type Send = (request: OutboundRequest, options: SendOptions) => Promise<OutboundResponse>;

export type SendFailure =
  | 'timeout'
  | 'stopped'
  | 'unreachable'
  | 'no_such_host'
  | 'bad_certificate'
  | 'private_address'
  | 'not_https'
  | 'invalid_request';

export class SendError extends Error {
  readonly word: SendFailure;
  /** Whether the request may have reached the other side. */
  readonly left: boolean;
  constructor(word: SendFailure, left: boolean, options: { cause?: unknown } = {}) {
    super(`The request was not answered: ${word}`, options);
    this.name = 'SendError';
    this.word = word;
    this.left = left;
  }
}

/** Connections to one host at a time: more than the callers have requests under way, so that none waits for another's slow answer. */
const MAX_SOCKETS = 64;
/** We close connections that are idle longer: servers close theirs from 5 s on, and the outcome of a request at that moment is unknown. */
const IDLE_MS = 4_000;

/** @param hosts host → other base URL, for tests and private gateways; only these may be http or private */
export function createSend({ hosts }: { readonly hosts: ReadonlyMap<string, string> }): Send {
  const kept = { keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 4, timeout: IDLE_MS } as const;
  const isPublic = createAddressGuard();
  // An agent of its own: a connection that was made without the guard must never serve a request that needs it.
  const lookup = guardedLookup(isPublic, () => new SendError('private_address', false));
  const guarded = new HttpsAgent({ ...kept, lookup });
  const trusted = new HttpsAgent(kept);
  const plain = new HttpAgent(kept);

  const open = (request: OutboundRequest, options: SendOptions, signal: AbortSignal): ClientRequest => {
    const url = URL.parse(request.url);
    if (url === null) throw new SendError('invalid_request', false);
    const isPlain = options.plainOnLoopback === true && url.protocol === 'http:' && isLoopback(url.hostname);
    if (url.protocol !== 'https:' && !isPlain) throw new SendError('not_https', false);
    const mapped = hosts.get(url.hostname);
    const literal = literalAddress(url);
    if (mapped === undefined && options.guarded && literal !== null && !isPublic(literal))
      throw new SendError('private_address', false);
    const init: RequestOptions = {
      method: request.method,
      headers: headersOf(request),
      signal,
    };
    if (mapped === undefined && isPlain) return httpRequest(url, { ...init, agent: plain });
    if (mapped === undefined)
      return httpsRequest(url, { ...init, agent: options.guarded ? guarded : trusted });
    const target = below(mapped, url);
    return target.protocol === 'http:'
      ? httpRequest(target, { ...init, agent: plain })
      : httpsRequest(target, { ...init, agent: trusted });
  };

  return async (request, options) => {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    let left = false;
    try {
      const sent = open(request, options, signal);
      const answer = new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve);
        sent.once('error', reject);
      });
      sent.once('socket', (socket) => {
        onceUsable(sent, socket, () => {
          left = true;
        });
      });
      sent.end(request.body ?? undefined);
      const response = await answer;
      // Before the body is read: a late reset of the connection reaches the request as an error without a listener.
      sent.on('error', () => undefined);
      return {
        status: response.statusCode ?? 0,
        headers: plainHeaders(response.headers),
        body: await readBody(response, options.maxBytes, signal),
      };
    } catch (error) {
      if (error instanceof SendError) throw error;
      const word = deadline.aborted ? 'timeout' : signal.aborted ? 'stopped' : wordOf(error);
      throw new SendError(word, left, { cause: error });
    }
  };
}

/** Nothing of a request is written before its connection stands, with TLS before that does. */
function onceUsable(sent: ClientRequest, socket: Socket, usable: () => void): void {
  if (sent.reusedSocket) usable();
  else socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', usable);
}

function headersOf({ headers, body }: OutboundRequest): Record<string, string | number> {
  return {
    'User-Agent': 'Ghostlight (self-hosted)',
    'Accept-Encoding': 'gzip, br',
    ...headers,
    ...(body === null ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  };
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** What is beyond the bound, or in an unrequested coding, is not read; an end too soon is an error. */
async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<string> {
  const body = decoded(response, () => new Error('the answer ended too soon'));
  const stop = () => body?.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let room = maxBytes;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (room <= 0) break;
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    signal.removeEventListener('abort', stop);
    // Read to its end the connection is kept, and this does nothing.
    if (!response.complete) response.destroy();
  }
}

function wordOf(error: unknown): SendFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'no_such_host';
  if (/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'bad_certificate';
  // What could not even be written as a request: a header with a line break, from a credential with one.
  return code.startsWith('ERR_INVALID') || code === 'ERR_HTTP_INVALID_HEADER_VALUE'
    ? 'invalid_request'
    : 'unreachable';
}
