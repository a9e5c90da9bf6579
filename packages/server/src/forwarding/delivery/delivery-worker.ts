/**
 * One turn of one destination: claim → token → contexts and decisions → requests → settle. Whatever is claimed is settled or given back
 * before the turn ends, unless the process or the database does; then the lease ends it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { annotate, untraced } from '../../common/index.ts';
import { DecryptError } from '../../database/index.ts';
import { cut } from './batches.ts';
import { claim, hold, newLease, sentLease, takeProbe } from './claim.ts';
import { exchange, mostBytes } from './exchange.ts';
import { placeOf } from './messages.ts';
import { halves, outcomeOf } from './outcome.ts';
import { pollOnce } from './poll.ts';
import type { BoundDestination, DeliveryDeps, DeliveryRow, DestinationRow, Token, Tokens } from './ports.ts';
import { prepare } from './prepare.ts';
import { presented } from './present.ts';
import type { Rates } from './rates.ts';
import type { Effect, Outcome, Ready } from './records.ts';
import { type Settlement, settle } from './settle.ts';
import { backOffMs, OPEN_AFTER } from './timing.ts';
import { isLeftByAll, UNREADABLE, UNREADABLE_PAUSE_MS } from './unreadable.ts';

export interface WorkerDeps extends DeliveryDeps {
  readonly random: () => number;
  readonly tokens: Tokens;
  readonly rates: Rates;
  /** Nothing new is to leave. */
  readonly isEnding: () => boolean;
  /** What is under way may take no longer. */
  readonly signal: AbortSignal;
}

export interface WorkerResult {
  readonly settled: number;
  /** Something was claimed: look again. */
  readonly more: boolean;
  /** As much as could be: there is work for a second pair of hands. */
  readonly full: boolean;
  /** Ms for which this node leaves the destination alone. */
  readonly pauseMs: number;
}

/** Requests of one claim at a time, where its events can't share one. */
const AT_ONCE = 4;
/** Rows of a claim where each leaves by itself: one for each row took more than twice the processor's time (7.5 against 3.4 ms a delivery). */
const SINGLES = 16;
/** What a lease has beyond the time-out of a request: settling, and a machine under load. */
const LEASE_MARGIN_MS = 20_000;
const AFTER_ERROR_MS = 5_000;
const SETTLE_RETRIES_MS = [200, 1_000, 3_000] as const;

interface LeasedBatch {
  readonly deps: WorkerDeps;
  readonly row: DestinationRow;
  readonly destination: BoundDestination;
  readonly lease: string;
  readonly leaseMs: number;
  readonly claimedAt: number;
  readonly probe: boolean;
  readonly token: Extract<Token, { kind: 'token' }>;
}

export async function runDelivery(deps: WorkerDeps, row: DestinationRow): Promise<WorkerResult> {
  const { database, clock, tokens } = deps;
  const opened = await open(deps, row);
  if ('pauseMs' in opened) return opened;
  const { destination } = opened;
  const polled = await pollOnce(deps, row, destination);
  const leaseMs = destination.limits.timeoutMs + LEASE_MARGIN_MS;
  const now = clock();
  const probe = row.failures >= OPEN_AFTER;
  if (probe && !(await takeProbe(database, row, now, now + leaseMs)))
    return { ...IDLE, settled: polled.settled, more: polled.asked > 0 };
  const lease = newLease(deps.node);
  // After a failure one event at a time, until one gets through: then only one outcome is unknown, not a thousand.
  const limit = row.failures > 0 ? 1 : Math.max(destination.limits.maxBatch, SINGLES);
  const rows = await claim(database, { destination: row, now, limit, lease, until: now + leaseMs, probe });
  if (rows.length === 0) return { ...IDLE, settled: polled.settled, more: polled.asked > 0 };

  const full = rows.length === limit;
  const giveBack = (effect: Effect | null, nextAt: number | null) =>
    persist(deps, row, { effect, outcomes: [], returned: rows.map((one) => ({ row: one, nextAt })) });
  try {
    const token = await tokens.of(row, destination);
    if (token.kind !== 'token') {
      await giveBack(token.kind === 'changed' ? null : withoutToken(token.verdict, row, probe), null);
      return { settled: polled.settled, more: true, full: false, pauseMs: 0 };
    }
    const { ready, ...decided } = await prepare(deps, destination, rows, mostBytes(destination));
    const skipped = await persist(deps, row, { effect: null, ...decided });
    const leased: LeasedBatch = { deps, row, destination, lease, leaseMs, claimedAt: now, probe, token };
    const sent = await sendAll(leased, ready);
    return { ...sent, settled: polled.settled + skipped + sent.settled, more: true, full };
  } catch (error) {
    // Of what was settled already nothing is given back: it no longer carries the lease.
    await giveBack(null, clock() + AFTER_ERROR_MS).catch(() => undefined);
    throw error;
  }
}

