/** One look at one property: what is usual, what is now, what the rules say of it, written down in one transaction. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { type Clock, UTC } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { type EverSeen, trafficHours, type Warehouse } from '../warehouse/index.ts';
import { type Found, record } from './alert-store.ts';
import { BASELINE_DAYS, type Baseline, baselineOf, type Closed, hoursCut } from './baseline.ts';
import { closedTimes } from './closed.ts';
import { recentOf } from './recent.ts';
import { newBots, newEngines, RULES, type Snapshot, type WatchedDestination } from './rules/index.ts';
import type { Settings } from './settings.ts';
import { isLearning, readWatch, type Watch, writeWatch } from './watch.ts';

/** Properties whose two weeks are kept until the next full hour; the others are read at every look. */
const MAX_KEPT = 1_000;
/** A visit may carry a clock that is a little ahead. */
const AHEAD_MS = 5 * MINUTE_MS;

export interface EvaluateDeps {
  readonly database: Database;
  readonly warehouse: Warehouse;
  readonly settings: Settings;
  readonly destinations: (owner: Owner) => Promise<WatchedDestination[]>;
  readonly clock: Clock;
}

/** @returns how many messages were written. @throws when a store does not answer; nothing is written down then */
export function createEvaluate({ database, warehouse, settings, destinations, clock }: EvaluateDeps) {
  const baselineUntil = createBaselines(warehouse);
  return async (owner: Owner): Promise<number> => {
    const now = clock();
    const { timeZone, quota } = await propertyOf(database, owner, now);
    const closed = await closedTimes(database, owner, now - (BASELINE_DAYS + 2) * DAY_MS);
    const { rules, repeatHours } = await settings.read(owner);
    const watch = await readWatch(database, warehouse, owner, now);
    const until = Math.floor(now / HOUR_MS) * HOUR_MS - DAY_MS;
    const [usual, recent] = await Promise.all([
      baselineUntil(owner, until, closed),
      trafficHours(warehouse, scopeOf(owner), {
        from: until,
        to: now + AHEAD_MS,
        before: now,
        receivedUntil: now,
      }),
    ]);
    const isOn = (kind: string): boolean => rules.some((rule) => rule.kind === kind && rule.enabled);
    const snapshot: Snapshot = {
      ...{ timeZone, now },
      usual,
      recent: recentOf(recent),
      known: watch.known,
      watchingSince: watch.watchingSince,
      ...{ quota, closedUntil: Math.max(0, ...closed.map(({ to }) => to)) },
      destinations: isOn('forwarding_failing') ? await destinations(owner) : [],
    };
    const learning = isLearning(watch, now);
    const found = rules
      .filter(({ enabled }) => enabled)
      .map(({ kind, threshold }): Found => {
        const verdict = RULES[kind](snapshot, threshold);
        const isNoNews = learning && (kind === 'new_bot' || kind === 'ai_referral_first');
        return { kind, findings: isNoNews ? [] : verdict.findings, isOver: verdict.isOver };
      });
    const names = [...watch.learnt, ...nowKnown(snapshot, watch, rules, learning)];
    return await database.kysely.transaction().execute(async (trx) => {
      if (!(await stands(trx, owner))) return 0;
      await writeWatch(trx, owner, watch, names, now);
      const muted = new Set(rules.filter(({ mutedUntil }) => mutedUntil !== null).map(({ kind }) => kind));
      return await record(trx, owner, { now, repeatHours, found, muted });
    });
  };
}

async function propertyOf(
  { reader }: Database,
  { id, organizationId }: Owner,
  now: number,
): Promise<Required<Pick<Snapshot, 'timeZone' | 'quota'>>> {
  const row = await reader
    .selectFrom('properties')
    .select(['time_zone', 'quota_used', 'quota_limit', 'quota_of', 'quota_until'])
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const limit = row?.quota_limit ?? null;
  return {
    timeZone: row?.time_zone ?? UTC,
    quota:
      row === undefined || limit === null || (row.quota_until ?? 0) <= now
        ? null
        : { used: row.quota_used, limit, of: row.quota_of },
  };
}

/** It may have been deleted since the round began, with all that is remembered of it. */
async function stands(trx: Database['kysely'], { id, organizationId }: Owner): Promise<boolean> {
  const row = await trx
    .selectFrom('properties')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Names that count as known from here on: those reported, and those that came while the rule was off. */
function nowKnown(
  snapshot: Snapshot,
  { known }: Watch,
  rules: readonly { readonly kind: string; readonly enabled: boolean; readonly threshold: number }[],
  learning: boolean,
): EverSeen[] {
  const from = (kind: string): number => {
    const rule = rules.find((one) => one.kind === kind);
    return rule === undefined || !rule.enabled || learning ? 0 : rule.threshold;
  };
  const of = (kind: EverSeen['kind'], names: readonly [string, number][], standing: ReadonlySet<string>) =>
    names.filter(([name]) => !standing.has(name)).map(([name]) => ({ kind, name, first_at: snapshot.now }));
  return [
    ...of('bot', newBots(snapshot, from('new_bot')), known.bots),
    ...of('engine', newEngines(snapshot, from('ai_referral_first')), known.engines),
  ];
}

const scopeOf = ({ id, organizationId }: Owner) => ({ organizationId, attributionId: id });

/** Two weeks are read once an hour: they end at a full hour, so they do not change before the next. */
function createBaselines(warehouse: Warehouse) {
  const kept = new Map<string, { readonly until: number; readonly usual: Baseline }>();
  return async (owner: Owner, until: number, closed: readonly Closed[]): Promise<Baseline> => {
    const standing = kept.get(owner.id);
    if (standing?.until === until) return standing.usual;
    const rows = await trafficHours(warehouse, scopeOf(owner), {
      from: until - BASELINE_DAYS * DAY_MS,
      to: until,
      // The last millisecond of it: what came at the end itself is not in it.
      before: until - 1,
    });
    const usual = baselineOf(rows, hoursCut(closed, until));
    // Moved to the end: the property evaluated longest ago is dropped first.
    kept.delete(owner.id);
    kept.set(owner.id, { until, usual });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return usual;
  };
}
