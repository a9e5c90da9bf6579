/**
 * One life of a node's spool: a row in `sessions` that is kept alive, with its lanes. A node that starts again folds the counters of its earlier
 * lives into its own, frees the batches that they held, and removes what they had only staged. Other nodes do the same for one that stays away,
 * much later for its counters, since its own start adds them up.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@ghostlight/core/time';
import type pg from 'pg';
import { sumOf } from '../counters.ts';
import type { Connection } from './connection.ts';
import type { Counters } from './lane.ts';
import type { Tables } from './schema.ts';

/** The node to which the counters of those that are gone are added. */
const GONE = '';
/** Two groups are under way at most; uploads and what goes out have a connection each, opened at the first use. */
export const LANES = 4;
export const [UPLOADS, OUTGOING] = [2, 3] as const;
const GONE_AFTER_MS = 7 * DAY_MS;
/** What an upload of a session has staged is removed when it was not alive for this long. */
const STAGED_AFTER_MS = 60_000;
/** On the cap: what a row of `chunks` and of `seen` takes besides its bytes, with its index entries. */
export const CHUNK_BYTES = 160;
export const KEY_BYTES = 112;

export interface SessionOptions {
  readonly tables: Tables;
  readonly node: string;
  readonly lanes: number;
  readonly leaseMs: number;
}

export interface Session {
  readonly id: string;
  /** Of the node's earlier lives; they are in the row of lane 0. */
  readonly counters: Counters;
}

