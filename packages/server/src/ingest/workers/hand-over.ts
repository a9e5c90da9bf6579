/** The side of a job that takes the request: hands its body to a worker as fast as that reads, and stages the rows that come back. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ServiceError } from '../../common/index.ts';
import type { SpoolRow } from '../../spool/index.ts';
import { ownsMemory } from '../body/memory.ts';
import type { Pieces } from '../body/pieces.ts';
import type { PropertyFacts } from '../owners.ts';
import type { Done, Failure, FromWorker, ToWorker } from './messages.ts';

/** Bytes that a worker was handed and has not taken yet. */
const WINDOW_BYTES = 512 * 1024;

/** The thread ended before it had read the body. */
export class WorkerEnded extends Error {
  constructor() {
    super('the worker ended before the upload was read');
    this.name = 'WorkerEnded';
  }
}

export interface HandedOver {
  /** What was read of the body before. It has no bytes any more afterwards, and neither has a piece. */
  readonly head: Buffer;
  readonly body: Pieces;
  /** Aborted when the sender left, or the upload took too long. */
  readonly signal: AbortSignal;
  /** Resolves when more rows may follow. */
  readonly stage: (rows: SpoolRow[]) => Promise<void>;
  readonly propertiesOf: (ids: ReadonlySet<string>) => Promise<PropertyFacts>;
  /** Called for every message of the worker's. */
  readonly onMessage: () => void;
}

/**
 * Ends only when nothing is being staged any more: what its caller takes back then is all.
 * @param begin sends the job with its end of the channel
 * @throws ServiceError; SenderGone; the signal's reason; what `stage` throws; WorkerEnded
 */
export async function handOver<Read>(
  begin: (port: MessagePort) => void,
  job: HandedOver,
): Promise<Done<Read>> {
  const { head, body, signal, stage, propertiesOf, onMessage } = job;
  const { port1: port, port2 } = new MessageChannel();
  const { promise, resolve, reject } = Promise.withResolvers<Done<Read>>();
  const window = new Window(WINDOW_BYTES);
  const say = (message: ToWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  let staging: Promise<void> = Promise.resolve();
  let isOver = false;
  const stageNext = async (rows: SpoolRow[]): Promise<void> => {
    if (isOver) return;
    await stage(rows);
    say({ staged: true });
  };

  port.on('message', (message: FromWorker) => {
    onMessage();
    if ('taken' in message) window.give(message.taken);
    else if ('rows' in message) staging = staging.then(() => stageNext(message.rows)).catch(reject);
    else if ('asked' in message)
      propertiesOf(message.asked).then((properties) => say({ properties }), reject);
    else if ('done' in message) resolve(message.done as Done<Read>);
    else reject(errorOf(message.failed));
  });
  port.on('close', () => reject(new WorkerEnded()));
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave);

  const send = async (): Promise<void> => {
    for (let piece: Buffer | null = head; piece !== null; piece = await body.next()) {
      const bytes = ownsMemory(piece) ? piece : new Uint8Array(piece);
      // Asked before: what was handed over has no length any more.
      const { length } = bytes;
      say({ bytes }, [bytes.buffer]);
      await window.take(length);
    }
    say({ end: true });
  };
  begin(port2);
  send().catch(reject);
  try {
    if (signal.aborted) leave();
    return await promise;
  } finally {
    signal.removeEventListener('abort', leave);
    body.close();
    window.give(Number.POSITIVE_INFINITY);
    isOver = true;
    // A worker that still reads learns that it need not.
    port.close();
    await staging;
  }
}

/** How far ahead of its reader a sender may be. */
class Window {
  readonly #most: number;
  #ahead = 0;
  #wake: (() => void) | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when more may be sent. */
  async take(bytes: number): Promise<void> {
    this.#ahead += bytes;
    if (this.#ahead < this.#most) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  give(bytes: number): void {
    this.#ahead -= bytes;
    if (this.#ahead >= this.#most) return;
    this.#wake?.();
    this.#wake = null;
  }
}

function errorOf({ message, stack, code, headers }: Failure): Error {
  if (code !== null) return new ServiceError(code, message, headers === undefined ? {} : { headers });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
