/**
 * PostgreSQL as a `SpoolStore`: what is acknowledged is on the server's disk, and any node ships it. Four lanes, so that groups, uploads and
 * shipping don't wait for each other; each call is one transaction on one of them.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../common/index.ts';
import { sumOf } from '../counters.ts';
import { SpoolWriteError } from '../errors.ts';
import type { Health } from '../health.ts';
import type { Reporter, SpoolStore, TakenBatch, UploadStore } from '../port.ts';
import type { Batch, Damage, Durability } from '../types.ts';
import { type Connection, ConnectionLost } from './connection.ts';
import { append, commit, discard, stage, takenElsewhere, UploadEnded } from './intake.ts';
import { Lane, SessionEnded, type Transaction, type TransactionOptions } from './lane.ts';
import {
  ANYTHING_READY,
  type Claimant,
  finish,
  leaveOut,
  mayTake,
  readBatch,
  retry,
  split,
  takeBegun,
  takeNew,
} from './outgoing.ts';
import { pack } from './packing.ts';
import { quarantined } from './quarantine.ts';
import type { Tables } from './schema.ts';
import {
  beginSession,
  foldGone,
  KEY_BYTES,
  LANES,
  OUTGOING,
  Pulse,
  type Session,
  type Snapshot,
  UPLOADS,
} from './session.ts';
import { probe, recordedUploads, SLICES, scrub, tidy } from './upkeep.ts';

export interface PostgresStoreOptions {
  readonly url: string;
  readonly tables: Tables;
  /** For messages and reports: `hits`. */
  readonly name: string;
  /** Of this node, kept over restarts. */
  readonly node: string;
  readonly leaseMs: number;
  /** How often the other nodes' counts are read. */
  readonly lookMs: number;
  /** The longest wait for an answer, of one group and of anything else. */
  readonly answerMs: { readonly group: number; readonly other: number };
  readonly durability: Durability;
  readonly log: Log;
}

