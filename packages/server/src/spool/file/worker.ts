/** The thread that owns the file: it runs the store's methods by name, one message after the other. */
import { parentPort, workerData } from 'node:worker_threads';
// Not by the room's door, which loads the schemas of the API: the spool's threads stay small.
import { sqliteCode } from '../../common/sqlite-code.ts';
import type { Gauges, StoreReport } from '../port.ts';
import type { SpoolFile } from './file.ts';
import { openSpoolFile } from './recover.ts';
import { type StoreCalls, storeCalls } from './store.ts';

export interface Call {
  readonly id: number;
  readonly method: keyof StoreCalls | 'close';
  readonly args: readonly unknown[];
}

export interface Reply extends StoreReport {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

export interface WorkerOptions {
  readonly file: string;
  readonly maxBytes: number;
  readonly maxPages: number | undefined;
  readonly durable: boolean;
  readonly secureDelete: boolean;
}

const port = parentPort;
if (port !== null) {
  const { file, ...options } = workerData as WorkerOptions;
  const spool = openSpoolFile(file, options);
  const calls = storeCalls(spool);
  const damages = spool.takeDamages();
  const known = spool.aside
    .reports(Date.now())
    .filter(({ at }) => damages.every((damage) => damage.at !== at));
  const first: Reply = { id: 0, counters: spool.counters(), gauges: spool.gauges(), damages, known };
  port.postMessage(first);
  port.on('message', ({ id, method, args }: Call) => {
    if (method === 'close') {
      spool.close();
      port.postMessage({ id, counters: [], gauges: null } satisfies Reply);
      port.close();
      return;
    }
    try {
      const call = calls[method] as (...values: readonly unknown[]) => unknown;
      const result = call(...args);
      const body = bodyOf(result);
      const changed = { counters: spool.takeChanged(), gauges: spool.gauges() };
      const damages = spool.takeDamages();
      const reply: Reply = { id, result, ...changed, ...(damages.length > 0 ? { damages } : {}) };
      port.postMessage(reply, body === undefined ? [] : [body.buffer as ArrayBuffer]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ id, error: message, counters: [], gauges: safeGauges(spool) } satisfies Reply);
      // What SQLite has in memory can't be trusted after these: the thread dies, and another one reads the file again.
      if (isBroken(error)) throw error;
    }
  });
}

function bodyOf(result: unknown): Uint8Array | undefined {
  const { body, batch } = (result ?? {}) as { body?: Uint8Array; batch?: { body: Uint8Array } };
  return body ?? batch?.body;
}

/** SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB. */
function isBroken(error: unknown): boolean {
  return [10, 11, 26].includes(sqliteCode(error));
}

/** On a broken disk even reading the size may fail. */
function safeGauges(spool: SpoolFile): Gauges | null {
  try {
    return spool.gauges();
  } catch {
    return null;
  }
}
