import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ReadAhead } from '../body/read-ahead.ts';
import { DEFAULT_LIMITS } from '../ports.ts';
import { OUTPUT_CHUNK, readUpload } from './stream.ts';
import { Turns } from './turns.ts';

/** Reads a body, and keeps what it was given. */
async function read(body: Buffer) {
  const request = new PassThrough();
  request.end(body);
  const signal = new AbortController().signal;
  const chunks: Buffer[] = [];
  const copies: Buffer[] = [];
  const end = await readUpload(request as unknown as IncomingMessage, {
    encoding: 'identity',
    limits: DEFAULT_LIMITS,
    ahead: new ReadAhead(),
    work: new Turns({ sliceMs: 2, restFactor: 0 }).begin('o', signal, 60_000),
    signal,
    held: null,
    onArrival: () => undefined,
    read: (chunk) => {
      chunks.push(chunk);
      copies.push(Buffer.from(chunk));
      return () => true;
    },
    afterChunk: () => undefined,
  });
  return { end, chunks, copies };
}

const plain = Buffer.concat([Buffer.alloc(20 * OUTPUT_CHUNK, 'line\n'), randomBytes(100_000)]);
const digest = createHash('sha256').update(plain).digest('hex');

it('gives back what it has decompressed as soon as it was read, and every byte of it is read', async () => {
  const { end, chunks, copies } = await read(gzipSync(plain));
  expect(Buffer.concat(copies).equals(plain)).toBe(true);
  expect(end).toMatchObject({ digest, bytes: plain.length, short: null });
  expect(chunks.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(3);
});

it('leaves alone what it has not made', async () => {
  const { end, chunks } = await read(plain);
  expect(Buffer.concat(chunks).equals(plain)).toBe(true);
  expect(end.digest).toBe(digest);
});
