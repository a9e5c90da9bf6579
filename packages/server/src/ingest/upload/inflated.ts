/** Decompresses an upload with bounded memory. */
import type { Transform } from 'node:stream';
import { damaged } from '../body/body.ts';
import { type DecompressionOptions, decompressorOf, type Encoding } from '../body/encodings.ts';
import { giveBack } from '../body/memory.ts';

/**
 * Measured on two cores: below 64 KiB the hand-over between threads shows; at 128 KiB a 1 GiB upload took 154–161 MB of memory, at 96 KiB 142 MB,
 * at the same speed within the noise.
 */
export const OUTPUT_CHUNK = 96 * 1024;
/** Inflated ahead of the reader, so that both threads have work. */
const READ_AHEAD = 8 * OUTPUT_CHUNK;
const DECOMPRESSION: DecompressionOptions = {
  chunkSize: OUTPUT_CHUNK,
  readableHighWaterMark: READ_AHEAD,
};

/**
 * @param first bytes of the body as received, `HEAD_BYTES` of them where it has so many
 * @param pieces all of the body; their memory is given back too
 * @param read called for each decompressed chunk, whose bytes are not there any more after it; the next is not taken before it resolves
 * @throws ServiceError `malformed_body`; the signal's reason; whatever `read` throws
 */
export async function readInflated(
  first: Uint8Array,
  pieces: AsyncIterable<Buffer>,
  encoding: Encoding,
  signal: AbortSignal,
  read: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const decompressor = decompressorOf(first, encoding, DECOMPRESSION);
  if (decompressor === null) {
    for await (const piece of pieces) {
      await read(piece);
      giveBack(piece);
    }
    return;
  }
  const drain = async (): Promise<void> => {
    for await (const chunk of decompressor as AsyncIterable<Buffer>) {
      await read(chunk);
      // It writes on behind what it has handed on, until its buffer is full.
      if (chunk.byteOffset + chunk.length === chunk.buffer.byteLength) giveBack(chunk);
    }
  };
  const leave = (): void => void decompressor.destroy(signal.reason);
  signal.addEventListener('abort', leave);
  try {
    await Promise.all([fill(decompressor, pieces), drain()]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw isZlibError(error) ? damaged(error) : error;
  } finally {
    signal.removeEventListener('abort', leave);
    decompressor.destroy();
  }
}

async function fill(decompressor: Transform, pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) {
    await new Promise<void>((resolve, reject) => {
      decompressor.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    giveBack(piece);
  }
  decompressor.end();
}

function isZlibError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ZSTD_'));
}
