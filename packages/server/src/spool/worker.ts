/** The thread that owns the file: it runs the store's methods by name, one message after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { SpoolFile } from './file.ts';
import type { Gauges } from './messages.ts';
import { type StoreCalls, storeCalls } from './store.ts';

export interface Call {
  readonly id: number;
  readonly method: keyof StoreCalls | 'close';
  readonly args: readonly unknown[];
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
  /** Counters that changed, with their new values; all of them in the first message. */
  readonly counters: [string, number][];
  readonly gauges: Gauges;
}

export interface WorkerOptions {
  readonly file: string;
  readonly maxPages?: number;
}

const port = parentPort;
if (port !== null) {
  const { file, ...options } = workerData as WorkerOptions;
  const spool = new SpoolFile(file, options);
  const calls = storeCalls(spool);
  port.postMessage({ id: 0, counters: spool.counters(), gauges: spool.gauges() } satisfies Reply);
  port.on('message', ({ id, method, args }: Call) => {
    if (method === 'close') {
      spool.close();
      port.postMessage({ id, counters: [], gauges: { bytes: 0, oldestAt: null } } satisfies Reply);
      port.close();
      return;
    }
    try {
      const call = calls[method] as (...values: readonly unknown[]) => unknown;
      const result = call(...args);
      const body = (result as { body?: Uint8Array } | null)?.body;
      const reply: Reply = { id, result, counters: spool.takeChanged(), gauges: spool.gauges() };
      port.postMessage(reply, body === undefined ? [] : [body.buffer as ArrayBuffer]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ id, error: message, counters: [], gauges: safeGauges(spool) } satisfies Reply);
    }
  });
}

/** On a broken disk even reading the size may fail. */
function safeGauges(spool: SpoolFile): Gauges {
  try {
    return spool.gauges();
  } catch {
    return { bytes: 0, oldestAt: null };
  }
}
