/**
 * SQLite's log goes back into its file on a thread of its own. Where a commit does it, as by default every 4 MiB, that commit waits for every
 * page and two fsyncs, and the event loop with it: up to 0.7 s were measured at 600 conversions a second over a million visitors.
 */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

const EVERY_MS = 500;
const MOST_SCRUBS = 5;
/** A shorter log is left as it is: small databases never start the thread. */
const FROM_BYTES = 4 * 1024 ** 2;
/** For the writing connection: beyond this (64 MiB) a commit does it itself, so that the log stays bounded whatever this thread does. */
export const MOST_LOG_PAGES = 16_384;

export interface Checkpoints {
  /** Empties the log. @throws when it can't be had for itself in time */
  scrub(): Promise<void>;
  /** Resolves when the thread has let go of the file. */
  close(): Promise<void>;
}

export function startCheckpoints(file: string): Checkpoints {
  let worker: Worker | undefined;
  let busy = false;
  let seen = 0;
  let closed = false;
  const scrubbing: ((done: boolean) => void)[] = [];

  const start = (): Worker => {
    const thread = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: { file } });
    thread.unref();
    thread.on('message', (said: 'done' | 'scrubbed' | 'busy') => {
      if (said === 'done') busy = false;
      else for (const heard of scrubbing.splice(0)) heard(said === 'scrubbed');
    });
    // The next look starts another; meanwhile commits bound the log.
    const forget = () => {
      if (worker === thread) worker = undefined;
      busy = false;
      for (const heard of scrubbing.splice(0)) heard(false);
    };
    thread.on('error', forget);
    thread.on('exit', forget);
    return thread;
  };
  const look = async (): Promise<void> => {
    const log = await stat(`${file}-wal`).catch(() => null);
    // The log is used again from its beginning and never shrinks: whether there is anything new, its time tells.
    if (log === null || log.size < FROM_BYTES || log.mtimeMs === seen || busy || closed) return;
    seen = log.mtimeMs;
    busy = true;
    worker ??= start();
    worker.postMessage('checkpoint');
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  timer.unref();

  return {
    async scrub() {
      for (let attempt = 0; attempt < MOST_SCRUBS && !closed; attempt += 1) {
        worker ??= start();
        const thread = worker;
        const done = new Promise<boolean>((resolve) => scrubbing.push(resolve));
        thread.postMessage('scrub');
        if (await done) return;
      }
      throw new Error('The log of the state database could not be emptied: a reader never pauses.');
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await worker?.terminate();
    },
  };
}
