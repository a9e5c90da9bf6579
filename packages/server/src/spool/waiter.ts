/** What may cut a pause short, from the least to the most urgent: each includes those after it. */
export type Urgency = 'rows' | 'drain' | 'stop';
const RANK = { rows: 0, drain: 1, stop: 2 } as const;

/** The pauses of one loop. At most one at a time; each leaves nothing behind, however often the loop turns. */
export class Waiter {
  #end: ((urgency: Urgency) => void) | null = null;
  readonly #onStop: (() => void)[] = [];
  stopped = false;

  /** Waits, or until something at least as urgent as `until` happens. */
  wait(ms: number, until: Urgency): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#end = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#end = (urgency) => {
        if (RANK[urgency] >= RANK[until]) end();
      };
    });
  }

  wake(urgency: Urgency): void {
    this.#end?.(urgency);
  }

  onStop(listener: () => void): void {
    if (this.stopped) listener();
    else this.#onStop.push(listener);
  }

  stop(): void {
    this.stopped = true;
    this.wake('stop');
    for (const listener of this.#onStop) listener();
  }
}
