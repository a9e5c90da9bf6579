/** Who works next, where several uploads share a thread: organizations take turns, whatever the number of their uploads. */

export class FairTurns {
  /** Whose work waits, in the order of their next turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #later: (run: () => void) => void;
  #isPlanned = false;

  /** @param later calls back after the event loop has looked at everything that waits for it */
  constructor(later: (run: () => void) => void = setImmediate) {
    this.#later = later;
  }

  /** Resolves when it is the owner's turn. One turn is a step of reading; messages come in between two of them. */
  next(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(owner);
      if (queue === undefined) this.#waiting.set(owner, [resolve]);
      else queue.push(resolve);
      this.#plan();
    });
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
    const resolve = queue.shift();
    // The owner goes to the end of the line.
    this.#waiting.delete(owner);
    if (queue.length > 0) this.#waiting.set(owner, queue);
    resolve?.();
  }
}
