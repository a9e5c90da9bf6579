/** Files as streams of what they hold, compressed or not. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** How many first bytes tell a file from all others. */
export const HEAD_BYTES = 1024;
const CHUNK_BYTES = 64 * 1024;

export type Compression = 'gzip' | 'zstd' | null;

/** By its first bytes, whatever its name. */
export function compressionOf(bytes: Buffer): Compression {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  return bytes.length >= 4 && bytes.readUInt32LE(0) === 0xfd2fb528 ? 'zstd' : null;
}

/** @throws as opening does */
export function readHead(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** The first bytes of what a file holds. @throws as reading and decompressing do */
export async function readContentHead(path: string, length: number): Promise<Buffer> {
  const bytes = readHead(path, length);
  if (compressionOf(bytes) === null) return bytes;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of contentOf(path, 0)) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= length) break;
  }
  return Buffer.concat(parts).subarray(0, length);
}

/**
 * What a file holds, decompressed.
 * @param from bytes that are passed over @param onRead gets the count of the file's own bytes, for a progress bar
 */
export async function* contentOf(
  path: string,
  from: number,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const compression = compressionOf(readHead(path, 4));
  const file = createReadStream(path, {
    highWaterMark: CHUNK_BYTES,
    ...(compression === null ? { start: from } : {}),
  });
  file.on('data', (chunk) => onRead(chunk.length));
  const content: Readable =
    compression === null ? file : file.pipe(compression === 'gzip' ? createGunzip() : createZstdDecompress());
  file.on('error', (error) => content.destroy(error));
  let left = compression === null ? 0 : from;
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (left >= chunk.length) left -= chunk.length;
      else {
        yield left === 0 ? chunk : chunk.subarray(left);
        left = 0;
      }
    }
  } finally {
    content.destroy();
    file.destroy();
  }
}