const IDLE: WorkerResult = { settled: 0, more: false, full: false, pauseMs: 0 };

/** Where it can't be opened: an alarm when only a person can change that, else a pause on this node. */
async function open(
  deps: WorkerDeps,
  row: DestinationRow,
): Promise<{ readonly destination: BoundDestination } | WorkerResult> {
  const about = { destination: row.id, platform: row.platform };
  const alarm = (code: string, message: string) =>
    persist(deps, row, {
      effect: { kind: 'alarm', cause: 'config', code, message },
      outcomes: [],
      returned: [],
    });
  try {
    return { destination: deps.destinations.open(row) };
  } catch (error) {
    if (!(error instanceof DecryptError)) {
      deps.log.error({ ...about, error: placeOf(error) }, 'a destination could not be opened');
      await alarm('settings_unreadable', 'Its settings no longer fit the platform; check and save them.');
      return IDLE;
    }
    deps.log.warn(
      about,
      'no SECRET_KEY of this node opens the credentials of a destination; another node may',
    );
    if (await isLeftByAll(deps.database, row, deps.clock())) await alarm(UNREADABLE, error.message);
    return { ...IDLE, pauseMs: UNREADABLE_PAUSE_MS };
  }
}

function withoutToken(
  verdict: Extract<Token, { kind: 'failed' }>['verdict'],
  { failures }: DestinationRow,
  probe: boolean,
): Effect {
  if (verdict.kind !== 'retry')
    return { kind: 'alarm', cause: verdict.kind, code: verdict.code, message: verdict.message };
  // No event has failed, so that none waits by itself: the destination does.
  return { kind: 'failed', probe, leastMs: backOffMs(failures, 1) };
}

