/** A network between a spool and its server that can be cut, held up, or cut as soon as the server has said something. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface Network {
  /** The server's address through the network. */
  readonly url: string;
  /** Cuts every connection. */
  cut(): void;
  /** Nothing gets through any more, and nothing is refused, until `release`. */
  hold(): void;
  release(): void;
  /** The next COMMIT reaches the server; its answer does not come back. Then the connection is cut, or everything is held. */
  loseNextCommit(then?: 'cut' | 'hold'): void;
  /** The next COMMIT does not reach the server: the connection is cut before. */
  cutBeforeNextCommit(): void;
  close(): Promise<void>;
}

export async function startProxy(url: string): Promise<Network> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let held = false;
  let trick: 'lose' | 'cut' | null = null;
  let after: 'cut' | 'hold' = 'cut';
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    let deaf = false;
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.on('data', (data) => {
      if (trick !== null && data.includes('COMMIT')) {
        const what = trick;
        trick = null;
        if (what === 'cut') return end();
        deaf = true;
      }
      far.write(data);
    });
    far.on('data', (data) => {
      if (!deaf) near.write(data);
      else if (after === 'cut') end();
      else hold();
    });
    if (held) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  const each = (act: (socket: Socket) => void) => {
    for (const pair of pairs) for (const socket of pair) act(socket);
  };
  const hold = () => {
    held = true;
    each((socket) => socket.pause());
  };
  return {
    url: through.href,
    cut: () => each((socket) => socket.destroy()),
    hold,
    release() {
      held = false;
      each((socket) => socket.resume());
    },
    loseNextCommit(then = 'cut') {
      trick = 'lose';
      after = then;
    },
    cutBeforeNextCommit() {
      trick = 'cut';
    },
    async close() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
