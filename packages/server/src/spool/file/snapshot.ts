/** A moment of the spool's file, copied while intake goes on: the file as it is, and its log up to the last commit. */
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { countersOf } from '../counters.ts';
import type { SpoolSnapshot } from '../types.ts';
import type { FilePin } from './file.ts';

const PIECE_BYTES = 1024 * 1024;

/** @param unpin tells whether the pin has held until then */
export function snapshotOf(pin: FilePin, unpin: () => Promise<boolean>): SpoolSnapshot {
  const { path, fileBytes, logBytes, waiting, counters } = pin;
  let released: Promise<boolean> | null = null;
  const release = () => {
    released ??= unpin();
    return released;
  };
  return {
    waiting,
    counters: countersOf(new Map(counters)),
    bytes: fileBytes + logBytes,
    async copyTo(directory, signal) {
      const name = basename(path);
      await copyStart(path, join(directory, name), fileBytes, signal);
      if (logBytes > 0) await copyStart(`${path}-wal`, join(directory, `${name}-wal`), logBytes, signal);
      if (!(await release())) throw new Error('the spool was opened again while it was copied');
      return logBytes > 0 ? [name, `${name}-wal`] : [name];
    },
    release: async () => void (await release()),
  };
}

/**
 * Closing a file drops the locks that this process has on it. Here that is harmless: the spool's owner holds its `-lock`, and no other
 * connection has the file.
 */
async function copyStart(from: string, to: string, bytes: number, signal: AbortSignal): Promise<void> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      for (let at = 0; at < bytes; ) {
        signal.throwIfAborted();
        const { bytesRead } = await source.read(piece, 0, Math.min(PIECE_BYTES, bytes - at), at);
        if (bytesRead === 0) throw new Error(`${basename(from)} became shorter while it was copied`);
        await target.writeFile(piece.subarray(0, bytesRead));
        at += bytesRead;
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
