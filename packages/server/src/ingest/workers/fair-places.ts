/** How many may work at once: no organization has more than its share, and a free place goes to the one that has the fewest. */

interface Waiting {
  readonly resolve: (release: () => void) => void;
}

export class FairPlaces {
  readonly #perOwner: number;
  readonly #total: number;
  readonly #held = new Map<string, number>();
  /** Who waits, in the order of the owners' next turns. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  #all = 0;

  constructor(limits: { readonly perOwner: number; readonly total: number }) {
    this.#perOwner = limits.perOwner;
    this.#total = limits.total;
  }

  /** @returns what gives the place back @throws the signal's reason, once that is aborted; the wait then ends */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting: Waiting = { resolve };
    const queue = this.#waiting.get(owner);
    if (queue === undefined) this.#waiting.set(owner, new Set([waiting]));
    else queue.add(waiting);
    const leave = (): void => {
      this.#forget(owner, waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave);
    this.#give();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #give(): void {
    while (this.#all < this.#total) {
      const owner = this.#nextOwner();
      const queue = this.#waiting.get(owner ?? '');
      const [first] = queue ?? [];
      if (owner === null || queue === undefined || first === undefined) return;
      this.#forget(owner, first);
      if (queue.size > 0) {
        // The owner goes to the end of the line.
        this.#waiting.delete(owner);
        this.#waiting.set(owner, queue);
      }
      this.#add(owner, 1);
      first.resolve(() => {
        this.#add(owner, -1);
        this.#give();
      });
    }
  }

  /** Of those that may have another place, the one that has the fewest. */
  #nextOwner(): string | null {
    let next: string | null = null;
    let fewest = this.#perOwner;
    for (const owner of this.#waiting.keys()) {
      const held = this.#held.get(owner) ?? 0;
      if (held >= fewest) continue;
      next = owner;
      fewest = held;
    }
    return next;
  }

  #forget(owner: string, waiting: Waiting): void {
    const queue = this.#waiting.get(owner);
    queue?.delete(waiting);
    if (queue?.size === 0) this.#waiting.delete(owner);
  }

  #add(owner: string, places: 1 | -1): void {
    this.#all += places;
    const held = (this.#held.get(owner) ?? 0) + places;
    if (held === 0) this.#held.delete(owner);
    else this.#held.set(owner, held);
  }
}
