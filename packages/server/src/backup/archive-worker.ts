/**
 * The thread that writes a backup's file: reading, SHA-256 and zstd cost a processor for minutes, which must not be that of the requests. The
 * file has another name until it is whole and on disk.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { constants, createZstdCompress } from 'node:zlib';
// Not the room's index: a thread would load all of it.
import { TAR_END, tarHeader, tarPadding } from '../common/tar.ts';
import { CHECKSUMS, MANIFEST } from './manifest.ts';

export interface ArchiveFile {
  /** In the archive. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

export interface ArchiveJob {
  /** Path of the file to write; overwritten, where an earlier attempt has left one. */
  readonly to: string;
  /** Text of its first file. */
  readonly manifest: string;
  readonly files: readonly ArchiveFile[];
  /** Epoch milliseconds. */
  readonly at: number;
}

export type ArchiveMessage =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'done'; readonly size: number };

/** Parts of the warehouse are compressed already; the two other stores shrink to a fifth even so. */
const LEVEL = 3;
const READ_BYTES = 1024 * 1024;
const TELL_EVERY_MS = 500;

const tell = (message: ArchiveMessage) => parentPort?.postMessage(message);

async function* archive({ manifest, files, at }: ArchiveJob): AsyncGenerator<Buffer> {
  const sums: Record<string, string> = {};
  let bytes = 0;
  let toldAt = performance.now();
  yield* text(MANIFEST, manifest, at, sums);
  for (const { name, path, size } of files) {
    yield tarHeader(name, size, at);
    const hash = createHash('sha256');
    let read = 0;
    if (size > 0)
      for await (const piece of createReadStream(path, { end: size - 1, highWaterMark: READ_BYTES })) {
        hash.update(piece as Buffer);
        read += (piece as Buffer).length;
        yield piece as Buffer;
        if (performance.now() - toldAt < TELL_EVERY_MS) continue;
        toldAt = performance.now();
        tell({ kind: 'progress', bytes: bytes + read });
      }
    if (read !== size) throw new Error(`${name} became shorter while it was copied`);
    bytes += size;
    sums[name] = hash.digest('hex');
    yield tarPadding(size);
  }
  yield* text(CHECKSUMS, JSON.stringify({ sha256: sums }), at, {});
  yield TAR_END;
}

function* text(name: string, content: string, at: number, sums: Record<string, string>): Generator<Buffer> {
  const bytes = Buffer.from(content);
  sums[name] = createHash('sha256').update(bytes).digest('hex');
  yield tarHeader(name, bytes.length, at);
  yield bytes;
  yield tarPadding(bytes.length);
}

async function write(job: ArchiveJob): Promise<void> {
  const handle = await open(job.to, 'w', 0o600);
  // One that was left behind keeps its mode.
  await handle.chmod(0o600);
  try {
    await pipeline(
      Readable.from(archive(job), { objectMode: false }),
      createZstdCompress({
        chunkSize: READ_BYTES,
        params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
      }),
      handle.createWriteStream({ autoClose: false }),
    );
    await handle.sync();
    tell({ kind: 'done', size: (await handle.stat()).size });
  } finally {
    await handle.close();
  }
}

// A failure reaches the other thread as an error of this one.
if (parentPort !== null) void write(workerData as ArchiveJob);
