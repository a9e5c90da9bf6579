import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { OUTPUT_CHUNK, readInflated } from './inflated.ts';

/** Reads a body in pieces, and keeps what it was given. */
async function read(body: Buffer) {
  const chunks: Buffer[] = [];
  const copies: Buffer[] = [];
  // Each has its own memory, as what came from another thread has.
  const pieces = async function* () {
    for (let at = 0; at < body.length; at += 65_536)
      yield Buffer.from(new Uint8Array(body.subarray(at, at + 65_536)).buffer);
  };
  await readInflated(body, pieces(), 'identity', new AbortController().signal, async (chunk) => {
    chunks.push(chunk);
    copies.push(Buffer.from(chunk));
  });
  return { chunks, copies };
}

const plain = Buffer.concat([Buffer.alloc(20 * OUTPUT_CHUNK, 'line\n'), randomBytes(100_000)]);

it('gives back what it has decompressed as soon as it was read, and every byte of it is read', async () => {
  const { chunks, copies } = await read(gzipSync(plain));
  expect(Buffer.concat(copies).equals(plain)).toBe(true);
  expect(chunks.filter(({ length }) => length > 0).length).toBeLessThanOrEqual(3);
});

it('gives back each piece of a body that is not compressed, too', async () => {
  const { chunks, copies } = await read(plain);
  expect(Buffer.concat(copies).equals(plain)).toBe(true);
  expect(chunks.every(({ length }) => length === 0)).toBe(true);
});
