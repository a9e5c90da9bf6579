/**
 * The figure that each rule compares with its threshold, on each of the last 30 days: the ground on which people choose a threshold. A day is
 * the property's. Rules have conditions beside the threshold, so a day that reaches it is not always an alert. Where it is no longer certain
 * what a rule saw on a day, because hits were deleted or were never there, the day has no figure.
 */
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import {
  type Days,
  dateOf,
  daysOf,
  keptDays,
  keptWhole,
  type RetentionLimits,
  readRules,
  type Zoned,
} from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Forwarding } from '../forwarding/index.ts';
import type { Owner } from '../properties/index.ts';
import { storedHours, type TrafficHour, trafficHours, type Warehouse } from '../warehouse/index.ts';
import {
  BASELINE_DAYS,
  BASELINE_HOURS,
  type Baseline,
  baselineOf,
  type Closed,
  hoursCut,
  silences,
} from './baseline.ts';
import { closedTimes } from './closed.ts';
import { KINDS, type Kind } from './kinds.ts';
import { ERROR_HOURS } from './recent.ts';
import { cameDaily, canSpike, isReceiving, MIN_ANSWERS, MIN_SETTLED, SPIKE_AT_LEAST } from './rules/index.ts';

export const HISTORY_DAYS = 30;
/** As dense as the fifteen days of the rules. Where there are more, the oldest hours have no figures. */
const MAX_ROWS = 180_000;
/** As `watch.ts` reads them. */
const MAX_KNOWN = 4_000;
/** A bot that never came before is any number of times its baseline. */
const MOST_TIMES = 100;

export interface RuleHistory {
  readonly kind: Kind;
  /** Oldest first. */
  readonly days: readonly { readonly day: string; readonly value: Figure }[];
}

/** null: too little to say anything, or the day is not over; `unknown`: what the rule saw is not certain. */
type Figure = number | 'unknown' | null;

/** By place: 0 is today, 1 yesterday. */
type Figures = readonly Figure[];

export interface HistoryDeps {
  readonly database: Database;
  readonly warehouse: Warehouse;
  readonly forwarding: Pick<Forwarding, 'accuracy'>;
  readonly retention: RetentionLimits;
  readonly clock: () => number;
}

export type ReadHistory = (property: Owner & Zoned, signal?: AbortSignal) => Promise<RuleHistory[]>;

