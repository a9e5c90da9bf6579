/**
 * A cache in front of one indexed look-up on the ingest path. What is known is answered without waiting and looked up again before it
 * grows old, so that steady traffic never waits; what is unknown is read through, because a key that another node issued a moment ago
 * must work here too. Guesses can't overload the database: few lookups at a time, few waiting, the rest refused. What was found
 * before never waits in that queue, however old it is: guesses can't delay it. While the database fails or hangs, what was found is used
 * for a bounded time more, if the caller says so.
 */
import { MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, ServiceError } from '../common/index.ts';

export interface ReadThrough<V> {
  /** The value, null when it is known not to exist, undefined when only the database can tell. */
  peek(key: string): V | null | undefined;
  /** @throws ServiceError `unavailable` when too many look-ups wait; what the database throws */
  get(key: string): Promise<V | null>;
  /** Drops what is known and whatever a look-up under way is about to say: it may have read before the change. */
  forget(key: string): void;
  /** The same for all keys: where a change may be of any of them. */
  forgetAll(): void;
}

export interface ReadThroughOptions<V> {
  readonly load: (key: string) => Promise<V | undefined>;
  readonly clock: Clock;
  /** Age in ms up to which a value is cached; it is looked up again from half of it. */
  readonly positiveMs?: number;
  /** The same for "does not exist". */
  readonly negativeMs?: number;
  /** Age in ms up to which a value is used while lookups fail or take too long. Evicted values never are. Default: as `positiveMs`. */
  readonly graceMs?: number;
  readonly maxEntries?: number;
  /** Look-ups of unknown keys at a time, and how many may wait behind them. */
  readonly concurrency?: number;
  readonly maxWaiting?: number;
}

interface Entry<V> {
  readonly value: V | null;
  /** When its look-up began: the value may be that old. */
  readonly at: number;
}

/** For keys and what belongs to them: a failover or a restart of the database is over by then. */
export const AWAY_GRACE_MS = MINUTE_MS;
/** A look-up that takes longer counts as failed; below what callers wait. Milliseconds. */
const PATIENCE_MS = 800;

/** A look-up under way. */
interface Flight {
  forgotten: boolean;
}

export function createReadThrough<V>({
  load,
  clock,
  positiveMs = 5_000,
  negativeMs = 1_000,
  graceMs = positiveMs,
  maxEntries = 10_000,
  concurrency = 8,
  maxWaiting = 1_000,
}: ReadThroughOptions<V>): ReadThrough<V> {
  // Two maps, so that guesses can't push the real keys out.
  const known = new Map<string, Entry<V>>();
  const absent = new Map<string, Entry<V>>();
  const inFlight = new Map<string, { readonly flight: Flight; readonly work: Promise<V | null> }>();
  const waiting: (() => void)[] = [];
  let running = 0;
  /** The last look-up of something known failed, or took too long. */
  let isAway = false;

  const fresh = (key: string): Entry<V> | undefined => {
    const entry = known.get(key) ?? absent.get(key);
    if (entry === undefined) return undefined;
    const age = clock() - entry.at;
    return age <= (entry.value === null ? negativeMs : positiveMs) ? entry : undefined;
  };

  /** What was found before, as far as it may be used without the database. */
  const stale = (key: string): Entry<V> | undefined => {
    const entry = known.get(key);
    return entry !== undefined && clock() - entry.at <= graceMs ? entry : undefined;
  };

  /** @throws what the database throws, when no usable value is known */
  const orStale = async (key: string, work: Promise<V | null>): Promise<V | null> => {
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(resolve, PATIENCE_MS, 'late');
    const outcome = await Promise.race([
      work.then(
        (value) => ({ value }),
        () => 'failed' as const,
      ),
      late,
    ]);
    clearTimeout(timer);
    if (typeof outcome === 'object') return outcome.value;
    isAway = true;
    const entry = stale(key);
    return entry === undefined ? await work : entry.value;
  };

  const remember = (key: string, entry: Entry<V>): void => {
    known.delete(key);
    absent.delete(key);
    const map = entry.value === null ? absent : known;
    map.set(key, entry);
    if (map.size > maxEntries) for (const oldest of map.keys()) return void map.delete(oldest);
  };

  const run = async (
    key: string,
    flight: Flight,
    slot: () => Promise<void> | undefined,
    done: () => void,
  ) => {
    await slot();
    try {
      const at = clock();
      const value = (await load(key)) ?? null;
      isAway = false;
      if (!flight.forgotten) remember(key, { value, at });
      return value;
    } finally {
      if (inFlight.get(key)?.flight === flight) inFlight.delete(key);
      done();
    }
  };

  const look = (key: string, slot: () => Promise<void> | undefined, done: () => void): Promise<V | null> => {
    const flight: Flight = { forgotten: false };
    const work = run(key, flight, slot, done);
    inFlight.set(key, { flight, work });
    return work;
  };

  const takeSlot = async (): Promise<void> => {
    if (running < concurrency) {
      running += 1;
      return;
    }
    // The slot is handed over: `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const giveSlot = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    peek(key) {
      const entry = fresh(key) ?? (isAway ? stale(key) : undefined);
      if (entry === undefined) return undefined;
      if (entry.value !== null && clock() - entry.at > positiveMs / 2 && !inFlight.has(key)) {
        // Ahead of need, and outside the slots: there are no more of these than known keys. A failure leaves the entry to grow old.
        look(key, noSlot, noSlot).catch(() => undefined);
      }
      return entry.value;
    },
    async get(key) {
      const entry = fresh(key);
      if (entry !== undefined) return entry.value;
      const underWay = inFlight.get(key);
      if (known.has(key)) return await orStale(key, underWay?.work ?? look(key, noSlot, noSlot));
      if (underWay !== undefined) return await underWay.work;
      if (waiting.length >= maxWaiting) {
        throw new ServiceError(
          'unavailable',
          'Too many unknown keys are being looked up; try again shortly.',
          {
            headers: { 'Retry-After': '1' },
          },
        );
      }
      return await look(key, takeSlot, giveSlot);
    },
    forget(key) {
      known.delete(key);
      absent.delete(key);
      const underWay = inFlight.get(key);
      if (underWay !== undefined) underWay.flight.forgotten = true;
      inFlight.delete(key);
    },
    forgetAll() {
      known.clear();
      absent.clear();
      for (const { flight } of inFlight.values()) flight.forgotten = true;
      inFlight.clear();
    },
  };
}

/** For what was found before: there are no more look-ups of these than entries. */
const noSlot = (): undefined => undefined;
