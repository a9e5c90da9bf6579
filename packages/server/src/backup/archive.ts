/** A backup's file: `.tar.zst`, written by a thread, read with every checksum compared. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createZstdDecompress } from 'node:zlib';
import { isObject } from '@ghostlight/core';
import { readTar, TarError } from '../common/index.ts';
import type { ArchiveJob, ArchiveMessage } from './archive-worker.ts';
import {
  BackupError,
  CHECKSUMS,
  MANIFEST,
  type Manifest,
  MOST_TEXT_BYTES,
  readManifest,
} from './manifest.ts';

/** Of a file that is not whole yet. */
const PARTIAL = '.partial';
/** Each piece is a turn of the thread pool. */
const CHUNK_BYTES = 1024 * 1024;
/** Files that are brought to the disk at once: one after the other, each waits for the disk by itself. */
const SYNCED_AT_ONCE = 16;

/**
 * Writes the archive, and gives it its name when it is whole and on disk. After any failure there is no file of it.
 * @param job.to the path in the end
 * @returns bytes of the file
 */
export async function writeArchive(
  job: ArchiveJob,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const partial = `${job.to}${PARTIAL}`;
  const worker = new Worker(new URL('./archive-worker.ts', import.meta.url), {
    workerData: { ...job, to: partial } satisfies ArchiveJob,
  });
  const end = () => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    const size = await new Promise<number>((resolve, reject) => {
      let written: number | null = null;
      worker.on('message', (message: ArchiveMessage) => {
        if (message.kind === 'progress') onProgress(message.bytes);
        else written = message.size;
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        if (written !== null) resolve(written);
        else reject(signal.aborted ? signal.reason : new Error('the thread that wrote the backup has ended'));
      });
    });
    signal.throwIfAborted();
    await rename(partial, job.to);
    await syncFolder(dirname(job.to));
    return size;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** What was unpacked is on disk when it resolves. */
export async function syncBelow(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const next = paths.values();
  const worker = async () => {
    for (const path of next) await syncFolder(path);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, worker));
}

/** So that a name is on disk, too. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export interface ReadArchiveOptions {
  /** Of this program, for the sentence about a newer backup. */
  readonly version: string;
  /** Called with the manifest, before any other file is read. What it throws ends the reading. */
  readonly onManifest: (manifest: Manifest) => Promise<void>;
  /** The folder into which a file of this name goes; null: it is checked alone. */
  readonly into: (name: string) => string | null;
  /** Bytes of the archive that were read, as often as some more were. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Reads a backup to its end, and compares every file with its checksum.
 * @throws BackupError that says what is wrong with it; and what writing throws
 */
export async function readArchive(file: string, options: ReadArchiveOptions): Promise<Manifest> {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  source.on('data', () => options.onProgress(source.bytesRead));
  const unpacked = source.pipe(createZstdDecompress({ chunkSize: CHUNK_BYTES }));
  source.once('error', (error) => unpacked.destroy(error));
  try {
    return await readEntries(unpacked, options);
  } catch (error) {
    throw explained(error, file);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

async function readEntries(
  unpacked: AsyncIterable<Buffer>,
  { version, onManifest, into, onProgress: _ }: ReadArchiveOptions,
): Promise<Manifest> {
  const sums = new Map<string, string>();
  let manifest: Manifest | null = null;
  let stated: ReadonlyMap<string, string> | null = null;
  let bytes = 0;
  for await (const { name, size, body } of readTar(unpacked)) {
    if (stated !== null) throw new TarError('data follows its end');
    if (name === MANIFEST || name === CHECKSUMS) {
      if (size > MOST_TEXT_BYTES) throw new TarError(`${name} is too large`);
      const pieces: Buffer[] = [];
      for await (const piece of body) pieces.push(piece);
      const text = Buffer.concat(pieces);
      if (name === CHECKSUMS) {
        stated = readChecksums(text.toString('utf8'));
        continue;
      }
      manifest = readManifest(text.toString('utf8'), version);
      sums.set(name, createHash('sha256').update(text).digest('hex'));
      await onManifest(manifest);
      continue;
    }
    if (manifest === null)
      throw new BackupError('This is no backup of Ghostlight: its first file is not a manifest.');
    const folder = into(name);
    sums.set(name, await keep(body, folder === null ? null : join(folder, name)));
    bytes += size;
  }
  if (manifest === null || stated === null) throw new TarError('its end is missing');
  compare(sums, stated);
  if (sums.size - 1 !== manifest.files || bytes !== manifest.bytes)
    throw new BackupError('This backup does not hold what its manifest says. Use another one.');
  return manifest;
}

/** @returns SHA-256 of what was read */
async function keep(body: AsyncIterable<Buffer>, path: string | null): Promise<string> {
  const hash = createHash('sha256');
  if (path === null) {
    for await (const piece of body) hash.update(piece);
    return hash.digest('hex');
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const piece of body) {
      hash.update(piece);
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

function readChecksums(text: string): ReadonlyMap<string, string> {
  const value: unknown = JSON.parse(text);
  const sums = isObject(value) ? value['sha256'] : null;
  if (!isObject(sums)) throw new TarError('its checksums can’t be read');
  return new Map(Object.entries(sums).map(([name, sum]) => [name, String(sum)]));
}

function compare(sums: ReadonlyMap<string, string>, stated: ReadonlyMap<string, string>): void {
  const wrong = [...stated].find(([name, sum]) => sums.get(name) !== sum)?.[0];
  const foreign = [...sums.keys()].find((name) => !stated.has(name));
  if (wrong !== undefined || foreign !== undefined)
    throw new BackupError(
      `This backup is damaged: ${wrong ?? foreign} is not what was written. Use another one; nothing was changed.`,
    );
}

/** What zstd, the format or the system says, as a sentence about the file. */
function explained(error: unknown, file: string): unknown {
  if (error instanceof BackupError) return error;
  const { code } = error as { readonly code?: unknown };
  if (code === 'ENOENT') return new BackupError(`There is no file ${file}.`, { cause: error });
  if (error instanceof TarError || error instanceof SyntaxError || /^(ZSTD_|Z_)/.test(String(code)))
    return new BackupError(
      `The backup ${file} is damaged or cut off (${error instanceof Error ? error.message : String(code)}). Use another one; nothing was changed.`,
      { cause: error },
    );
  return error;
}

/** @returns bytes of a file; null: there is none */
export async function sizeOf(path: string): Promise<number | null> {
  return await stat(path).then(
    ({ size }) => size,
    () => null,
  );
}