/** @param client in no transaction */
export async function beginSession(
  client: pg.Client,
  { tables: t, node, lanes, leaseMs }: SessionOptions,
): Promise<Session> {
  const id = randomUUID();
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM ${t.sessions} WHERE node = $1 FOR UPDATE`,
      [node],
    );
    const counters = await endSessions(
      client,
      t,
      rows.map((row) => row.id),
    );
    await client.query(
      `INSERT INTO ${t.sessions} (id, node, alive_until) VALUES ($1, $2, now() + $3 * interval '1 ms')`,
      [id, node, leaseMs],
    );
    for (let lane = 0; lane < lanes; lane += 1)
      await client.query(`INSERT INTO ${t.lanes} (session, lane, counters) VALUES ($1, $2, $3)`, [
        id,
        lane,
        JSON.stringify(lane === 0 ? [...counters] : []),
      ]);
    await client.query('COMMIT');
    return { id, counters };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Removes sessions with what they staged, and frees what they shipped. Part of a transaction. @returns their counters */
async function endSessions(
  client: pg.Client,
  t: Tables,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ counters: string }>(
    `SELECT counters FROM ${t.lanes} WHERE session = ANY($1::uuid[]) FOR UPDATE`,
    [ids],
  );
  const counters = sumOf(rows.map((row) => new Map(JSON.parse(row.counters))));
  counters.set(
    'bytes',
    (counters.get('bytes') ?? 0) -
      (await dropStaged((text, values) => client.query(text, [...values]), t, ids)),
  );
  await client.query(
    `UPDATE ${t.batches} SET owner = NULL, lease_until = now() WHERE owner = ANY($1::uuid[])`,
    [ids],
  );
  await client.query(`DELETE FROM ${t.sessions} WHERE id = ANY($1::uuid[])`, [ids]);
  return counters;
}

/** @returns bytes that this frees */
export async function dropStaged(
  query: (
    text: string,
    values: readonly unknown[],
  ) => Promise<{ readonly rows: readonly { readonly freed?: string }[] }>,
  t: Tables,
  sessions: readonly string[],
): Promise<number> {
  const { rows } = await query(
    `WITH gone AS (DELETE FROM ${t.chunks} WHERE session = ANY($1::uuid[]) RETURNING octet_length(body) AS bytes)
     SELECT coalesce(sum(bytes + ${CHUNK_BYTES}), 0) AS freed FROM gone`,
    [sessions],
  );
  // After the chunks, as a commit does: neither waits for the other in a circle.
  await query(`DELETE FROM ${t.stagedKeys} WHERE session = ANY($1::uuid[])`, [sessions]);
  return Number(rows[0]?.freed ?? 0);
}

/**
 * Sessions whose uploads are over, since nothing is heard of them. Locked with the lane of their uploads until the transaction ends: one that
 * commits or is renewed now is left alone, and one that commits later finds its rows gone.
 */
export const STAGED_BY_THE_DEAD = (t: Tables): string =>
  `SELECT id FROM ${t.sessions} JOIN ${t.lanes} ON ${t.lanes}.session = id AND lane = ${UPLOADS}
     WHERE alive_until < now() - interval '${STAGED_AFTER_MS} ms' AND EXISTS (SELECT 1 FROM ${t.chunks} WHERE ${t.chunks}.session = id)
     FOR UPDATE SKIP LOCKED`;

/** Adds the counters of nodes that stayed away for a week to those of all that are gone. */
export async function foldGone(client: pg.Client, t: Tables): Promise<void> {
  const gone = `SELECT id FROM ${t.sessions} WHERE node <> '${GONE}' AND alive_until < now() - interval '${GONE_AFTER_MS} ms'`;
  const { rowCount } = await client.query(`${gone} LIMIT 1`);
  if (rowCount === 0) return;
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ id: string }>(`${gone} FOR UPDATE SKIP LOCKED`);
    const kept = await client.query<{ id: string }>(
      `SELECT id FROM ${t.sessions} WHERE node = '${GONE}' FOR UPDATE`,
    );
    const ids = [...rows, ...kept.rows].map((row) => row.id);
    const counters = rows.length === 0 ? null : await endSessions(client, t, ids);
    if (counters !== null) {
      const id = randomUUID();
      await client.query(
        `INSERT INTO ${t.sessions} (id, node, alive_until) VALUES ($1, '${GONE}', 'infinity')`,
        [id],
      );
      await client.query(`INSERT INTO ${t.lanes} (session, lane, counters) VALUES ($1, 0, $2)`, [
        id,
        JSON.stringify([...counters]),
      ]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** What is read of the tables once a second. */
export interface Snapshot {
  /** Of all sessions but this one. */
  readonly others: Counters;
  /** When the oldest row not yet stored was taken; epoch milliseconds. */
  readonly oldestAt: number | null;
}

/** Keeps a session and its batches alive, and looks at what the others do; on a connection that nothing else uses. */
export class Pulse {
  readonly #connection: Connection;
  readonly #tables: Tables;
  readonly #leaseMs: number;
  readonly #lookMs: number;
  readonly #onLook: (snapshot: Snapshot) => void;
  #session: string;
  #renewedAt = 0;
  #stopping = new AbortController();
  #running: Promise<void>;

  constructor(options: {
    readonly connection: Connection;
    readonly tables: Tables;
    readonly session: string;
    readonly leaseMs: number;
    readonly lookMs: number;
    readonly onLook: (snapshot: Snapshot) => void;
  }) {
    this.#connection = options.connection;
    this.#tables = options.tables;
    this.#session = options.session;
    this.#leaseMs = options.leaseMs;
    this.#lookMs = options.lookMs;
    this.#onLook = options.onLook;
    this.#renewedAt = performance.now();
    this.#running = this.#run();
  }

  /** Whether no other node can have taken this one's batches: by this side's clock, with a third of the lease to spare. */
  get holds(): boolean {
    return performance.now() - this.#renewedAt < (this.#leaseMs * 2) / 3;
  }

  /** Another life of this node, after the others took the one before for dead. */
  follow(session: string): void {
    this.#session = session;
    this.#renewedAt = performance.now();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let renewAt = performance.now() + this.#leaseMs / 3;
    while (!signal.aborted) {
      await sleep(this.#lookMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (performance.now() >= renewAt) {
          await this.renew();
          renewAt = performance.now() + this.#leaseMs / 3;
        }
        await this.look();
      } catch {
        // The calls of the spool find out by themselves that the server is down, and say so.
      }
    }
  }

  async renew(): Promise<void> {
    const began = performance.now();
    const session = this.#session;
    const t = this.#tables;
    const alive = await this.#connection.use(async (client) => {
      const until = `now() + interval '${this.#leaseMs} ms'`;
      const { rowCount } = await client.query(
        `UPDATE ${t.sessions} SET alive_until = ${until} WHERE id = $1`,
        [session],
      );
      // What another node has taken meanwhile is its own.
      await client.query(`UPDATE ${t.batches} SET lease_until = ${until} WHERE owner = $1`, [session]);
      return rowCount === 1;
    });
    if (alive && session === this.#session) this.#renewedAt = began;
  }

  async look(): Promise<void> {
    const t = this.#tables;
    const session = this.#session;
    const snapshot = await this.#connection.use(async (client): Promise<Snapshot> => {
      const [lanes, oldest] = await Promise.all([
        client.query<{ counters: string }>(`SELECT counters FROM ${t.lanes} WHERE session <> $1`, [session]),
        client.query<{ at: string }>(
          `SELECT at FROM ${t.chunks} WHERE session IS NULL AND NOT damaged ORDER BY number LIMIT 1`,
        ),
      ]);
      const at = oldest.rows[0]?.at;
      return {
        others: sumOf(lanes.rows.map((row) => new Map(JSON.parse(row.counters)))),
        oldestAt: at === undefined ? null : Number(at),
      };
    });
    this.#onLook(snapshot);
  }
}