/** @param control a connection that nothing else uses; the tables are there */
export async function openPostgresStore(
  options: PostgresStoreOptions,
  control: Connection,
  health: Health,
  report: Reporter,
): Promise<SpoolStore> {
  const { url, tables: t, name, node, leaseMs, lookMs, answerMs, log } = options;
  const begin = (as: string) =>
    control.use((client) => beginSession(client, { tables: t, node: as, lanes: LANES, leaseMs }));
  let others: Snapshot = { others: new Map(), oldestAt: null };
  let closed = false;
  /** The others took this session for dead; the next probe begins another one. */
  let ended = false;
  let reviving: Promise<void> | null = null;
  let slice = Math.floor(Math.random() * SLICES);

  const tell = (found: string, lostRows: number): void => {
    const damage: Damage = { at: Date.now(), spool: name, found: [found], lostRows, keptIn: null };
    report({ counters: [], gauges: null, damages: [damage] });
  };
  const lanesOf = ({ id, counters }: Session): Lane[] =>
    Array.from({ length: LANES }, (_, lane) => {
      const group = lane < UPLOADS;
      return new Lane({
        ...{ url, tables: t, session: id, lane, answerMs: group ? answerMs.group : answerMs.other },
        closeMs: answerMs.group / 2,
        counters: lane === 0 ? counters : new Map(),
        onLoss: (lost, repeated) =>
          tell(
            repeated === 0
              ? LOST_COMMITS
              : `${LOST_COMMITS}; up to ${repeated} rows that the warehouse has may be stored again`,
            lost,
          ),
      });
    });
  let session = await begin(node);
  let lanes = lanesOf(session);
  const claimant = (): Claimant => ({ session: session.id, leaseMs });

  const reported = new Set<string>();
  const reportNow = (): void => {
    const mine = sumOf(lanes.map(({ counters }) => counters));
    // Another session begins with nothing: what the one before had counted is counted elsewhere.
    for (const name of reported) if (!mine.has(name)) mine.set(name, 0);
    for (const name of mine.keys()) reported.add(name);
    const all = sumOf([mine, others.others]);
    report({
      counters: [...mine],
      others: [...others.others],
      gauges: {
        bytes: Math.max(0, (all.get('bytes') ?? 0) + KEY_BYTES * (all.get('keys') ?? 0)),
        oldestAt: others.oldestAt,
      },
    });
  };
  const pulse = new Pulse({
    ...{ connection: control, tables: t, session: session.id, leaseMs, lookMs },
    onLook(snapshot) {
      others = snapshot;
      reportNow();
    },
  });
  await pulse.look();

  /** Another life, when the others took this one for dead: its counters are taken along, its uploads are refused. */
  const again = async (): Promise<void> => {
    const old = lanes;
    // Under another name: a process that took this one's (a copied data directory) would end it in turn.
    session = await begin(`${node} ${randomUUID()}`);
    lanes = lanesOf(session);
    pulse.follow(session.id);
    ended = false;
    await Promise.all(old.map((lane) => lane.close()));
    log.warn({}, 'the spool’s session had ended; it began another one');
  };

  let away = false;
  const through = async <T>(method: string, run: () => Promise<T>): Promise<T> => {
    if (closed) throw new SpoolWriteError('it is closed');
    // One call finds out that the server is down; those behind it need not wait as long, until a probe has got through.
    if (away && WAITED_FOR.has(method)) throw new SpoolWriteError(health.failing ?? 'PostgreSQL is down');
    const { id } = session;
    try {
      const result = await run();
      away = false;
      health.wrote(method);
      reportNow();
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // What fails of an earlier session, or of one upload, says nothing of this session and its server.
      if (id === session.id && !(error instanceof UploadEnded)) {
        away = error instanceof ConnectionLost;
        ended ||= error instanceof SessionEnded;
        if (!closed) health.failing = message;
      }
      throw new SpoolWriteError(message, { cause: error });
    }
  };
  const onLane = <T>(
    method: string,
    lane: number,
    work: (tx: Transaction) => Promise<T>,
    how: TransactionOptions = {},
  ): Promise<T> =>
    through(method, async () => {
      if (ended) throw new SessionEnded();
      return await (lanes[lane] as Lane).transaction(work, how);
    });
  const reading = <T>(method: string, work: Parameters<typeof control.use<T>>[0]): Promise<T> =>
    through(method, () => (lanes[OUTGOING] as Lane).read(work));
  const outgoing = <T>(method: string, work: (tx: Transaction) => Promise<T>) =>
    onLane(method, OUTGOING, work);

  const onDamaged = (lost: number, numbers: readonly string[]): void =>
    tell(
      `chunks ${numbers.join(', ')} of ${t.chunks} can’t be unpacked; they stay there, marked as damaged`,
      lost,
    );
  const read = (id: string) => (tx: Transaction) => readBatch(tx, t, session.id, id, onDamaged);

  /** @param of the session that the upload began with: what it staged goes with it */
  const uploadStore = (of: () => string): UploadStore => {
    const isOver = () => of() !== session.id;
    const upload = async <T>(
      method: string,
      work: (tx: Transaction, id: string) => Promise<T>,
      how?: TransactionOptions,
    ): Promise<T> => {
      if (isOver()) throw new SpoolWriteError('the session in which the upload began has ended');
      return await onLane(method, UPLOADS, (tx) => work(tx, of()), how);
    };
    return {
      stage: (message) => upload('stage', (tx, id) => stage(tx, t, id, message), { lazy: true }),
      commit: (message) => upload('commit', (tx, id) => commit(tx, t, { session: id, node }, message)),
      takenElsewhere: (message) => upload('takenElsewhere', (tx, id) => takenElsewhere(tx, t, id, message)),
      async abort(number) {
        // The others have removed what it staged.
        if (!isOver()) await upload('abort', (tx, id) => discard(tx, t, id, number));
      },
    };
  };
  const takeBatch = async (parked: readonly string[], mostBytes: number): Promise<TakenBatch | null> => {
    for (;;) {
      const isReady = await reading(
        'takeBatch',
        async (client) => (await client.query(ANYTHING_READY(t))).rowCount,
      );
      if (isReady === 0) return null;
      const taken = await outgoing('takeBatch', async (tx) => {
        if (!(await mayTake(tx))) return null;
        return (await takeBegun(tx, t, claimant(), parked)) ?? (await takeNew(tx, t, claimant(), mostBytes));
      });
      if (taken === null) return null;
      const { id, ...how } = taken;
      const batch = await outgoing('takeBatch', read(id));
      // Nothing that can be read was in it: the next one.
      if (batch !== null) return { batch, ...how };
    }
  };

  return {
    shared: true,
    durability: options.durability,
    holds: () => !ended && pulse.holds,
    async append(group) {
      const packed = await Promise.all(group.rows.chunks.map(({ body }) => pack(body)));
      // The first one as long as it is free: little traffic needs one connection.
      const lane = lanes[0]?.isIdle === true ? 0 : 1;
      return await onLane('append', lane, (tx) => append(tx, t, group, packed));
    },
    ...uploadStore(() => session.id),
    forUpload() {
      const { id } = session;
      return uploadStore(() => id);
    },
    takeBatch,
    retryBatch: (id) =>
      outgoing('retryBatch', async (tx): Promise<Batch | null> => {
        await retry(tx, t, session.id, id);
        return await read(id)(tx);
      }),
    finishBatch: (id, found = 0) =>
      outgoing('finishBatch', (tx) => {
        // Never below nothing: an earlier session may have counted them.
        const lost = lanes[OUTGOING]?.counters.get('lost') ?? 0;
        return finish(tx, t, session.id, id, Math.min(found, lost));
      }),
    leaveOut: (id, lines) =>
      outgoing('leaveOut', async (tx) => {
        if (!(await mayTake(tx))) throw new Error('a backup is being made');
        await leaveOut(tx, t, claimant(), id, lines, onDamaged);
        return await read(id)(tx);
      }),
    splitBatch: (id, reason, now) =>
      outgoing('splitBatch', (tx) => split(tx, t, session.id, { id, reason, now }, onDamaged)),
    checkpoint: async () => undefined,
    quarantined: (limit) => reading('quarantined', (client) => quarantined(client, t, limit)),
    removeQuarantine: (ids) =>
      outgoing('removeQuarantine', async (tx) => {
        await tx.query({ text: `DELETE FROM ${t.quarantine} WHERE id = ANY($1::uuid[])` }, [ids]);
      }),
    recordedUploads: (now) => reading('recordedUploads', (client) => recordedUploads(client, t, node, now)),
    async tidy(now, memoryMs) {
      slice = (slice + 1) % SLICES;
      await outgoing('tidy', (tx) => tidy(tx, t, { slice, now, memoryMs }));
      if (slice % 64 === 0) await through('tidy', () => control.use((client) => foldGone(client, t)));
    },
    async probe() {
      if (ended) {
        // A slow server may be probed again before it has answered: one new session is enough.
        reviving ??= through('begin', again).finally(() => {
          reviving = null;
        });
        await reviving;
      }
      await outgoing('probe', async (tx) => probe(tx, t));
    },
    scrub: (texts) => outgoing('scrub', async (tx) => scrub(tx, t, texts)),
    snapshot: async () => null,
    async close() {
      closed = true;
      await pulse.stop();
      await Promise.all(lanes.map((lane) => lane.close()));
      await control
        .use((client) => leave(client, t, session.id))
        // Then the others wait for the lease.
        .catch((error: unknown) => log.warn({ err: error }, 'the spool could not give back its batches'));
      await control.close();
    },
  };
}

const LOST_COMMITS = 'PostgreSQL came back without its last commits';

/** What a client waits for. */
const WAITED_FOR: ReadonlySet<string> = new Set(['append', 'stage', 'commit']);

/** The other nodes may ship at once what this one held. */
async function leave(
  client: Parameters<Parameters<Connection['use']>[0]>[0],
  t: Tables,
  session: string,
): Promise<void> {
  await client.query(`UPDATE ${t.batches} SET owner = NULL, lease_until = now() WHERE owner = $1`, [session]);
  await client.query(`UPDATE ${t.sessions} SET alive_until = now() WHERE id = $1`, [session]);
}
