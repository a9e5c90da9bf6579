/** Parts of the warehouse whose files can't be read, as far as questions and starts have met them. */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Log } from '../common/index.ts';
import { type Damage, damageSentence, WarehouseDamaged } from './errors.ts';
import type { Warehouse } from './warehouse.ts';

/** After this long without another failure a part counts as repaired; milliseconds. */
const REMEMBERED_MS = HOUR_MS;
const MAX_REMEMBERED = 50;

export class Damages {
  readonly #met = new Map<string, { readonly damage: Damage; readonly at: number }>();
  readonly #clock: () => number;
  readonly #log: Log;

  constructor(clock: () => number, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  note(damage: Damage): void {
    const key = `${damage.table}/${damage.part}`;
    if (!this.#met.has(key)) this.#log.error({ ...damage }, damageSentence(damage));
    if (this.#met.size >= MAX_REMEMBERED && !this.#met.has(key)) return;
    this.#met.set(key, { damage, at: this.#clock() });
  }

  /** @throws WarehouseDamaged for the first that is known */
  check(): void {
    const now = this.#clock();
    for (const [key, { damage, at }] of this.#met) {
      if (now - at > REMEMBERED_MS) this.#met.delete(key);
      else throw new WarehouseDamaged(damage);
    }
  }

  /** The engine puts parts aside that it could not load at its start: their rows are missing from every answer. Never fails. */
  async look(warehouse: Pick<Warehouse, 'rows'>): Promise<void> {
    try {
      const parts = await warehouse.rows<Damage>('live', {
        sql: `SELECT table, name AS part FROM system.detached_parts
WHERE database = currentDatabase() AND startsWith(reason, 'broken') ORDER BY table, name LIMIT ${MAX_REMEMBERED}`,
        settings: { max_execution_time: 10 },
      });
      for (const part of parts) this.note(part);
    } catch (error) {
      this.#log.debug({ err: error }, 'parts that were put aside could not be looked for');
    }
  }
}
