/** All other traffic of this process, as numbers. A number is sent with the next batch, whether its time is over or not. */
import {
  CountedHosts,
  type CountedTime,
  countedHour,
  countOther,
  newCounted,
  type Other,
} from '@ghostlight/core';

export class Others {
  readonly #times = new Map<string, CountedTime>();
  readonly #hosts = new CountedHosts();

  add(timestamp: number, host: string, other: Other): void {
    const hour = countedHour(timestamp);
    const named = this.#hosts.nameOf(host);
    const key = `${hour} ${named}`;
    let counted = this.#times.get(key);
    if (counted === undefined) {
      // A random id: equal numbers of another batch or instance are others.
      counted = newCounted(hour, named, crypto.randomUUID());
      this.#times.set(key, counted);
    }
    countOther(counted, other);
  }

  get size(): number {
    return this.#times.size;
  }

  /** All that was counted since the last call. */
  take(): CountedTime[] {
    const all = [...this.#times.values()];
    this.#times.clear();
    this.#hosts.keep();
    return all;
  }
}
