/** The auto-restarting worker thread: when it dies it is started again, and unanswered requests are refused. */
import type { Log } from '../common/index.ts';
import { SpoolOpenError, SpoolWriteError } from './errors.ts';
import type { Health } from './health.ts';
import { type RemoteStore, startRemoteStore } from './remote.ts';
import type { Reply, WorkerOptions } from './worker.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface Link {
  /** @throws SpoolWriteError at once while there is no thread */
  readonly call: RemoteStore['call'];
  /** The same for one thread's life: @throws SpoolWriteError when the thread is another one by now */
  bound(): RemoteStore['call'];
  close(): Promise<void>;
}

/** @throws SpoolOpenError */
export async function openLink(
  options: WorkerOptions,
  health: Health,
  log: Log,
  onReply: (reply: Reply) => void,
): Promise<Link> {
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

  return {
    call: (method, args, transfer) => through(store, method, (target) => target.call(method, args, transfer)),
    bound() {
      const mine = store;
      return (method, args, transfer) =>
        through(mine, method, (target) => target.call(method, args, transfer));
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await store?.close();
    },
  };
}
