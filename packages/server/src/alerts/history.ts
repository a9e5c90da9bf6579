/**
 * The figure that each rule compares with its threshold, on each of the last 30 days: the ground on which people choose a threshold. A day is
 * the property's. Rules have conditions beside the threshold, so a day that reaches it is not always an alert.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import { type Days, dateOf, daysOf, type Zoned } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Forwarding } from '../forwarding/index.ts';
import type { Owner } from '../properties/index.ts';
import { storedHours, type TrafficHour, trafficHours, type Warehouse } from '../warehouse/index.ts';
import { BASELINE_DAYS } from './baseline.ts';
import { KINDS, type Kind } from './kinds.ts';

export const HISTORY_DAYS = 30;
/** As the rules: fewer say nothing. */
const MIN = { hour: 100, day: 500, usualDays: 5, daysOfGone: 12, answers: 40, settled: 20 } as const;
const ERROR_HOURS = 3;
/** As `watch.ts` reads them. */
const MAX_KNOWN = 4_000;
/** A bot that never came before is any number of times its baseline. */
const MOST_TIMES = 100;

export interface RuleHistory {
  readonly kind: Kind;
  /** Oldest first; null: too little to say anything, or the day is not over. */
  readonly days: readonly { readonly day: string; readonly value: number | null }[];
}

/** By place: 0 is today, 1 yesterday. */
type Figures = readonly (number | null)[];

export interface HistoryDeps {
  readonly database: Database;
  readonly warehouse: Warehouse;
  readonly forwarding: Pick<Forwarding, 'accuracy'>;
  readonly clock: () => number;
}

export type ReadHistory = (property: Owner & Zoned, signal?: AbortSignal) => Promise<RuleHistory[]>;

/** @throws when a store does not answer */
export function createHistory({ database, warehouse, forwarding, clock }: HistoryDeps): ReadHistory {
  return async (property, signal) => {
    const days = daysOf(property);
    const now = clock();
    const today = days.dayAt(now);
    const end = days.startOf(today + 1);
    const request = {
      from: days.startOf(today - HISTORY_DAYS - BASELINE_DAYS + 1),
      to: end,
      // The last millisecond of it: what came at the end itself is not in it.
      before: end - 1,
    };
    const scope = { organizationId: property.organizationId, attributionId: property.id };
    const [rows, known, limit] = await Promise.all([
      trafficHours(warehouse, scope, request, signal),
      knownBefore(database, property, request.from),
      quotaOf(database, property),
    ]);
    const first = days.startOf(today - HISTORY_DAYS + 1);
    const [stored, accuracy] = await Promise.all([
      limit === null
        ? []
        : storedHours(
            warehouse,
            { ...scope, ...(limit.of === 'organization' ? { attributionId: null } : {}) },
            { ...request, from: first },
            signal,
          ),
      forwarding.accuracy(property, { from: first, to: now }, days),
    ]);
    const grid = gridOf(days, today, end, now);
    const figures = {
      ...figuresOf(rows, grid, known),
      forwarding_failing: acceptedShares(accuracy.days, today),
      quota:
        limit === null
          ? []
          : shares(
              grid.sums(stored, ({ hits }) => hits),
              limit.hits,
            ),
    };
    return KINDS.map((kind) => ({
      kind,
      days: Array.from({ length: HISTORY_DAYS }, (_, index) => {
        const place = HISTORY_DAYS - 1 - index;
        return { day: dateOf(today - place), value: figures[kind][place] ?? null };
      }),
    }));
  };
}

export interface Grid {
  /** The place of the day of an hour that is counted back from the end of today. */
  readonly placeOf: readonly number[];
  /** Hours that are not over: counted back from the end of today, they are fewer than this. */
  readonly ahead: number;
  readonly sums: <Row extends { readonly hour: number }>(
    rows: readonly Row[],
    of: (row: Row) => number,
  ) => number[];
}

const PLACES = HISTORY_DAYS + BASELINE_DAYS;

