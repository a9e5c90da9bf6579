/**
 * The loop: looks once a second, or when it is nudged, which destinations have something to do, and gives each a lane of its own. A lane
 * takes turns until nothing is due, and waits in line for every one of them.
 */
import { dueDestinations, expireLeases } from './claim.ts';
import { endDeleted } from './closing.ts';
import { runDelivery, type WorkerDeps } from './delivery-worker.ts';
import { placeOf } from './messages.ts';
import type { Delivery, DeliveryDeps, DestinationRow } from './ports.ts';
import { createRates } from './rates.ts';
import { createSlots } from './slots.ts';
import { createTokens } from './tokens.ts';
import { clearReadable } from './unreadable.ts';
import { createWake } from './wake.ts';

const LOOK_MS = 1_000;
/** Conversions come in groups: what is nudged within it is one look. */
const GATHER_MS = 50;
const EXPIRE_MS = 5_000;
const CLEAR_MS = 30_000;
/** Lanes of one destination at a time. */
const WIDTH = 4;
/** How long a stop waits for requests under way, and then for their settlement. */
const STOP_MS = 10_000;
const SETTLE_MS = 5_000;

export function createDelivery(given: DeliveryDeps): Delivery {
  const { database, clock, log } = given;
  const abort = new AbortController();
  const wake = createWake();
  const slots = createSlots();
  const lanes = new Map<string, number>();
  /** Destination → until when this node leaves it alone, for the sake of its rate. Bounded by the destinations. */
  const pausedUntil = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let settled = 0;
  let isEnding = false;
  let loop: Promise<void> | undefined;
  let expiredAt = Number.NEGATIVE_INFINITY;
  let clearedAt = Number.NEGATIVE_INFINITY;
  const deps: WorkerDeps = {
    ...given,
    random: given.random ?? Math.random,
    tokens: createTokens({ ...given, signal: abort.signal }),
    rates: createRates(clock),
    isEnding: () => isEnding,
    signal: abort.signal,
  };

  const current = ({ id, organization_id }: DestinationRow): Promise<DestinationRow | undefined> =>
    database.reader
      .selectFrom('destinations')
      .selectAll()
      .where('id', '=', id)
      .where('organization_id', '=', organization_id)
      .executeTakeFirst();

  const lane = async (first: DestinationRow): Promise<void> => {
    for (let row: DestinationRow | undefined = first; row !== undefined && mayWork(row); ) {
      const give = await slots.take(row.failures > 0);
      try {
        // Its turn may have come long after it was read.
        row = await current(row);
        if (row === undefined || !mayWork(row)) return;
        const turn = await runDelivery(deps, row);
        settled += turn.settled;
        if (turn.pauseMs > 0) pausedUntil.set(row.id, clock() + turn.pauseMs);
        if (!turn.more || turn.pauseMs > 0) return;
        if (turn.full && row.failures === 0) open(row);
      } catch (error) {
        log.warn(
          { destination: first.id, platform: first.platform, error: placeOf(error) },
          'deliveries could not be processed; they are tried again',
        );
        return;
      } finally {
        give();
      }
      row = await current(first).catch(() => undefined);
    }
  };

  /** What would only ask in vain; the claim asks again. */
  const mayWork = (row: DestinationRow): boolean => {
    const now = clock();
    return (
      !isEnding &&
      row.deleted_at === null &&
      row.paused === 0 &&
      row.alarm === null &&
      (row.not_before ?? 0) <= now &&
      (pausedUntil.get(row.id) ?? 0) <= now
    );
  };

  const open = (row: DestinationRow): void => {
    const width = row.failures > 0 ? 1 : WIDTH;
    const count = lanes.get(row.id) ?? 0;
    if (count >= width) return;
    lanes.set(row.id, count + 1);
    const work = lane(row).finally(() => {
      running.delete(work);
      const left = (lanes.get(row.id) ?? 1) - 1;
      if (left === 0) lanes.delete(row.id);
      else lanes.set(row.id, left);
    });
    running.add(work);
  };

  const look = async (): Promise<number> => {
    const now = clock();
    if (now - expiredAt >= EXPIRE_MS) {
      const expired = await expireLeases(given, now);
      if (expired > 0)
        log.warn({ deliveries: expired }, 'deliveries were taken from a node that did not come back');
      expiredAt = now;
    }
    if (now - clearedAt >= CLEAR_MS) {
      await clearReadable(given);
      clearedAt = now;
    }
    for (const [id, until] of pausedUntil) if (until <= now) pausedUntil.delete(id);
    const found = await dueDestinations(database.reader, now);
    for (const row of found) if (row.deleted_at !== null) settled += await endDeleted(given, row, now);
    const due = found.filter(mayWork);
    for (const row of due) if (!lanes.has(row.id)) open(row);
    return due.length;
  };

  const watch = async (): Promise<void> => {
    let isFailing = false;
    let isRecovered = false;
    while (!isEnding) {
      try {
        // What this node had claimed when it ended: no other node may know yet that it has ended.
        if (!isRecovered) await expireLeases(given, clock(), given.node);
        isRecovered = true;
        await look();
        if (isFailing) log.info({}, 'deliveries are looked for again');
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ error: placeOf(error) }, 'deliveries can not be looked for');
        isFailing = true;
      }
      await wake.after({ mostMs: LOOK_MS, leastMs: GATHER_MS });
    }
  };

  const settledWithin = async (ms: number): Promise<void> => {
    const late = AbortSignal.timeout(ms);
    const tooLate = new Promise<void>((resolve) =>
      late.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([Promise.allSettled([loop, ...running]), tooLate]);
  };

  return {
    tokens: deps.tokens,
    start() {
      loop ??= watch();
    },
    nudge: () => wake.up(),
    async runOnce() {
      expiredAt = Number.NEGATIVE_INFINITY;
      const begin = settled;
      while ((await look()) > 0) {
        const before = settled;
        // Lanes open lanes.
        while (running.size > 0) await Promise.all(running);
        if (settled === before) break;
      }
      return settled - begin;
    },
    async stop() {
      isEnding = true;
      wake.up();
      await settledWithin(STOP_MS);
      abort.abort();
      await settledWithin(SETTLE_MS);
    },
  };
}
