/** A reverse proxy before the service: one address over all its lives, and the faults of a network on the way to it. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `cut`: the connection breaks and the service has seen nothing. `lose`: the service has taken the request, and its answer is lost.
 * `hold`: the request waits until it has another fate.
 */
export type Fate = 'pass' | 'cut' | 'lose' | 'hold';

export interface Gate {
  readonly address: string;
  /** Decides about each request; everything passes at first. */
  decide(fateOf: (method: string, path: string) => Fate): void;
  /** `POST /v1/logs/edge_worker` and so on, as they arrived. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const HOLD_POLL_MS = 20;

/** @param target where the service listens now; asked for each request */
export async function startGate(target: () => string): Promise<Gate> {
  let fateOf: (method: string, path: string) => Fate = () => 'pass';
  const requests: string[] = [];

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url: path = '' } = request;
    const fate = fateOf(method, path);
    if (fate === 'hold') {
      // A client that has given up is not waited for.
      if (!request.socket.destroyed) setTimeout(pass, HOLD_POLL_MS, request, response);
      return;
    }
    if (fate === 'cut') {
      request.socket.destroy();
      return;
    }
    const url = new URL(path, target());
    const upstream = httpRequest(url, { method, headers: request.headers, agent: false }, (answer) => {
      if (fate === 'lose') {
        answer.resume().on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => request.socket.destroy());
    request.pipe(upstream);
  };

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    pass(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    decide: (decision) => {
      fateOf = decision;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
