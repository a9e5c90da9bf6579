import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { patientRequests } from './small-pieces.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
const END = '0\r\n\r\n';

let server: Server;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Seen {
  bodies: string[];
  /** Pieces in which bodies came, and how much of a body had come when it was given up. */
  pieces: number;
  givenUp: number[];
}

/** A server that answers each request with its body's length. */
async function start(now?: () => number): Promise<Seen> {
  const seen: Seen = { bodies: [], pieces: 0, givenUp: [] };
  const bytes = new WeakMap<IncomingMessage, number>();
  const giveUp = (request: IncomingMessage): void => {
    seen.givenUp.push(bytes.get(request) ?? 0);
    request.socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  };
  server = createHttp({ IncomingMessage: patientRequests(giveUp, now) }, (request, response) => {
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => {
      seen.pieces += 1;
      bytes.set(request, (bytes.get(request) ?? 0) + piece.length);
    });
    text(request).then(
      (body) => {
        seen.bodies.push(body);
        response.end(String(body.length));
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return seen;
}

function send(bytes: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(bytes);
  return { socket, answer: new Promise((resolve) => socket.on('close', () => resolve(answer))) };
}

const chunksOf = (size: number, body: string): string => {
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    chunks.push(`${part.length.toString(16)}\r\n${part}\r\n`);
  }
  return chunks.join('');
};
const letters = (count: number): string =>
  Array.from({ length: count }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');

it.each([
  [1, 1_000],
  [3, 3_000],
  [4, 40_000],
  [9, 90_000],
  [31, 300_000],
  [32, 3_000_000],
  [200, 400_000],
])('hands on a body in chunks of %i bytes whole and in order', async (size, length) => {
  const seen = await start();
  const body = letters(length);
  expect(await send(HEAD + chunksOf(size, body) + END).answer).toMatch(new RegExp(`${length}$`));
  expect(seen.bodies).toEqual([body]);
  expect(seen.givenUp).toEqual([]);
});

it('hands on many small pieces as one', async () => {
  const seen = await start();
  await send(HEAD + chunksOf(8, letters(80_000)) + END).answer;
  expect(seen.pieces).toBeLessThan(100);
});

it('keeps small and large pieces in their order', async () => {
  const seen = await start();
  const body = letters(30_000);
  let sent = '';
  let at = 0;
  for (let n = 0; at < body.length; n += 1) {
    const size = [1, 500, 3, 3, 70, 2][n % 6] ?? 1;
    sent += chunksOf(size, body.slice(at, at + size));
    at += size;
  }
  await send(HEAD + sent + END).answer;
  expect(seen.bodies).toEqual([body]);
});

it('gives up a request in chunks of a byte before a second read of its connection, and says so', async () => {
  const seen = await start();
  const { answer } = send(HEAD + chunksOf(1, letters(200_000)));
  expect(await answer).toMatch(/^HTTP\/1.1 400/);
  expect(seen.givenUp).toHaveLength(1);
  expect(seen.givenUp[0]).toBeLessThan(2_000);
});

it('gives up a request of twenty thousand small chunks, however long it takes', async () => {
  const seen = await start();
  expect(await send(HEAD + chunksOf(16, letters(1_000_000))).answer).toMatch(/^HTTP\/1.1 400/);
  expect(seen.givenUp[0]).toBeGreaterThan(250_000);
});

it('reads no more of a connection that had its part, until the others could have theirs', async () => {
  let now = 0;
  const seen = await start(() => now);
  const body = letters(150_000);
  const { answer } = send(HEAD + chunksOf(8, body) + END);
  let before = -1;
  await expect
    .poll(() => {
      const isStill = before === seen.pieces && seen.pieces > 0;
      before = seen.pieces;
      return isStill;
    })
    .toBe(true);
  expect(seen.bodies).toEqual([]);
  now = 1e9;
  const ticking = setInterval(() => {
    now += 1e6;
  }, 1);
  expect(await answer).toMatch(/150000$/);
  clearInterval(ticking);
  expect(seen.bodies).toEqual([body]);
});
