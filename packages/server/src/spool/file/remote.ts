/** The worker thread seen from the main one: calls by name, each with a promise; what the store reports beside is passed on. */
import { Worker } from 'node:worker_threads';
import { SpoolWriteError } from '../errors.ts';
import type { StoreCalls } from './store.ts';
import type { Call, Reply, WorkerOptions } from './worker.ts';

type Method = keyof StoreCalls;
type Arguments<M extends Method> = Parameters<StoreCalls[M]>;
type Result<M extends Method> = ReturnType<StoreCalls[M]>;

export interface RemoteStore {
  /** @param transfer buffers that are handed over instead of copied. @throws SpoolWriteError */
  call<M extends Method>(
    method: M,
    args: Arguments<M>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<Result<M>>;
  /** Waits for the calls under way, closes the file and ends the thread. */
  close(): Promise<void>;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Starts the thread. Resolves when the file is open.
 * @param onReply called with every answer's counters and gauges, before the call's promise resolves
 * @param onLost called when the thread died by itself
 */
export async function startRemoteStore(
  options: WorkerOptions,
  onReply: (reply: Reply) => void,
  onLost: (error: Error) => void,
): Promise<RemoteStore> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: options });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let closing = false;

  let lost: Error | null = null;

  // A dying thread says so twice, with an error and an exit; a second reopening would set two threads on one file.
  const lose = (error: Error) => {
    if (lost !== null) return;
    lost = error;
    for (const { reject } of waiting.values()) reject(new SpoolWriteError(error.message, { cause: error }));
    waiting.clear();
    if (!closing) onLost(error);
  };

  await new Promise<void>((resolve, reject) => {
    const ended = () => reject(new SpoolWriteError('its thread ended before the file was open'));
    worker.once('error', reject);
    worker.once('exit', ended);
    worker.once('message', (first: Reply) => {
      worker.off('error', reject);
      worker.off('exit', ended);
      onReply(first);
      resolve();
    });
  });
  worker.on('error', (error) => lose(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', (code) => {
    lose(new Error(`the spool's thread ended with code ${code}`));
  });
  worker.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    onReply(reply);
    if (reply.error === undefined) call?.resolve(reply.result);
    else call?.reject(new SpoolWriteError(reply.error));
  });

  const send = (
    method: Call['method'],
    args: readonly unknown[],
    transfer: readonly ArrayBuffer[],
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (lost !== null || (closing && method !== 'close')) {
        reject(new SpoolWriteError(lost?.message ?? 'it is closed'));
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, args } satisfies Call, [...transfer]);
    });

  return {
    call: async <M extends Method>(method: M, args: Arguments<M>, transfer: readonly ArrayBuffer[] = []) =>
      (await send(method, args, transfer)) as Result<M>,
    async close() {
      if (closing) return;
      closing = true;
      await send('close', [], []).catch(() => {});
      await worker.terminate();
    },
  };
}