/** @throws when a store does not answer */
export function createHistory({
  database,
  warehouse,
  forwarding,
  retention,
  clock,
}: HistoryDeps): ReadHistory {
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
    const [rows, seen, firstVisitAt, closed, quota, kept] = await Promise.all([
      trafficHours(warehouse, scope, { ...request, most: MAX_ROWS }, signal),
      seenOf(database, property),
      firstVisitOf(database, property),
      closedTimes(database, property, request.from),
      quotaOf(database, property),
      keptOf(database, property, retention),
    ]);
    const first = days.startOf(today - HISTORY_DAYS + 1);
    const [stored, accuracy] = await Promise.all([
      quota === null
        ? []
        : storedHours(
            warehouse,
            { ...scope, ...(quota.of === 'organization' ? { attributionId: null } : {}) },
            { ...request, from: first },
            signal,
          ),
      forwarding.accuracy(property, { from: first, to: now }, days),
    ]);
    const grid = gridOf(days, today, end, now);
    const oldest = rows.at(-1)?.hour;
    const cut = rows.length < MAX_ROWS || oldest === undefined ? PLACES : (grid.placeOf[oldest] ?? PLACES);
    const known = { seen, firstVisitAt, closed, kept, cut };
    const figures = {
      ...figuresOf(rows, grid, known),
      forwarding_failing: acceptedShares(accuracy.days, today),
      quota: quotaShares(
        stored,
        grid,
        quota === null
          ? null
          : { ...quota, kept: quota.of === 'organization' ? kept.organization : kept.all },
        known,
        rows,
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
  /** Epoch milliseconds: the end of today, and the beginning of the day of a place. */
  readonly end: number;
  readonly startOf: (place: number) => number;
  readonly placeAt: (moment: number) => number;
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
    end,
    startOf: (place) => days.startOf(today - place),
    placeAt: (moment) => today - days.dayAt(moment),
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

/** What is known of the rows. */
export interface Known {
  /** `bot GPTBot` → when the rules noted it first; epoch milliseconds. */
  readonly seen: ReadonlyMap<string, number>;
  /** As the rules noted it; epoch milliseconds; null: they have not looked yet. */
  readonly firstVisitAt: number | null;
  readonly closed: readonly Closed[];
  /** How many days are kept whole, today among them: of bots, of people from engines, of everything. */
  readonly kept: { readonly bots: number; readonly engines: number; readonly all: number };
  /** The first place whose rows were not all read. */
  readonly cut: number;
}

/** The day of the first visit: before it there was nothing to look at. -1: nothing ever came. */
function firstPlace(rows: readonly TrafficHour[], { firstVisitAt }: Known, grid: Grid): number {
  const ofRows = rows.reduce((oldest, { hour }) => Math.max(oldest, grid.placeOf[hour] ?? PLACES), -1);
  return Math.max(ofRows, firstVisitAt === null ? -1 : grid.placeAt(firstVisitAt));
}

/** Pure. */
export function figuresOf(
  rows: readonly TrafficHour[],
  grid: Grid,
  known: Known,
): Record<Exclude<Kind, 'forwarding_failing' | 'quota'>, Figures> {
  const { kept, cut, closed } = known;
  const of = (kind: TrafficHour['class']) =>
    [
      ...Map.groupBy(
        rows.filter((row) => row.class === kind && row.name !== ''),
        ({ name }) => name,
      ),
    ].map(([name, own]) => ({ name, own, daily: grid.sums(own, ({ visits }) => visits) }));
  const bots = of('ai_bot');
  const aiBots = bots.flatMap(({ own }) => own);
  const first = firstPlace(rows, known, grid);
  const certain = (days: number, figure: (place: number) => Figure): Figures =>
    places((place) => (place > first || place >= Math.min(days, cut) ? 'unknown' : figure(place)));
  /** Today is compared with the days that are there now. Of an earlier day, some of those before it may have been deleted since. */
  const compared = (figure: (place: number, usual: Baseline) => Figure): Figures =>
    certain(kept.all, (place) =>
      // Before the first visit there is nothing that could have been deleted.
      Math.min(place + BASELINE_DAYS, first) >= (place === 0 ? cut : Math.min(kept.all, cut))
        ? 'unknown'
        : figure(place, usualBefore(place, rows, closed, grid)),
    );
  const cutHours = hoursCut(closed, grid.end, grid.placeOf.length);
  const cutPlaces = new Set([...cutHours].map((hour) => grid.placeOf[hour]));
  const [failing, quiet] = [errors(aiBots, grid), quietHours(rows, grid, cutHours, Math.min(kept.all, cut))];
  return {
    new_bot: certain(kept.bots, news(bots, 'bot', known, grid)),
    ai_referral_first: certain(kept.engines, news(of('ai_referral'), 'engine', known, grid)),
    spike: compared((place, usual) => {
      if (!canSpike(usual)) return null;
      return most(bots, (bot) => timesUsual(bot, place, usual, grid));
    }),
    drop_to_zero: compared((place, usual) => {
      // A bot may come yet.
      if (place === 0) return null;
      // It may have come while all visits were dropped.
      if (cutPlaces.has(place)) return 'unknown';
      const hours = hoursOf(rows, place, grid, () => 1);
      const silence = Math.max(
        0,
        ...silences(grid.placeOf.flatMap((at, hour) => (at === place ? [hours.get(hour) ?? 0] : []))),
      );
      if (!isReceiving({ silence }, usual)) return null;
      return most(bots, ({ name, daily }) => {
        const before = usual.bots.get(name);
        return before !== undefined && cameDaily(before) && daily[place] === 0 ? before.medianDay : 0;
      });
    }),
    spoof_surge: certain(kept.bots, (place) =>
      Math.max(0, ...hoursOf(aiBots, place, grid, ({ spoofed }) => spoofed).values()),
    ),
    bot_errors: certain(kept.bots, failing),
    collector_quiet: certain(kept.all, quiet),
  };
}

/** What was usual when a day began, as the rules reckon it. */
function usualBefore(
  place: number,
  rows: readonly TrafficHour[],
  closed: readonly Closed[],
  grid: Grid,
): Baseline {
  const until = grid.startOf(place);
  const newest = Math.round((grid.end - until) / HOUR_MS);
  return baselineOf(
    rows.flatMap((row) =>
      row.hour >= newest && row.hour < newest + BASELINE_HOURS ? [{ ...row, hour: row.hour - newest }] : [],
    ),
    hoursCut(closed, until),
  );
}

interface Series {
  readonly name: string;
  readonly own: readonly TrafficHour[];
  readonly daily: readonly number[];
}

const places = (of: (place: number) => Figure): Figures =>
  Array.from({ length: HISTORY_DAYS }, (_, place) => of(place));
const most = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((highest, one) => Math.max(highest, of(one)), 0);

/** What came in each hour of a day. */
function hoursOf(
  rows: readonly TrafficHour[],
  place: number,
  { placeOf }: Grid,
  of: (row: TrafficHour) => number,
): Map<number, number> {
  const hours = new Map<number, number>();
  for (const row of rows) {
    if (placeOf[row.hour] === place) hours.set(row.hour, (hours.get(row.hour) ?? 0) + of(row));
  }
  return hours;
}

/** Names on the day on which the rules noted them, or on the first day of those that they have not noted. */
function news(
  all: readonly Series[],
  kind: string,
  { seen, firstVisitAt }: Known,
  grid: Grid,
): (at: number) => number {
  // On a property's first day everything is new, and none of it is news.
  const learnt = firstVisitAt === null ? 0 : firstVisitAt + DAY_MS;
  const firsts = all.flatMap(({ name, own, daily }) => {
    const noted = seen.get(`${kind} ${name}`);
    if (noted === undefined) {
      const oldest = own.reduce((hour, row) => (row.visits > 0 ? Math.max(hour, row.hour) : hour), -1);
      if (grid.end - oldest * HOUR_MS <= learnt) return [];
      const place = daily.findLastIndex((visits) => visits > 0);
      return [{ place, visits: daily[place] ?? 0 }];
    }
    if (noted < learnt) return [];
    const place = grid.placeAt(noted);
    // Just after midnight, it was noted for what came before.
    const hour = Math.floor((grid.end - 1 - noted) / HOUR_MS);
    const rolling = own.reduce(
      (sum, row) => (row.hour >= hour && row.hour < hour + 24 ? sum + row.visits : sum),
      0,
    );
    return [{ place, visits: Math.max(daily[place] ?? 0, rolling) }];
  });
  return (at) => most(firsts, ({ place, visits }) => (place === at ? visits : 0));
}

/** How many times its own busy hours or days a bot came; 0 for too few visits to be a spike. */
function timesUsual({ name, own, daily }: Series, place: number, usual: Baseline, grid: Grid): number {
  const before = usual.bots.get(name);
  const day = daily[place] ?? 0;
  const hour =
    day < SPIKE_AT_LEAST.hour
      ? 0
      : Math.max(0, ...hoursOf(own, place, grid, ({ visits }) => visits).values());
  const times = (seen: number, least: number, busy: number): number => {
    if (seen < least) return 0;
    return busy * MOST_TIMES <= seen ? MOST_TIMES : seen / busy;
  };
  return Math.max(
    times(hour, SPIKE_AT_LEAST.hour, before?.busyHour ?? 0),
    times(day, SPIKE_AT_LEAST.day, before?.busyDay ?? 0),
  );
}

/** Percent of the answers within three hours, the highest of the day. */
function errors(rows: readonly TrafficHour[], { placeOf }: Grid): (place: number) => Figure {
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
    if (answered >= MIN_ANSWERS)
      highest.set(place, Math.max(highest.get(place) ?? 0, (100 * failed) / answered));
  }
  return (place) => highest.get(place) ?? null;
}

/**
 * Hours in a row without anything, the longest that reaches into the day.
 * @param dropped hours in which all visits were dropped: they are no silence
 * @param whole days of which everything is still there: a silence that began before them may have been none
 */
function quietHours(
  rows: readonly TrafficHour[],
  { placeOf, ahead }: Grid,
  dropped: ReadonlySet<number>,
  whole: number,
): (place: number) => Figure {
  const present = new Set([...rows.map(({ hour }) => hour), ...dropped]);
  const longest = new Map<number, number>();
  let length = 0;
  const oldest = rows.reduce((hour, row) => Math.max(hour, row.hour), -1);
  for (let hour = oldest; hour >= ahead; hour -= 1) {
    length = present.has(hour) ? 0 : length + 1;
    const place = placeOf[hour] ?? PLACES;
    const began = placeOf[hour + length - 1] ?? PLACES;
    const isCertain = length === 0 || place === 0 || began < whole;
    longest.set(place, Math.max(longest.get(place) ?? 0, isCertain ? length : Number.POSITIVE_INFINITY));
  }
  return (place) => {
    const found = longest.get(place);
    if (found === undefined) return null;
    return Number.isFinite(found) ? found : 'unknown';
  };
}

/** Of the destination with the lowest share. */
function acceptedShares(days: Awaited<ReturnType<Forwarding['accuracy']>>['days'], today: number): Figures {
  const lowest = new Map(
    days.map(({ day, destinations }) => {
      const shares = destinations.flatMap(({ delivered, dead, unknown }) => {
        const settled = delivered + dead + unknown;
        return settled < MIN_SETTLED ? [] : [(100 * delivered) / settled];
      });
      return [day, shares.length === 0 ? null : Math.min(...shares)] as const;
    }),
  );
  return places((place) => lowest.get(dateOf(today - place)) ?? null);
}

/** Percent of the quota of today. */
function quotaShares(
  stored: readonly { readonly hour: number; readonly hits: number }[],
  grid: Grid,
  quota: { readonly hits: number; readonly kept: number } | null,
  known: Known,
  rows: readonly TrafficHour[],
): Figures {
  if (quota === null) return [];
  const [used, first] = [grid.sums(stored, ({ hits }) => hits), firstPlace(rows, known, grid)];
  return places((place) =>
    place > first || place >= quota.kept ? 'unknown' : (100 * (used[place] ?? 0)) / quota.hits,
  );
}

async function seenOf(
  { reader }: Database,
  { id, organizationId }: Owner,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('alert_seen')
    .select(['kind', 'name', 'first_at'])
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .limit(MAX_KNOWN)
    .execute();
  return new Map(rows.map(({ kind, name, first_at }) => [`${kind} ${name}`, Number(first_at)]));
}

async function firstVisitOf({ reader }: Database, { id, organizationId }: Owner): Promise<number | null> {
  const row = await reader
    .selectFrom('alert_watches')
    .select('first_visit_at')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row === undefined || row.first_visit_at === null ? null : Number(row.first_visit_at);
}

/** How many days are kept whole: of the property, and of all of its organization, whose visits a quota may count together. */
async function keptOf(
  { reader }: Database,
  { id, organizationId }: Owner,
  limits: RetentionLimits,
): Promise<Known['kept'] & { readonly organization: number }> {
  const rows = await reader
    .selectFrom('properties')
    .select(['id', 'retention'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute();
  const rules = readRules(rows.find((row) => row.id === id)?.retention ?? null);
  // When visits were dropped over the quota is kept as long as figures of days.
  const daily = keptDays(limits, rules, 'daily');
  return {
    bots: keptDays(limits, rules, 'ai_visits'),
    engines: keptDays(limits, rules, 'referrals'),
    all: Math.min(keptWhole(limits, rules), daily),
    organization: Math.min(...rows.map((row) => keptWhole(limits, readRules(row.retention)))),
  };
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
