/** Natural group commit: while one group of requests is being committed, the next one gathers. One fsync for as many as came meanwhile. */
import type { Clock } from '../common/index.ts';
import { SpoolWriteError } from './errors.ts';
import { GroupPacker } from './pack.ts';
import type { SpoolStore } from './port.ts';
import type { SpoolEntry, SpoolReceipt } from './types.ts';

/** A larger group would make its own first request wait for the last one's bytes. */
const GROUP_CHARACTERS = 1024 * 1024;
/** From here on the next group is packed while one is being committed; below it, gathering longer saves an fsync. */
const OVERLAP_CHARACTERS = 256 * 1024;
const MAX_UNDER_WAY = 2;
/** Above this intake closes; above twice as much an append is refused. Only a stalled disk lets so much gather. */
export const WAITING_CHARACTERS = 64 * 1024 * 1024;

/** A request that waits for its group's commit. */
interface Pending {
  readonly rows: number;
  readonly resolve: (receipt: SpoolReceipt) => void;
  readonly reject: (error: unknown) => void;
}

/** Packed as its requests come. */
interface Group {
  readonly packer: GroupPacker;
  readonly pending: Pending[];
  characters: number;
}

export class GroupCommit {
  readonly #store: Pick<SpoolStore, 'append'>;
  readonly #clock: Clock;
  readonly #onCommitted: () => void;
  /** The last one takes more requests. */
  readonly #gathering: Group[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #isPlanned = false;
  /** Characters whose commit has not begun. */
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
    return new Promise((resolve, reject) => {
      const group = this.#groupFor(characters);
      group.pending.push({ rows: entry.rows.length, resolve, reject });
      group.characters += characters;
      this.#gathered += characters;
      this.waiting += characters;
      try {
        group.packer.add(entry);
      } catch (error) {
        // Of its rows some may be in: what the group holds can't be told apart any more.
        this.#gathering.pop();
        this.#gathered -= group.characters;
        this.waiting -= group.characters;
        for (const one of group.pending) one.reject(error);
        return;
      }
      // In a microtask, so that every request of this turn of the event loop joins the group.
      if (!this.#isPlanned) {
        this.#isPlanned = true;
        queueMicrotask(() => this.#start());
      }
    });
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#gathering.length > 0 || this.#underWay.size > 0) {
      await Promise.resolve();
      await Promise.all(this.#underWay);
    }
  }

  #groupFor(characters: number): Group {
    const last = this.#gathering.at(-1);
    if (last !== undefined && last.characters + characters <= GROUP_CHARACTERS) return last;
    const group: Group = { packer: new GroupPacker(), pending: [], characters: 0 };
    this.#gathering.push(group);
    return group;
  }

  #start(): void {
    this.#isPlanned = false;
    while (this.#mayStart()) {
      const group = this.#gathering.shift();
      if (group === undefined) return;
      this.#gathered -= group.characters;
      const commit = this.#commit(group).then(() => {
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

  async #commit(group: Group): Promise<void> {
    try {
      const conflicts = await this.#store.append({ ...group.packer.finish(), at: this.#clock() });
      const duplicates = new Map<number, number>();
      for (const { entry } of conflicts) duplicates.set(entry, (duplicates.get(entry) ?? 0) + 1);
      group.pending.forEach(({ rows, resolve }, index) => {
        const duplicate = duplicates.get(index) ?? 0;
        resolve({ kept: rows - duplicate, duplicate });
      });
      this.#onCommitted();
    } catch (error) {
      for (const { reject } of group.pending) reject(error);
    } finally {
      this.waiting -= group.characters;
    }
  }
}
