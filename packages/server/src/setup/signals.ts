/**
 * What requests showed about their senders' setup, counted. `note` only touches memory; once a second the counts are added to the
 * database. Untrusted clients can send anything, so nothing they choose becomes a row of its own: kinds and details are closed or cut, the map
 * is bounded, and signals without an owner have no organization.
 */
import { DAY_MS } from '@ghostlight/core/time';
import { sql } from 'kysely';
import { type Clock, type Log, limitsOf, type Scope } from '../common/index.ts';
import { type Database, type Row, signalKey } from '../database/index.ts';
import { createRecentSamples } from './samples.ts';

export const SIGNAL_KINDS = [
  'auth_error',
  'unknown_attribution_id',
  'missing_attribution_id',
  'wrong_path',
  'trailing_slash',
  'dropped_not_ai',
  'validation_upload',
  'wrong_format',
  'no_address',
  'anonymized_address',
  'proxy_address',
  'rejected',
] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

export interface Signal {
  readonly kind: SignalKind;
  /** The endpoint that was meant. */
  readonly endpoint: string;
  readonly organizationId: string | null;
  readonly attributionId: string | null;
  /** The cause. A number is taken as how often it happened. */
  readonly detail: string;
  /** A user agent, or the path that was asked for. */
  readonly sample?: string;
}

/** A counted signal; times are epoch milliseconds. */
export interface CountedSignal {
  readonly kind: string;
  readonly endpoint: string;
  readonly organizationId: string | null;
  readonly attributionId: string | null;
  readonly detail: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The last few different ones. */
  readonly samples: readonly string[];
}

export interface SetupSignals {
  /** Synchronous, bounded, in memory; never throws. */
  note(signal: Signal): void;
  /**
   * What concerns a property: its own signals and its organization's without a property; for a caller that sees every organization also
   * those without an owner. Newest first, at most 500.
   */
  list(
    scope: Scope,
    property: { readonly id: string; readonly organizationId: string },
  ): Promise<CountedSignal[]>;
  /** Writes what is counted now. A failure keeps the counts for the next time. */
  flush(): Promise<void>;
  /** Removes what was last seen more than 7 days ago. @returns how many */
  expire(): Promise<number>;
  /** Stops the clock and flushes. */
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
const KEEP_MS = 7 * DAY_MS;
/** Different signals between two flushes; more of them are a flood, whose first thousand tell enough. */
const MAX_PENDING = 1_000;
const MAX_DETAIL = 120;
const MAX_LISTED = 500;
/** Rows in one statement: 10 columns each, well below SQLite's 32,766 parameters. */
const CHUNK = 200;

interface Pending {
  readonly key: string;
  readonly organization_id: string | null;
  readonly attribution_id: string | null;
  readonly kind: string;
  readonly detail: string;
  readonly endpoint: string;
  readonly first_at: number;
  count: number;
  last_at: number;
}

export function createSetupSignals({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}): SetupSignals {
  let pending = new Map<string, Pending>();
  const samples = createRecentSamples();
  let flushing: Promise<void> = Promise.resolve();

  const add = (entry: Pending): void => {
    const known = pending.get(entry.key);
    if (known !== undefined) {
      known.count += entry.count;
      known.last_at = Math.max(known.last_at, entry.last_at);
    } else if (pending.size < MAX_PENDING) pending.set(entry.key, entry);
  };

  const write = async (): Promise<void> => {
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      const rows = [...batch.values()].map((entry) => ({ ...entry, sample: samples.json(entry.key) }));
      await database.kysely.transaction().execute(async (trx) => {
        // Sorted, so that two nodes that count the same things never wait for each other in a circle.
        rows.sort((a, b) => (a.key < b.key ? -1 : 1));
        for (let from = 0; from < rows.length; from += CHUNK) {
          await trx
            .insertInto('setup_signals')
            .values(rows.slice(from, from + CHUNK))
            .onConflict((conflict) =>
              conflict.column('key').doUpdateSet({
                count: sql<number>`setup_signals.count + excluded.count`,
                last_at: sql<number>`case when excluded.last_at > setup_signals.last_at then excluded.last_at else setup_signals.last_at end`,
                sample: sql<string | null>`coalesce(excluded.sample, setup_signals.sample)`,
              }),
            )
            .execute();
        }
      });
    } catch (error) {
      for (const entry of batch.values()) add(entry);
      log.warn({ err: error }, 'setup signals could not be written; they are kept for the next time');
    }
  };

  const flush = (): Promise<void> => {
    flushing = flushing.then(write);
    return flushing;
  };
  const timer = setInterval(flush, FLUSH_MS);
  timer.unref();

  return {
    note(signal) {
      const counted = /^\d{1,9}$/.test(signal.detail);
      const at = clock();
      const identity = {
        organization_id: signal.organizationId,
        attribution_id: signal.attributionId,
        kind: signal.kind,
        detail: counted ? '' : signal.detail.slice(0, MAX_DETAIL).toWellFormed().replaceAll('\0', ''),
        endpoint: signal.endpoint,
      };
      const key = signalKey(identity);
      add({
        key,
        ...identity,
        count: counted ? Number(signal.detail) : 1,
        first_at: at,
        last_at: at,
      });
      if (signal.sample !== undefined) samples.add(key, signal.sample);
    },
    async list(scope, { id, organizationId }) {
      if (scope.kind === 'organization' && scope.id !== organizationId) return [];
      const rows = await database.reader
        .selectFrom('setup_signals')
        .selectAll()
        .where('last_at', '>', clock() - KEEP_MS)
        .where(({ and, eb, or }) =>
          or([
            and([
              eb('organization_id', '=', organizationId),
              or([
                eb('attribution_id', '=', id),
                ...(limitsOf(scope) === null ? [eb('attribution_id', 'is', null)] : []),
              ]),
            ]),
            ...(scope.kind === 'all' ? [eb('organization_id', 'is', null)] : []),
          ]),
        )
        .orderBy('last_at', 'desc')
        .orderBy('key')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(toSignal);
    },
    flush,
    async expire() {
      const { numDeletedRows } = await database.kysely
        .deleteFrom('setup_signals')
        .where('last_at', '<=', clock() - KEEP_MS)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function toSignal(row: Row<'setup_signals'>): CountedSignal {
  return {
    kind: row.kind,
    endpoint: row.endpoint,
    organizationId: row.organization_id,
    attributionId: row.attribution_id,
    detail: row.detail,
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    samples: row.sample === null ? [] : (JSON.parse(row.sample) as string[]),
  };
}
