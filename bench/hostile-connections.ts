/**
 * 10,050 connections from one address, each with a request whose body drips: what another address gets meanwhile. The two addresses are of the
 * loopback network; `ulimit -n` must allow 11,000 files.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestService, workerHit } from '../tests/harness/service.ts';
import type { Figure } from './harness.ts';

const CONNECTIONS = 10_050;
const AT_A_TIME = 250;
const POSTS = 300;
const ATTACKER = '127.0.0.2';
const OTHER = '127.0.0.3';

export async function hostileConnections(): Promise<Figure[]> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  const sockets: Socket[] = [];
  try {
    await service.start();
    const { key } = await service.property();
    const port = Number(new URL(service.address).port);
    const head = `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 1000\r\n\r\n`;
    while (sockets.length < CONNECTIONS) {
      for (let i = 0; i < AT_A_TIME && sockets.length < CONNECTIONS; i += 1) {
        const socket = connect({ host: '127.0.0.1', port, localAddress: ATTACKER });
        socket.on('error', () => undefined);
        socket.write(head);
        sockets.push(socket);
      }
      await sleep(20);
    }
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
    }, 5_000);
    const latencies: number[] = [];
    let errors = 0;
    for (let n = 0; n < POSTS; n += 1) {
      const start = performance.now();
      if (!(await post(port, key))) errors += 1;
      latencies.push(performance.now() - start);
    }
    clearInterval(drip);
    latencies.sort((a, b) => a - b);
    const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
    return [
      {
        what: `posts of another address on new connections, beside ${CONNECTIONS.toLocaleString('en-US')} connections of one: p99, errors`,
        measured: `${p99.toFixed(1)} ms, ${errors}`,
        target: '< 100 ms, 0',
        holds: p99 < 100 && errors === 0,
      },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    await service.dispose();
  }
}

/** One post on a connection of its own. */
function post(port: number, key: string): Promise<boolean> {
  const body = JSON.stringify([workerHit()]);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: OTHER });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(text.startsWith('HTTP/1.1 204')));
    socket.write(
      `POST /v1/logs/edge_worker HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
