/** Natural group commit: while one group of requests is being committed, the next one gathers. One fsync for as many as came meanwhile. */
import type { Clock } from '../common/index.ts';
import { SpoolWriteError } from './errors.ts';
import { packGroup } from './pack.ts';
import type { SpoolStore } from './port.ts';
import type { SpoolEntry, SpoolReceipt } from './types.ts';

/** A larger group would make its own first request wait for the last one's bytes. */
const GROUP_CHARACTERS = 1024 * 1024;
/** From here on the next group is packed while one is being committed; below it, gathering longer saves an fsync. */
const OVERLAP_CHARACTERS = 256 * 1024;
const MAX_UNDER_WAY = 2;
/** Above this intake closes; above twice as much an append is refused. Only a stalled disk lets so much gather. */
export const WAITING_CHARACTERS = 64 * 1024 * 1024;

interface Pending {
  readonly entry: SpoolEntry;
  readonly characters: number;
  readonly resolve: (receipt: SpoolReceipt) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit {
  readonly #store: Pick<SpoolStore, 'append'>;
  readonly #clock: Clock;
  readonly #onCommitted: () => void;
  #pending: Pending[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #isPlanned = false;
  /** Characters that belong to no group yet. */
  #gathered = 0;
  /** Characters that wait for their commit. */
  waiting = 0;

  constructor(store: Pick<SpoolStore, 'append'>, clock: Clock, onCommitted: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onCommitted = onCommitted;
  }

  /** @param characters of the entry's rows */
  append(entry: SpoolEntry, characters: number): Promise<SpoolReceipt> {
    if (this.waiting > 2 * WAITING_CHARACTERS)
      return Promise.reject(new SpoolWriteError('too much waits for the disk'));
    this.waiting += characters;
    this.#gathered += characters;
    return new Promise((resolve, reject) => {
      this.#pending.push({ entry, characters, resolve, reject });
      // In a microtask, so that every request of this turn of the event loop joins the group.
      if (!this.#isPlanned) {
        this.#isPlanned = true;
        queueMicrotask(() => this.#start());
      }
    });
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#pending.length > 0 || this.#underWay.size > 0) {
      await Promise.resolve();
      await Promise.all(this.#underWay);
    }
  }

  #start(): void {
    this.#isPlanned = false;
    while (this.#pending.length > 0 && this.#mayStart()) {
      const commit = this.#commit(this.#takeGroup()).then(() => {
        this.#underWay.delete(commit);
        this.#start();
      });
      this.#underWay.add(commit);
    }
  }

  #mayStart(): boolean {
    const { size } = this.#underWay;
    return size === 0 || (size < MAX_UNDER_WAY && this.#gathered >= OVERLAP_CHARACTERS);
  }

  #takeGroup(): Pending[] {
    let characters = 0;
    const end = this.#pending.findIndex((pending) => {
      characters += pending.characters;
      return characters > GROUP_CHARACTERS;
    });
    const group = this.#pending.splice(0, end === -1 ? this.#pending.length : Math.max(end, 1));
    for (const pending of group) this.#gathered -= pending.characters;
    return group;
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    try {
      const packed = packGroup(group.map(({ entry }) => entry));
      const conflicts = await this.#store.append({ ...packed, at: this.#clock() });
      const duplicates = new Map<number, number>();
      for (const { entry } of conflicts) duplicates.set(entry, (duplicates.get(entry) ?? 0) + 1);
      group.forEach(({ entry, resolve }, index) => {
        const duplicate = duplicates.get(index) ?? 0;
        resolve({ kept: entry.rows.length - duplicate, duplicate });
      });
      this.#onCommitted();
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const { characters } of group) this.waiting -= characters;
    }
  }
}
