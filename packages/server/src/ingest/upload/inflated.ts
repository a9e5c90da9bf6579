/** Decompresses an upload with bounded memory. */
import { pipeline } from 'node:stream/promises';
import { damaged } from '../body/body.ts';
import { type DecompressionOptions, decompressorOf, type Encoding } from '../body/encodings.ts';

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
 * @param pieces all of the body
 * @param read called for each decompressed chunk, whose bytes are not there any more after it; the next is not taken before it resolves
 * @throws ServiceError `malformed_body`; the signal's reason; whatever `read` throws
 */
export async function readInflated(
  first: Uint8Array,
  pieces: AsyncGenerator<Buffer>,
  encoding: Encoding,
  signal: AbortSignal,
  read: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const decompressor = decompressorOf(first, encoding, DECOMPRESSION);
  const isOurs = decompressor !== null;
  const drain = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      await read(chunk);
      if (isOurs) giveBack(chunk);
    }
  };
  try {
    if (decompressor === null) await pipeline(pieces, drain, { signal });
    else await pipeline(pieces, decompressor, drain, { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw isZlibError(error) ? damaged(error) : error;
  }
}

/**
 * Frees a decompressed chunk that was read. Left to the collector of garbage, chunks would have it go through the whole heap every 64 MiB, on threads
 * that others need. The decompressor writes on behind what it has handed on, until its buffer is full.
 */
function giveBack({ buffer, byteOffset, length }: Buffer): void {
  if (byteOffset + length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

function isZlibError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ZSTD_'));
}