export function gridOf(days: Days, today: number, end: number, now: number): Grid {
  // A day has 25 hours at most.
  const placeOf = Array.from(
    { length: PLACES * 25 },
    (_, hour) => today - days.dayAt(end - (hour + 0.5) * HOUR_MS),
  );
  return {
    placeOf,
    ahead: Math.ceil((end - now) / HOUR_MS),
    sums(rows, of) {
      const sums = new Array<number>(PLACES).fill(0);
      for (const row of rows) {
        const place = placeOf[row.hour] ?? PLACES;
        if (place < PLACES) sums[place] = (sums[place] ?? 0) + of(row);
      }
      return sums;
    },
  };
}

/** Pure. @param known names that came before what the rows reach back to, as `bot GPTBot` */
export function figuresOf(
  rows: readonly TrafficHour[],
  grid: Grid,
  known: ReadonlySet<string>,
): Record<Exclude<Kind, 'forwarding_failing' | 'quota'>, Figures> {
  const of = (kind: TrafficHour['class']) =>
    [
      ...Map.groupBy(
        rows.filter((row) => row.class === kind && row.name !== ''),
        ({ name }) => name,
      ),
    ].map(([name, own]) => ({ name, own, daily: grid.sums(own, ({ visits }) => visits) }));
  const bots = of('ai_bot');
  const aiBots = bots.flatMap(({ own }) => own);
  const came = grid.sums(rows, () => 1);
  const usualDays = (place: number): number => before(came, place).filter((hits) => hits > 0).length;
  return {
    new_bot: news(bots, 'bot', known),
    ai_referral_first: news(of('ai_referral'), 'engine', known),
    spike: places((place) => {
      if (usualDays(place) < MIN.usualDays) return null;
      return most(bots, ({ own, daily }) => timesUsual(own, daily, place, grid));
    }),
    drop_to_zero: places((place) => {
      // A bot may come yet.
      if (place === 0) return null;
      return most(bots, ({ daily }) => {
        const usual = before(daily, place);
        const isDaily = usual.filter((visits) => visits > 0).length >= MIN.daysOfGone;
        return isDaily && daily[place] === 0 ? nth(usual, BASELINE_DAYS / 2) : 0;
      });
    }),
    spoof_surge: places((place) =>
      Math.max(0, ...hoursOf(aiBots, place, grid, ({ spoofed }) => spoofed).values()),
    ),
    bot_errors: errors(aiBots, grid),
    collector_quiet: silences(rows, grid),
  };
}

interface Series {
  readonly name: string;
  readonly own: readonly TrafficHour[];
  readonly daily: readonly number[];
}

const places = (of: (place: number) => number | null): Figures =>
  Array.from({ length: HISTORY_DAYS }, (_, place) => of(place));
const most = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((highest, one) => Math.max(highest, of(one)), 0);
/** The two weeks before a day. */
const before = (daily: readonly number[], place: number): readonly number[] =>
  daily.slice(place + 1, place + 1 + BASELINE_DAYS);
/** @param n from 0 */
const nth = (values: readonly number[], n: number): number => values.toSorted((a, b) => b - a)[n] ?? 0;

/** What came in each hour of a day, or of the two weeks before it. */
function hoursOf(
  rows: readonly TrafficHour[],
  place: number,
  { placeOf }: Grid,
  of: (row: TrafficHour) => number,
  length = 1,
): Map<number, number> {
  const hours = new Map<number, number>();
  for (const row of rows) {
    const at = placeOf[row.hour] ?? PLACES;
    if (at >= place && at < place + length) hours.set(row.hour, (hours.get(row.hour) ?? 0) + of(row));
  }
  return hours;
}

/** Names on their first day. */
function news(all: readonly Series[], kind: string, known: ReadonlySet<string>): Figures {
  const firsts = all
    .filter(({ name }) => !known.has(`${kind} ${name}`))
    .map(({ daily }) => {
      const place = daily.findLastIndex((visits) => visits > 0);
      return { place, visits: daily[place] ?? 0 };
    });
  return places((at) => most(firsts, ({ place, visits }) => (place === at ? visits : 0)));
}

