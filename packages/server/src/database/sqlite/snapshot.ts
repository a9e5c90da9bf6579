/** A moment of the SQLite file: a thread holds a read transaction on it, and copies what that shows with SQLite's own online backup. */
import { chmod } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DatabaseSnapshot } from '../adapter.ts';
import type { SnapshotAnswer, SnapshotRequest } from './snapshot-worker.ts';

/** @throws what SQLite says when the file can't be opened */
export async function takeSnapshot(file: string): Promise<DatabaseSnapshot> {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), { workerData: { file } });
  const next = (): Promise<SnapshotAnswer> =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        worker.off('message', heard).off('error', failed).off('exit', ended);
        act();
      };
      const heard = (answer: SnapshotAnswer) => settle(() => resolve(answer));
      const failed = (error: unknown) => settle(() => reject(error));
      const ended = () => settle(() => reject(new Error('the copy of the state database was ended')));
      worker.on('message', heard).on('error', failed).on('exit', ended);
    });
  const { migration } = await next();
  return {
    migration,
    async writeTo(directory, signal) {
      const to = join(directory, basename(file));
      const end = () => void worker.terminate();
      signal.addEventListener('abort', end, { once: true });
      try {
        const copied = next();
        worker.postMessage({ to } satisfies SnapshotRequest);
        const { tables } = await copied;
        await chmod(to, 0o600);
        return { files: [basename(file)], tables: new Map(tables) };
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
    async release() {
      await worker.terminate();
    },
  };
}
