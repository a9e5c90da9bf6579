/** Runs an upload's bytes through decompression, digest and line cutting with bounded memory. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../common/index.ts';
import { damaged, SenderGone, tooLarge } from '../body/body.ts';
import { bodyChunks } from '../body/body-chunks.ts';
import { type DecompressionOptions, decompressorOf, type Encoding, HEAD_BYTES } from '../body/encodings.ts';
import type { ReadAhead } from '../body/read-ahead.ts';
import type { IngestLimits } from '../ports.ts';
import type { Step, Work } from './turns.ts';

/** A longer body is never looked at as a whole: no platform's test of a destination is longer. */
const SHORT_BYTES = 1024;

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

export interface UploadEnd {
  /** Hex SHA-256 of the decompressed body. */
  readonly digest: string;
  /** Decompressed. */
  readonly bytes: number;
  /** The whole body when it is short enough to be a test of the destination. */
  readonly short: Buffer | null;
}

export interface UploadReading {
  readonly encoding: Encoding;
  readonly limits: IngestLimits;
  readonly ahead: ReadAhead;
  readonly work: Work;
  /** Aborted when the sender left, or the upload took too long. */
  readonly signal: AbortSignal;
  /** The body as received, where it was read before; null: it is read now. */
  readonly held: Buffer | null;
  /** Called for every piece that arrives from the sender, as it arrives. */
  readonly onArrival: (piece: Buffer) => void;
  /** @returns the work on a decompressed chunk, whose bytes are not there any more after it */
  readonly read: (chunk: Buffer) => Step;
  /** After each chunk; the next is not taken before it resolves. */
  readonly afterChunk: () => Promise<void> | undefined;
}

/**
 * @throws ServiceError `body_too_large`, `request_timeout`, `malformed_body`; the signal's reason; whatever the work throws
 */
export async function readUpload(request: IncomingMessage, reading: UploadReading): Promise<UploadEnd> {
  const { limits, work, signal } = reading;
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let bytes = 0;
  let isOurs = false;
  const drain = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > limits.uploadBytes) throw tooLarge(limits.uploadBytes);
      if (bytes <= SHORT_BYTES) head.push(Buffer.from(chunk));
      let step: Step | null = null;
      await work.run((isDue) => {
        if (step === null) {
          hash.update(chunk);
          step = reading.read(chunk);
        }
        return step(isDue);
      });
      const waiting = reading.afterChunk();
      if (waiting !== undefined) await waiting;
      if (isOurs) giveBack(chunk);
    }
  };
  const { held } = reading;
  const source =
    held === null ? bodyChunks(request, limits, reading.ahead, reading.onArrival) : pieceOf(held);
  try {
    const { first, rest } = await sniff(source);
    const decompressor = decompressorOf(first, reading.encoding, DECOMPRESSION);
    isOurs = decompressor !== null;
    if (decompressor === null) await pipeline(rest, drain, { signal });
    else await pipeline(rest, decompressor, drain, { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw isZlibError(error) ? damaged(error) : error;
  }
  return {
    digest: hash.digest('hex'),
    bytes,
    short: bytes <= SHORT_BYTES ? Buffer.concat(head) : null,
  };
}

/**
 * Frees a decompressed chunk that was read. Left to the collector of garbage, chunks would have it go through the whole heap every 64 MiB, on threads
 * that others need. The decompressor writes on behind what it has handed on, until its buffer is full.
 */
function giveBack({ buffer, byteOffset, length }: Buffer): void {
  if (byteOffset + length === buffer.byteLength) (buffer as ArrayBuffer).transfer(0);
}

async function* pieceOf(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

/** Enough of the body to tell its form, and all of it again. */
async function sniff(
  source: AsyncGenerator<Buffer>,
): Promise<{ first: Buffer; rest: AsyncGenerator<Buffer> }> {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < HEAD_BYTES) {
    const { done, value } = await source.next();
    if (done === true) break;
    first = Buffer.concat([first, value]);
  }
  const rest = async function* (): AsyncGenerator<Buffer> {
    try {
      if (first.length > 0) yield first;
      yield* source;
    } finally {
      await source.return(undefined);
    }
  };
  return { first, rest: rest() };
}

function isZlibError(error: unknown): boolean {
  if (error instanceof ServiceError || error instanceof SenderGone) return false;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ZSTD_'));
}