/** How many times its own busy hours or days a bot came; 0 for too few visits to be a spike. */
function timesUsual(
  own: readonly TrafficHour[],
  daily: readonly number[],
  place: number,
  grid: Grid,
): number {
  const visits = ({ visits }: TrafficHour): number => visits;
  const day = daily[place] ?? 0;
  const hour = day < MIN.hour ? 0 : Math.max(0, ...hoursOf(own, place, grid, visits).values());
  const times = (seen: number, least: number, busy: () => number): number =>
    seen < least ? 0 : Math.min(MOST_TIMES, seen / Math.max(busy(), seen / MOST_TIMES));
  return Math.max(
    times(hour, MIN.hour, () => nth([...hoursOf(own, place + 1, grid, visits, BASELINE_DAYS).values()], 3)),
    times(day, MIN.day, () => nth(before(daily, place), 1)),
  );
}

/** Percent of the answers within three hours, the highest of the day. */
function errors(rows: readonly TrafficHour[], { placeOf }: Grid): Figures {
  const answers = new Map<number, { answered: number; failed: number }>();
  for (const { hour, answered, failed } of rows) {
    const sum = answers.get(hour) ?? { answered: 0, failed: 0 };
    answers.set(hour, { answered: sum.answered + answered, failed: sum.failed + failed });
  }
  const highest = new Map<number, number>();
  for (const hour of answers.keys()) {
    const place = placeOf[hour] ?? PLACES;
    const window = Array.from({ length: ERROR_HOURS }, (_, ago) => answers.get(hour + ago));
    const [answered, failed] = [
      window.reduce((sum, one) => sum + (one?.answered ?? 0), 0),
      window.reduce((sum, one) => sum + (one?.failed ?? 0), 0),
    ];
    if (answered >= MIN.answers)
      highest.set(place, Math.max(highest.get(place) ?? 0, (100 * failed) / answered));
  }
  return places((place) => highest.get(place) ?? null);
}

/** Hours in a row without anything, the longest that reaches into the day. Before the first visit nothing is known. */
function silences(rows: readonly TrafficHour[], { placeOf, ahead }: Grid): Figures {
  const present = new Set(rows.map(({ hour }) => hour));
  const longest = new Map<number, number>();
  let length = 0;
  const oldest = rows.reduce((hour, row) => Math.max(hour, row.hour), -1);
  for (let hour = oldest; hour >= ahead; hour -= 1) {
    length = present.has(hour) ? 0 : length + 1;
    const place = placeOf[hour] ?? PLACES;
    longest.set(place, Math.max(longest.get(place) ?? 0, length));
  }
  return places((place) => longest.get(place) ?? null);
}

/** Of the destination with the lowest share. */
function acceptedShares(days: Awaited<ReturnType<Forwarding['accuracy']>>['days'], today: number): Figures {
  const lowest = new Map(
    days.map(({ day, destinations }) => {
      const shares = destinations.flatMap(({ delivered, dead, unknown }) => {
        const settled = delivered + dead + unknown;
        return settled < MIN.settled ? [] : [(100 * delivered) / settled];
      });
      return [day, shares.length === 0 ? null : Math.min(...shares)] as const;
    }),
  );
  return places((place) => lowest.get(dateOf(today - place)) ?? null);
}

const shares = (stored: readonly number[], limit: number): Figures =>
  stored.map((hits) => (100 * hits) / limit);

async function knownBefore(
  { reader }: Database,
  { id, organizationId }: Owner,
  moment: number,
): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('alert_seen')
    .select(['kind', 'name'])
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('first_at', '<', moment)
    .limit(MAX_KNOWN)
    .execute();
  return new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
}

async function quotaOf(
  { reader }: Database,
  { id, organizationId }: Owner,
): Promise<{ readonly hits: number; readonly of: string } | null> {
  const row = await reader
    .selectFrom('properties')
    .select(['quota_limit', 'quota_of'])
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row === undefined || row.quota_limit === null ? null : { hits: row.quota_limit, of: row.quota_of };
}
