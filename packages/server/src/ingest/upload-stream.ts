/** Runs an upload's bytes through decompression, digest and line cutting with bounded memory. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TransformOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type ZlibOptions } from 'node:zlib';
import { ServiceError } from '../kit/index.ts';
import { bodyChunks, damagedGzip, isGzip, SenderGone, tooLarge } from './body.ts';
import type { IngestLimits } from './ports.ts';
import { VALIDATION_MAX_BYTES } from './validation-upload.ts';

/**
 * Measured on two cores: below 64 KiB the hand-over between threads shows; at 128 KiB a 1 GiB upload took 154–161 MB of memory, at 96 KiB 142 MB,
 * at the same speed within the noise.
 */
export const OUTPUT_CHUNK = 96 * 1024;
/** Inflated ahead of the reader, so that both threads have work. */
const READ_AHEAD = 8 * OUTPUT_CHUNK;
const GUNZIP: ZlibOptions & TransformOptions = {
  chunkSize: OUTPUT_CHUNK,
  readableHighWaterMark: READ_AHEAD,
};

export interface UploadEnd {
  /** Hex SHA-256 of the decompressed body. */
  readonly digest: string;
  /** Decompressed. */
  readonly bytes: number;
  /** The whole body when it is short enough to be a validation upload. */
  readonly short: Buffer | null;
}

/**
 * @param take given every decompressed chunk in turn; the next is not taken before it resolves
 * @throws ServiceError `body_too_large`, `request_timeout`, `malformed_body`; SenderGone; whatever `take` throws
 */
export async function readUpload(
  request: IncomingMessage,
  limits: IngestLimits,
  take: (chunk: Buffer) => Promise<void> | undefined,
): Promise<UploadEnd> {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let bytes = 0;
  const drain = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > limits.uploadBytes) throw tooLarge(limits.uploadBytes);
      hash.update(chunk);
      if (bytes <= VALIDATION_MAX_BYTES) head.push(Buffer.from(chunk));
      const waiting = take(chunk);
      if (waiting !== undefined) await waiting;
    }
  };
  const source = bodyChunks(request, limits.bodyIdleMs);
  const { first, rest } = await sniff(source);
  try {
    if (isGzip(first)) {
      await pipeline(rest, createGunzip(GUNZIP), drain);
    } else {
      await drain(rest);
    }
  } catch (error) {
    throw isZlibError(error) ? damagedGzip(error) : error;
  }
  return {
    digest: hash.digest('hex'),
    bytes,
    short: bytes <= VALIDATION_MAX_BYTES ? Buffer.concat(head) : null,
  };
}

/** Enough of the body to tell its form, and all of it again. */
async function sniff(
  source: AsyncGenerator<Buffer>,
): Promise<{ first: Buffer; rest: AsyncGenerator<Buffer> }> {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < 2) {
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
  return typeof code === 'string' && code.startsWith('Z_');
}
