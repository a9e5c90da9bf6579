/** The file as a `SpoolStore`, in a worker thread that is started again when it dies; unanswered requests are refused then. */
import type { Log } from '../../common/index.ts';
import { SpoolOpenError, SpoolWriteError } from '../errors.ts';
import type { Health } from '../health.ts';
import type { PackedRows, SpoolStore, UploadStore } from '../port.ts';
import { type RemoteStore, startRemoteStore } from './remote.ts';
import { snapshotOf } from './snapshot.ts';
import type { Reply, WorkerOptions } from './worker.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** @throws SpoolOpenError */
export async function openFileStore(
  options: WorkerOptions,
  health: Health,
  log: Log,
  onReply: (reply: Reply) => void,
): Promise<SpoolStore> {
  let store: RemoteStore | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const start = (): Promise<RemoteStore> =>
    startRemoteStore(options, onReply, (error) => {
      store = null;
      health.failing = error.message;
      log.error({ err: error }, 'the spool thread died; opening the file again');
      restart(FIRST_PAUSE_MS);
    });
  const restart = (pause: number): void => {
    if (closed) return;
    retry = setTimeout(() => {
      start().then(
        (opened) => {
          // `failing` stays until a write has succeeded: an open file proves little.
          store = opened;
          if (closed) void opened.close();
        },
        (error: unknown) => {
          health.failing = String(error);
          log.error({ err: error }, 'the spool file could not be opened again');
          restart(Math.min(pause * 2, LONGEST_PAUSE_MS));
        },
      );
    }, pause);
    retry.unref();
  };
  store = await start().catch((error: unknown) => {
    throw new SpoolOpenError(options.file, { cause: error });
  });

  const through = async <T>(
    target: RemoteStore | null,
    method: string,
    run: (store: RemoteStore) => Promise<T>,
  ): Promise<T> => {
    if (target === null || target !== store)
      throw new SpoolWriteError(health.failing ?? 'its thread is gone');
    try {
      const result = await run(target);
      health.wrote(method);
      return result;
    } catch (error) {
      if (!closed) health.failing = error instanceof Error ? error.message : String(error);
      throw error;
    }
  };

  /** Fails at once while there is no thread. */
  const call: RemoteStore['call'] = (method, args, transfer) =>
    through(store, method, (target) => target.call(method, args, transfer));
  return {
    durability: 'node',
    shared: false,
    holds: () => true,
    append: (group) => call('append', [group], buffersOf(group.rows)),
    ...uploadCalls(call),
    forUpload() {
      // What it stages dies with the thread.
      const mine = store;
      return uploadCalls((method, args, transfer) =>
        through(mine, method, (target) => target.call(method, args, transfer)),
      );
    },
    takeBatch: (parked, mostBytes) => call('takeBatch', [parked, mostBytes]),
    retryBatch: (id) => call('retryBatch', [id]),
    finishBatch: (id, found) => call('finishBatch', [id, found]),
    leaveOut: (id, lines) => call('leaveOut', [id, lines]),
    splitBatch: (id, reason, at) => call('splitBatch', [id, reason, at]),
    checkpoint: () => call('checkpoint', []),
    quarantined: (limit) => call('quarantined', [limit]),
    removeQuarantine: (ids) => call('removeQuarantine', [ids]),
    recordedUploads: (now) => call('recordedUploads', [now]),
    tidy: (now, memoryMs) => call('tidy', [now, memoryMs]),
    probe: () => call('probe', []),
    scrub: (texts) => call('scrub', [texts]),
    snapshot: async () =>
      snapshotOf(await call('pin', []), async () => {
        // Not by way of `call`: a thread that is gone holds nothing any more.
        return (await store?.call('unpin', []).catch(() => false)) ?? false;
      }),
    async close() {
      closed = true;
      clearTimeout(retry);
      await store?.close();
    },
  };
}

function uploadCalls(call: RemoteStore['call']): UploadStore {
  return {
    stage: (message) => call('stage', [message], buffersOf(message.rows)),
    commit: (message) => call('commit', [message]),
    takenElsewhere: (message) => call('takenElsewhere', [message]),
    abort: (upload) => call('abort', [upload]),
  };
}

/** Handed to the thread without a copy. */
function buffersOf({ chunks }: PackedRows): ArrayBuffer[] {
  return chunks.map(({ body }) => body.buffer as ArrayBuffer);
}
