/**
 * Who works next, where several bodies share a thread: organizations take turns, whatever the number of their bodies. Of one organization's the
 * oldest goes first. If all advanced alike, all would end late, and past the time in which a sender has its answer none of them would count.
 */

/** Of so many turns of an organization one goes to its body that has had the fewest: a short one does not wait for a long one's end. */
const NEWCOMER_EVERY = 4;

/** One body's part in the turns. */
export interface Turns {
  /** Resolves when it is its turn. One turn is a step of reading; messages come in between two of them. */
  next(): Promise<void>;
}

interface Body {
  readonly order: number;
  taken: number;
  /** Turns that it had or gave to a newcomer, since it has been the oldest. */
  led: number;
}

interface Waiting {
  readonly body: Body;
  readonly resolve: () => void;
}

export class FairTurns {
  /** Whose work waits, in the order of their next turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #later: (run: () => void) => void;
  #isPlanned = false;
  #bodies = 0;

  /** @param later calls back after the event loop has looked at everything that waits for it */
  constructor(later: (run: () => void) => void = setImmediate) {
    this.#later = later;
  }

  /** Begins a body of an organization's. */
  join(owner: string): Turns {
    this.#bodies += 1;
    const body: Body = { order: this.#bodies, taken: 0, led: 0 };
    return {
      next: () =>
        new Promise((resolve) => {
          const queue = this.#waiting.get(owner);
          if (queue === undefined) this.#waiting.set(owner, [{ body, resolve }]);
          else queue.push({ body, resolve });
          this.#plan();
        }),
    };
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.size === 0) return;
    this.#isPlanned = true;
    this.#later(() => {
      this.#isPlanned = false;
      this.#giveTurn();
      this.#plan();
    });
  }

  #giveTurn(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [owner, queue] = first;
    const next = nextOf(queue);
    // The owner goes to the end of the line.
    this.#waiting.delete(owner);
    const left = queue.filter((waiting) => waiting !== next);
    if (left.length > 0) this.#waiting.set(owner, left);
    if (next === undefined) return;
    next.body.taken += 1;
    next.resolve();
  }
}

function nextOf(queue: readonly Waiting[]): Waiting | undefined {
  const oldest = leastOf(queue, ({ order }) => order);
  if (oldest === undefined) return undefined;
  oldest.body.led += 1;
  return oldest.body.led % NEWCOMER_EVERY === 0 ? leastOf(queue, ({ taken }) => taken) : oldest;
}

function leastOf(queue: readonly Waiting[], by: (body: Body) => number): Waiting | undefined {
  let least = queue[0];
  for (const waiting of queue) if (least !== undefined && by(waiting.body) < by(least.body)) least = waiting;
  return least;
}
