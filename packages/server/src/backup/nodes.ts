/**
 * Spools of other nodes. With SPOOL=file and PostgreSQL each node's spool is on its own disk, and a backup has that of the node that makes it alone.
 * So every node tells how much waits in its own, and the backup names what is missing in it.
 */
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Spool } from '../spool/index.ts';
import type { SpoolElsewhere } from './manifest.ts';

/** `database/moving.ts` leaves such rows out: they are of nodes, not of the installation. */
const PREFIX = 'node-spool:';
const BEAT_MS = MINUTE_MS;
/** A node that was heard of within this time runs. */
const ALIVE_MS = 3 * BEAT_MS;
/** A node that stopped with hits, or was killed and may have some, is named for so long. */
const REMEMBERED_MS = 30 * DAY_MS;
/** Of an installation, newest first. */
const MOST_NODES = 100;

interface Told {
  /** Its host name. */
  readonly name: string;
  readonly waiting: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** It stopped in order: no hit came to it after this. */
  readonly stopped: boolean;
}

export interface SpoolNotice {
  /** Tells a last time how much waits, or takes the row away where nothing does. */
  close(): Promise<void>;
}

/** Tells the other nodes what waits in the spools of this one, from now until `close`. A failure is logged, and nothing depends on it. */
export function announceSpools(
  db: Pick<Database, 'kysely'>,
  spools: readonly Pick<Spool, 'stats'>[],
  of: { readonly node: string; readonly name: string; readonly clock: Clock; readonly log: Log },
): SpoolNotice {
  const key = `${PREFIX}${of.node}`;
  const waiting = (): number => spools.reduce((sum, spool) => sum + spool.stats().pendingRows, 0);
  const tell = async (stopped: boolean): Promise<void> => {
    const told: Told = { name: of.name, waiting: waiting(), at: of.clock(), stopped };
    const value = JSON.stringify(told);
    await db.kysely
      .insertInto('installation')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  };
  const quietly = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) =>
      of.log.warn(
        { err: error },
        'what waits in the spool of this node could not be recorded for the others',
      ),
    );
  };
  /** One at a time: a report that is still on its way must not replace the last one. */
  let underWay: Promise<void> | null = null;
  const report = (): void => {
    underWay ??= quietly(() => tell(false)).finally(() => {
      underWay = null;
    });
  };
  report();
  const beat = setInterval(report, BEAT_MS);
  beat.unref();
  return {
    async close() {
      clearInterval(beat);
      await underWay;
      await quietly(
        waiting() > 0
          ? () => tell(true)
          : () => db.kysely.deleteFrom('installation').where('key', '=', key).execute(),
      );
    },
  };
}

/** Spools of others in which hits wait, or may: of nodes that run, that stopped with hits, or that ended without a last report. Forgets old ones. */
export async function spoolsElsewhere(
  db: Pick<Database, 'kysely'>,
  node: string,
  now: number,
): Promise<SpoolElsewhere[]> {
  const rows = await db.kysely
    .selectFrom('installation')
    .selectAll()
    .where('key', 'like', `${PREFIX}%`)
    .where('key', '!=', `${PREFIX}${node}`)
    .execute();
  const told = rows.map(({ key, value }) => ({ key, ...(JSON.parse(value) as Told) }));
  for (const { key, at } of told)
    if (now - at > REMEMBERED_MS) await db.kysely.deleteFrom('installation').where('key', '=', key).execute();
  return told
    .filter(({ at }) => now - at <= REMEMBERED_MS)
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST_NODES)
    .map(({ key, name, waiting, at, stopped }) => ({
      ...{ node_id: key.slice(PREFIX.length), name, waiting, stopped },
      seen_at: new Date(at).toISOString(),
      running: !stopped && now - at <= ALIVE_MS,
    }));
}
