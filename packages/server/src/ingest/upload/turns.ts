/**
 * Shares this thread between uploads. What is to be done with a body is cut into slices of a few milliseconds, and between two slices the event
 * loop turns, so that all other requests go on. While others are under way, uploads also rest between slices: a post needs several turns of the event
 * loop and a processor for the threads it waits for. Organizations take turns: ten uploads of one get together what one upload of another gets.
 */
import { ServiceError } from '../../common/index.ts';

/** Works until everything is done (true), or until `isDue` says that the slice is over (false). Called again, it goes on where it stopped. */
export type Step = (isDue: () => boolean) => boolean;

/** The work of one upload. */
export interface Work {
  /**
   * Resolves when `step` is done.
   * @throws the signal's reason when the sender left; ServiceError `body_too_large` past the upload's processor time; whatever `step` throws
   */
  run(step: Step): Promise<void>;
}

export interface TurnsOptions {
  /** Milliseconds of work between two turns of the event loop, of all uploads together. */
  readonly sliceMs: number;
  /** How many times as long as they worked uploads rest, while other requests are under way. */
  readonly restFactor: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Calls back after the event loop has looked at everything that waits for it. */
  readonly nextTurn?: (run: () => void) => void;
  /** Calls back after so many milliseconds. */
  readonly later?: (run: () => void, ms: number) => void;
}

/** Another request is taken to be under way for so long; milliseconds. Ordinary ones take less. */
const UNDER_WAY_MS = 20;

interface Job {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly step: Step;
  /** What is left of the upload's processor time. */
  readonly account: { leftMs: number };
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export class Turns {
  readonly #sliceMs: number;
  readonly #restFactor: number;
  readonly #now: () => number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #later: (run: () => void, ms: number) => void;
  /** Whose work waits, in the order of their next slice. */
  readonly #queues = new Map<string, Job[]>();
  /** Used of this turn of the event loop. */
  #spent = 0;
  /** When the last slice ended. */
  #workedAt = 0;
  /** Until when other requests are under way. */
  #othersUntil = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  #isRunning = false;

  constructor({
    sliceMs,
    restFactor,
    now = () => performance.now(),
    nextTurn = setImmediate,
    later = setTimeout,
  }: TurnsOptions) {
    this.#sliceMs = sliceMs;
    this.#restFactor = restFactor;
    this.#now = now;
    this.#nextTurn = nextTurn;
    this.#later = later;
  }

  /** Another request has come: for a moment uploads leave most of the time to it. */
  makeWay(): void {
    this.#othersUntil = this.#now() + UNDER_WAY_MS;
  }

  /** @param budgetMs how much of this thread the upload may take in all */
  begin(owner: string, signal: AbortSignal, budgetMs: number): Work {
    const account = { leftMs: budgetMs };
    return {
      run: (step) =>
        new Promise((resolve, reject) => {
          if (account.leftMs < 0) return reject(tooMuchWork());
          this.#enqueue({ owner, signal, step, account, resolve, reject });
          this.#pump();
        }),
    };
  }

  #pump(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#spent < this.#sliceMs) {
      const job = this.#takeNext();
      if (job === null) break;
      this.#runSlice(job);
    }
    this.#isRunning = false;
    if (this.#spent > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    const now = this.#now();
    const rest = this.#workedAt + this.#spent * this.#restFactor - now;
    if (rest > 0 && now < this.#othersUntil) {
      this.#later(() => this.#turn(), rest);
      return;
    }
    this.#isScheduled = false;
    this.#spent = 0;
    this.#pump();
  }

  /** The owner goes to the end of the line. */
  #takeNext(): Job | null {
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner);
      const job = queue.shift();
      if (job === undefined) continue;
      if (queue.length > 0) this.#queues.set(owner, queue);
      return job;
    }
    return null;
  }

  #runSlice(job: Job): void {
    const { step, signal, account, resolve, reject } = job;
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const start = this.#now();
    const end = start + this.#sliceMs - this.#spent;
    let isDone: boolean;
    let failure: unknown = null;
    try {
      isDone = step(() => this.#now() >= end);
    } catch (error) {
      isDone = true;
      failure = error;
    }
    this.#workedAt = this.#now();
    const ms = this.#workedAt - start;
    this.#spent += ms;
    account.leftMs -= ms;
    if (failure !== null) reject(failure);
    else if (isDone) resolve();
    else if (account.leftMs < 0) reject(tooMuchWork());
    else this.#enqueue(job);
  }

  #enqueue(job: Job): void {
    const queue = this.#queues.get(job.owner);
    if (queue === undefined) this.#queues.set(job.owner, [job]);
    else queue.push(job);
  }
}

function tooMuchWork(): ServiceError {
  return new ServiceError('body_too_large', 'Reading this upload takes too long. Send smaller batches.');
}
