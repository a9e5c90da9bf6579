/** The thread of `checkpoints.ts`: answers each message when the log is back in the file, as far as writers leave it alone. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Each is shorter than the one before; only a log that is wholly copied starts over. */
const MAX_PASSES = 5;

const { file } = workerData as { readonly file: string };
const database = new DatabaseSync(file, { timeout: 1_000 });
// Never waits for writers, nor they for it.
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');

const truncate = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');

parentPort?.on('message', (what: 'checkpoint' | 'scrub') => {
  if (what === 'scrub') {
    const { busy } = truncate.get() as { busy: number };
    parentPort?.postMessage(busy === 0 ? 'scrubbed' : 'busy');
    return;
  }
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const { log, checkpointed } = checkpoint.get() as { log: number; checkpointed: number };
    if (log === checkpointed) break;
  }
  parentPort?.postMessage('done');
});
