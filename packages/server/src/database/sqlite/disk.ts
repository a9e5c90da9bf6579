/** Whether the disk under SQLite takes what is written. A full one lets every read pass, so that a ping says nothing of it. */
import type { Kysely } from 'kysely';
import { DatabaseUnwritable } from '../adapter.ts';
import type { Tables } from '../tables.ts';
import { isUnwritable } from './result-codes.ts';

/** More than freed pages may have room for; deleted in the same breath. */
const PROBE_CHARACTERS = 256 * 1024;
const PROBE_KEY = 'disk-probe';
const PROBE_EVERY_MS = 1_000;

export interface Disk {
  /** Called with every error that a statement threw. */
  met(error: unknown): void;
  /** Cheap while no write has failed; then writes and deletes, at most once a second. @throws DatabaseUnwritable */
  check(): Promise<void>;
}

export function watchDisk(db: () => Kysely<Tables>): Disk {
  let failure: unknown = null;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const probe = async (): Promise<void> => {
    const filler = { key: PROBE_KEY, value: 'x'.repeat(PROBE_CHARACTERS) };
    await db()
      .insertInto('installation')
      .values(filler)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: filler.value }))
      .execute();
    await db().deleteFrom('installation').where('key', '=', PROBE_KEY).execute();
  };

  return {
    met(error) {
      if (isUnwritable(error)) failure = error;
    },
    async check() {
      if (failure === null) return;
      const now = performance.now();
      if (now - checkedAt >= PROBE_EVERY_MS) {
        checkedAt = now;
        const before = failure;
        failure = null;
        await probe().catch((error: unknown) => {
          failure = error ?? before;
        });
      }
      if (failure !== null) throw new DatabaseUnwritable({ cause: failure });
    },
  };
}
