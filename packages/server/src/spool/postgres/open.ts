/** The spool on a PostgreSQL server: an acknowledged row survives the node, and every node ships it. */
import type { Clock, Log } from '../../common/index.ts';
import { StartError } from '../../common/index.ts';
import { DURABILITY_SENTENCES } from '../durability.ts';
import { SpoolOpenError } from '../errors.ts';
import { createSpool, type Spool } from '../spool.ts';
import { Connection } from './connection.ts';
import { durabilityOf } from './durability.ts';
import { migrate, tablesOf } from './schema.ts';
import { openPostgresStore } from './store.ts';

/** A node that is not heard of for so long loses its batches to the others; milliseconds. */
const LEASE_MS = 15_000;
/** How often the others' counts are read. */
const LOOK_MS = 1_000;
const ANSWER_MS = { group: 10_000, other: 60_000 };
/** Making an index on a large table, when a later version brings one. */
const MIGRATION_MS = 600_000;

export interface PostgresSpoolOptions {
  /** `postgres://…`; holds a password, which no message repeats. */
  readonly url: string;
  /** Of this node, kept over its restarts. */
  readonly node: string;
  /** `hits`, `events`, `event-rows`: each has tables, and so a cap, of its own. */
  readonly name?: string;
  /** Over all nodes. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly leaseMs?: number;
  readonly lookMs?: number;
  readonly answerMs?: { readonly group: number; readonly other: number };
}

/** @throws SpoolOpenError when the server does not answer, StartError when its tables are newer or the role may not make them */
export async function openPostgresSpool(options: PostgresSpoolOptions): Promise<Spool> {
  const { url, node, name = 'hits', maxBytes, clock, log } = options;
  const { leaseMs = LEASE_MS, lookMs = LOOK_MS, answerMs = ANSWER_MS } = options;
  const place = placeOf(url);
  const tables = tablesOf(name);
  return await createSpool({
    ...{ kind: 'postgres' as const, place, maxBytes, clock, log },
    async openStore(health, report) {
      const migrating = new Connection({ url, answerMs: MIGRATION_MS });
      const control = new Connection({ url, answerMs: answerMs.group });
      try {
        await migrating.use((client) => migrate(client, name));
        const durability = await migrating.use(durabilityOf);
        log[durability === 'memory' ? 'warn' : 'info'](
          { place, durability },
          DURABILITY_SENTENCES[durability],
        );
        return await openPostgresStore(
          { url, tables, name, node, leaseMs, lookMs, answerMs, durability, log },
          control,
          health,
          report,
        );
      } catch (error) {
        await control.close();
        throw error instanceof StartError ? error : new SpoolOpenError(place, { cause: error });
      } finally {
        await migrating.close();
      }
    },
  });
}

/** Host and database, without name and password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}
