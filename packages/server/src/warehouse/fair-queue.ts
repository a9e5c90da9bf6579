/**
 * Statements of one lane take turns: first between organizations, then between the callers of one. However many questions one caller
 * asks at once, another's next one waits for one turn, not for all of them.
 */
import { WarehouseUnavailable } from './errors.ts';

/** On whose account a statement runs. */
export interface Account {
  /** Empty: the service itself, or the admin token. */
  readonly organization: string;
  readonly caller: string;
}

export const SERVICE: Account = { organization: '', caller: '' };

export interface FairQueueOptions {
  /** Statements that run at once. */
  readonly running: number;
  /** Statements of one caller that may wait. */
  readonly waitingPerCaller: number;
  /** Statements that may wait, of all callers together. */
  readonly waiting: number;
  /** After so long in the queue a caller gets "try again"; milliseconds. */
  readonly patienceMs: number;
}

interface Waiting {
  readonly start: () => void;
}

/** A round of keys, the next one first. A key that has been served goes to the end. */
type Round<Value> = Map<string, Value>;

export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #organizations: Round<Round<Set<Waiting>>> = new Map();
  #running = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** @throws WarehouseUnavailable when the queue is full for this caller or for all, or the wait was too long */
  async run<Result>(
    account: Account,
    work: () => Promise<Result>,
    signal?: AbortSignal | undefined,
  ): Promise<Result> {
    if (this.#running >= this.#options.running || this.#waiting > 0) await this.#turn(account, signal);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #turn({ organization, caller }: Account, signal: AbortSignal | undefined): Promise<void> {
    const callers = this.#organizations.get(organization) ?? new Map<string, Set<Waiting>>();
    const own = callers.get(caller) ?? new Set<Waiting>();
    if (own.size >= this.#options.waitingPerCaller)
      throw new WarehouseUnavailable(
        'Many of your earlier questions still wait for the warehouse; try again when they are answered.',
      );
    if (this.#waiting >= this.#options.waiting)
      throw new WarehouseUnavailable('The warehouse is busy just now; try again in a moment.');
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.#remove(organization, caller, waiting);
        settle();
        reject(reason);
      };
      const left = () => leave(signal?.reason);
      const timer = setTimeout(
        () => leave(new WarehouseUnavailable('The warehouse is busy just now; try again in a moment.')),
        this.#options.patienceMs,
      );
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', left);
      };
      const waiting: Waiting = {
        start: () => {
          settle();
          resolve();
        },
      };
      own.add(waiting);
      callers.set(caller, own);
      this.#organizations.set(organization, callers);
      this.#waiting += 1;
      signal?.addEventListener('abort', left, { once: true });
    });
  }

  #next(): void {
    if (this.#running >= this.#options.running) return;
    for (const [organization, callers] of this.#organizations) {
      for (const [caller, own] of callers) {
        for (const waiting of own) {
          this.#remove(organization, caller, waiting);
          toTheEnd(callers, caller);
          toTheEnd(this.#organizations, organization);
          this.#running += 1;
          waiting.start();
          return;
        }
      }
    }
  }

  #remove(organization: string, caller: string, waiting: Waiting): void {
    const callers = this.#organizations.get(organization);
    const own = callers?.get(caller);
    if (callers === undefined || own?.delete(waiting) !== true) return;
    this.#waiting -= 1;
    if (own.size === 0) callers.delete(caller);
    if (callers.size === 0) this.#organizations.delete(organization);
  }
}

function toTheEnd<Value>(round: Round<Value>, key: string): void {
  const value = round.get(key);
  if (value === undefined) return;
  round.delete(key);
  round.set(key, value);
}
