import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES, readJson } from './body.ts';

/** A body that arrives in pieces, each after a wait. */
function arriving(pieces: readonly Uint8Array[], waitMs = 0): Pick<Request, 'body'> {
  const rest = [...pieces];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (waitMs > 0) await sleep(waitMs);
      const piece = rest.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new Uint8Array(piece));
    },
  });
  return { body };
}
const bytes = (text: string) => Buffer.from(text);

describe('a webhook’s body', () => {
  it('is read as it was written, in whatever pieces, plain or gzip', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (value, size, zip) => {
          const plain = bytes(JSON.stringify(value));
          const sent = zip ? gzipSync(plain) : plain;
          const pieces = Array.from({ length: Math.ceil(sent.length / size) }, (_, n) =>
            sent.subarray(n * size, n * size + size),
          );
          expect(await readJson(arriving(pieces))).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('may be 256 KiB long and no byte longer, also after decompression', async () => {
    const text = (length: number) => bytes(`"${'x'.repeat(length - 2)}"`);
    for (const form of [(plain: Buffer) => plain, gzipSync]) {
      expect(await readJson(arriving([form(text(MAX_BODY_BYTES))]))).toHaveLength(MAX_BODY_BYTES - 2);
      await expect(readJson(arriving([form(text(MAX_BODY_BYTES + 1))]))).rejects.toMatchObject({
        code: 'body_too_large',
        headers: { Connection: 'close' },
      });
    }
  });

  it('is not waited for when it stalls, nor for ever when it drips', async () => {
    const never = { body: new ReadableStream<Uint8Array<ArrayBuffer>>() };
    await expect(readJson(never, { idleMs: 20, totalMs: 10_000 })).rejects.toMatchObject({
      code: 'request_timeout',
      message: expect.stringContaining('stopped arriving'),
    });
    const drips = arriving(Array(1_000).fill(bytes(' ')), 5);
    await expect(readJson(drips, { idleMs: 10_000, totalMs: 60 })).rejects.toMatchObject({
      code: 'request_timeout',
      message: expect.stringContaining('arrives too slowly'),
    });
  });

  it('is refused without a word of it', async () => {
    for (const body of ['', '   ', 'jane@mail.example', '{"a":', '\u0000'])
      await expect(readJson(arriving([bytes(body)]))).rejects.toMatchObject({
        code: 'malformed_body',
        message: expect.not.stringContaining('jane'),
      });
    await expect(readJson({ body: null })).rejects.toMatchObject({ code: 'malformed_body' });
  });
});
