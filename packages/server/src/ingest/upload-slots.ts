/** How many uploads may run at once: of one key, so that no sender takes all there is, and of all keys together. */
export class UploadSlots {
  readonly #perKey: number;
  readonly #total: number;
  readonly #running = new Map<string, number>();
  #all = 0;

  constructor(perKey: number, total: number) {
    this.#perKey = perKey;
    this.#total = total;
  }

  /** @returns what gives the slot back, or null when there is none */
  take(keyId: string): (() => void) | null {
    const running = this.#running.get(keyId) ?? 0;
    if (running >= this.#perKey || this.#all >= this.#total) return null;
    this.#running.set(keyId, running + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      const left = (this.#running.get(keyId) ?? 1) - 1;
      if (left === 0) this.#running.delete(keyId);
      else this.#running.set(keyId, left);
    };
  }
}
