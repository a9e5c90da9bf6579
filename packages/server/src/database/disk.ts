/** Whether the disk under SQLite takes what is written. A full one lets every read pass, so that a ping says nothing of it. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Result codes, the low byte: read-only, input/output error, full. */
const UNWRITABLE = new Set([8, 10, 13]);
/** More than freed pages may have room for; deleted in the same breath. */
const PROBE_CHARACTERS = 256 * 1024;
const PROBE_KEY = 'disk-probe';
const PROBE_EVERY_MS = 1_000;

/** The state database answers, but can't be written to. Its message may be shown to anybody. */
export class DatabaseUnwritable extends Error {
  constructor(options: { cause: unknown }) {
    super('The disk of the state database takes no writes: it is full, read-only or failing.', options);
    this.name = 'DatabaseUnwritable';
  }
}

export interface Disk {
  /** Told of every error that a statement threw. */
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
      const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
      if (UNWRITABLE.has(code)) failure = error;
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
