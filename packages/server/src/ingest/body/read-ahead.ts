/**
 * What of a body is read before it is worked on. A connection that isn't read doesn't say that it has ended, so the more is read the sooner the
 * work for a sender that left ends; what all bodies hold together is bounded.
 */
import type { IncomingMessage } from 'node:http';
import { SenderGone, stalled } from './body.ts';
import { giveBack, ownsMemory } from './memory.ts';

const MIB = 1024 * 1024;
/** Of one body; of all bodies together; of one body even where the others have taken all. */
const LIMITS = { each: 8 * MIB, total: 64 * MIB, least: 256 * 1024 };
/** What is handed on at a time: as much as is read of a connection at once. */
const PIECE_BYTES = 64 * 1024;

export class ReadAhead {
  readonly #limits: typeof LIMITS;
  #held = 0;

  constructor(limits: typeof LIMITS = LIMITS) {
    this.#limits = limits;
  }

  /** Begins to read. @param onArrival called when bytes arrive */
  open(request: IncomingMessage, onArrival: () => void = () => undefined): BodyQueue {
    let own = 0;
    return new BodyQueue(request, onArrival, {
      add: (bytes) => {
        own += bytes;
        this.#held += bytes;
      },
      isFull: () =>
        own >= this.#limits.each || (own >= this.#limits.least && this.#held >= this.#limits.total),
    });
  }
}

interface Allowance {
  /** So many bytes more are held, or less. */
  add(bytes: number): void;
  isFull(): boolean;
}

export class BodyQueue {
  readonly #request: IncomingMessage;
  readonly #onArrival: () => void;
  readonly #allowance: Allowance;
  readonly #pieces: Buffer[] = [];
  #held = 0;
  #hasEnded = false;
  #isGone: boolean;
  #wake: (() => void) | null = null;

  constructor(request: IncomingMessage, onArrival: () => void, allowance: Allowance) {
    this.#request = request;
    this.#onArrival = onArrival;
    this.#allowance = allowance;
    this.#isGone = request.destroyed;
    request.on('data', this.#onData);
    request.on('end', this.#onEnd);
    request.on('close', this.#onClose);
  }

  /** Whether `take` has something to say. */
  get #isReady(): boolean {
    return this.#isGone || this.#hasEnded || this.#pieces.length > 0;
  }

  /**
   * Resolves once `take` has something to say.
   * @throws ServiceError `request_timeout` when nothing comes for so long
   */
  async wait(idleMs: number): Promise<void> {
    if (this.#isReady) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(stalled()), idleMs);
    this.#wake = resolve;
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#wake = null;
    }
  }

  /**
   * The next piece; many small ones come as one.
   * @returns null at the body's end
   * @throws SenderGone
   */
  take(): Buffer | null {
    if (this.#isGone) throw new SenderGone();
    let count = 0;
    let bytes = 0;
    for (const { length } of this.#pieces) {
      if (count > 0 && bytes + length > PIECE_BYTES) break;
      count += 1;
      bytes += length;
    }
    const parts = this.#pieces.splice(0, count);
    this.#add(-bytes);
    if (!this.#allowance.isFull() && this.#request.isPaused()) this.#request.resume();
    const [first = null] = parts;
    if (parts.length < 2) return first;
    const piece = Buffer.concat(parts, bytes);
    for (const part of parts) if (ownsMemory(part)) giveBack(part);
    return piece;
  }

  /** Reads no more, and ends a wait. What is left of the body can still be drained. */
  close(): void {
    this.#request.off('data', this.#onData);
    this.#request.off('end', this.#onEnd);
    this.#request.off('close', this.#onClose);
    this.#request.pause();
    this.#pieces.length = 0;
    this.#add(-this.#held);
    this.#hasEnded = true;
    this.#tell();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#onArrival();
    this.#pieces.push(chunk);
    this.#add(chunk.length);
    if (this.#allowance.isFull()) this.#request.pause();
    this.#tell();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    this.#tell();
  };

  readonly #onClose = (): void => {
    if (this.#hasEnded) return;
    this.#isGone = true;
    this.#tell();
  };

  #add(bytes: number): void {
    this.#held += bytes;
    this.#allowance.add(bytes);
  }

  #tell(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
