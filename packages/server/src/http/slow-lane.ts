/**
 * New connections of addresses that lately sent what costs far more to read than to send. The first read of a connection can't be cut short, so
 * they are read one after the other, with time between them for all other addresses.
 */
import type { Socket } from 'node:net';

/** How long an address is remembered, and how many are. */
const REMEMBERED_MS = 10_000;
const MAX_ADDRESSES = 10_000;
/** Between two connections: ten times what a first read may take. */
const EVERY_MS = 100;

export class SlowLane {
  readonly #now: () => number;
  /** Address → until when; the first noted stands first. */
  readonly #noted = new Map<string, number>();
  readonly #waiting = new Set<Socket>();
  #timer: NodeJS.Timeout | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(address: string): void {
    this.#noted.delete(address);
    this.#noted.set(address, this.#now() + REMEMBERED_MS);
    const [oldest] = this.#noted.keys();
    if (this.#noted.size > MAX_ADDRESSES && oldest !== undefined) this.#noted.delete(oldest);
  }

  /** A new connection, of which nothing was read yet, waits if its address was noted. */
  take(socket: Socket, address: string): void {
    const until = this.#noted.get(address);
    if (until === undefined) return;
    if (until < this.#now()) {
      this.#noted.delete(address);
      return;
    }
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
    // Node begins to read when this turn is over.
    process.nextTick(() => socket.pause());
    this.#timer ??= setInterval(() => this.#next(), EVERY_MS).unref();
  }

  #next(): void {
    const [socket] = this.#waiting;
    if (socket !== undefined) {
      this.#waiting.delete(socket);
      socket.resume();
    } else if (this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }
}