/** Some at a time; after a request that says that there is no use in more now, the rest is given back. */
async function sendAll(
  leased: LeasedBatch,
  ready: readonly Ready[],
): Promise<Pick<WorkerResult, 'settled' | 'pauseMs'>> {
  const { deps, row, destination } = leased;
  const batches = cut(ready, destination).values();
  let settled = 0;
  let pauseMs = 0;
  let isOver = false;
  const back: Ready[] = [];
  const work = async (): Promise<void> => {
    for (const batch of batches) {
      if (!isOver && !deps.isEnding()) {
        pauseMs = Math.max(pauseMs, deps.rates.take(row.id, destination.limits.perMinute));
        isOver ||= pauseMs > 0;
      }
      if (isOver || deps.isEnding()) back.push(...batch);
      else {
        const result = await sendOne(leased, batch);
        settled += result.settled;
        isOver ||= !result.goOn;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const returned = back.map(({ row: one }) => ({ row: one, nextAt: null }));
  await persist(deps, row, { effect: null, outcomes: [], returned });
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return { settled, pauseMs };
}

async function sendOne(
  leased: LeasedBatch,
  planned: readonly Ready[],
): Promise<{ readonly settled: number; readonly goOn: boolean }> {
  const { deps, row, destination, token, probe } = leased;
  const { trace = untraced } = deps;
  const batch = await renewLeases(leased, planned);
  if (batch.length === 0) return { settled: 0, goOn: true };
  const auth = {
    credentials: destination.credentials,
    accessToken: token.accessToken,
    now: deps.clock(),
  };
  const done = await trace(
    {
      name: `forward ${destination.platform}`,
      kind: 'client',
      attributes: { 'ghostlight.platform': destination.platform, 'ghostlight.events': batch.length },
    },
    async () => {
      const over = await exchange(deps, destination, batch, auth, probe);
      const { status } = over.attempt;
      annotate(() => ({
        'ghostlight.effect': over.effect?.kind ?? 'none',
        ...(status === null ? {} : { 'http.response.status_code': status }),
      }));
      return over;
    },
  );
  const { effect } = done;
  if (effect?.kind === 'alarm' && effect.cause === 'auth' && !token.isFresh) {
    // A token may end before its time; only a new one's refusal is the credential's fault.
    deps.tokens.forget(row.id);
    const returned = batch.map(({ row: one }) => ({ row: one, nextAt: null }));
    await persist(deps, row, { effect: null, outcomes: [], returned });
    return { settled: 0, goOn: false };
  }
  const half = halves(batch.length);
  const outcomes = done.judgements.flatMap((judgement, n): Outcome[] => {
    const ready = batch[n];
    if (ready === undefined) return [];
    const { maxAgeMs } = destination.limits;
    return [
      outcomeOf(judgement, {
        ...{ row: ready.row, attempt: done.attempt, occurredAt: ready.occurredAt, maxAgeMs },
        ...{ guarantee: ready.guarantee, name: ready.name, notes: ready.notes },
        ...{ batch: batch.length, half: half(n), changedAt: row.updated_at },
        ...{ destinationMs: done.destinationMs, pollAfterMs: destination.poll?.firstAfterMs ?? null },
        random: deps.random(),
      }),
    ];
  });
  const shown = await presented(destination, batch, done, auth, outcomes);
  const settled = await persist(deps, row, { effect, outcomes: shown, returned: [] });
  report(leased, effect, outcomes.length - settled);
  return { settled, goOn: effect?.kind === 'ok' };
}

/** What is still ours; what must not be sent twice is on disk as leaving from here on. */
async function renewLeases(leased: LeasedBatch, planned: readonly Ready[]): Promise<readonly Ready[]> {
  const { deps, lease, leaseMs, claimedAt } = leased;
  const { database, clock } = deps;
  const until = clock() + leaseMs;
  const isOnce = ({ guarantee }: Ready): boolean => guarantee === 'at_most_once';
  const rows = (list: readonly Ready[]): DeliveryRow[] => list.map(({ row }) => row);
  const leaving = await hold(database, rows(planned.filter(isOnce)), lease, { until, left: true });
  const others = planned.filter((one) => !isOnce(one));
  // The first requests of a claim follow it at once; those that had to wait say that they are still there.
  const isOld = clock() - claimedAt > LEASE_MARGIN_MS / 2;
  const kept = isOld
    ? await hold(database, rows(others), lease, { until, left: false })
    : new Set(others.map(({ row }) => row.id));
  return planned.flatMap((one): Ready[] => {
    if (leaving.has(one.row.id)) return [{ ...one, row: { ...one.row, lease: sentLease(lease) } }];
    return kept.has(one.row.id) ? [one] : [];
  });
}

/** A platform's answer is worth more than one attempt to write it down. @returns how many outcomes were written */
async function persist(deps: WorkerDeps, row: DestinationRow, settlement: Settlement): Promise<number> {
  const { effect, outcomes, returned } = settlement;
  if (effect === null && outcomes.length === 0 && returned.length === 0) return 0;
  for (let n = 0; ; n += 1) {
    try {
      const written = await settle(deps, row, settlement, deps.clock());
      for (const [state, group] of Map.groupBy(written, (one) => one.state))
        deps.onOutcome?.(row.platform, state, group.length);
      return written.length;
    } catch (error) {
      const pause = SETTLE_RETRIES_MS[n];
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

function report({ deps, row }: LeasedBatch, effect: Effect | null, late: number): void {
  const about = { destination: row.id, platform: row.platform };
  if (effect?.kind === 'alarm')
    deps.log.warn({ ...about, cause: effect.cause }, 'a destination needs a configuration fix');
  if (effect?.kind === 'failed' && row.failures + 1 >= OPEN_AFTER)
    deps.log.warn(
      { ...about, failures: row.failures + 1 },
      'a destination does not answer and is left alone for a while',
    );
  if (late > 0)
    deps.log.warn({ ...about, late }, 'answers came too late: their deliveries are claimed by another node');
}
