/** Raw rows in plain TypeScript, for the recount: which hits a report is about, grouped and added up. */
import type { StoredHit } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { standsOut } from '../../common/index.ts';
import type { FactsFilter } from '../../warehouse/index.ts';

/** Decided by hand for the paths that the recount draws: what the service's rule says of others is for the rule's own tests. */
export const FILES: readonly string[] = ['/img/x.PNG', '/robots.txt', '/blog/feed/', '/paper.pdf'];
/** Numbers of requests say it themselves. */
export const isFile = (hit: Pick<StoredHit, 'path'> & { readonly asset?: boolean }): boolean =>
  hit.asset ?? FILES.includes(hit.path);

export type Kind = 'page' | 'file' | 'all';
export const wasRead = ({ status }: StoredHit): boolean =>
  status === 0 || (status >= 200 && status < 300) || status === 304;
/** Distinct paths of a kind that were read. */
export const readOf = (hits: readonly StoredHit[], kind: 'page' | 'file'): number =>
  distinct(hits.filter((hit) => wasRead(hit) && isFile(hit) === (kind === 'file')).map(pageOf)).length;
export const readCounts = (hits: readonly StoredHit[]) => ({
  pages: readOf(hits, 'page'),
  files: readOf(hits, 'file'),
});
/** What the row of a path is called. */
export const rowKind = (now: readonly StoredHit[]): 'page' | 'file' | 'unread' =>
  !now.some(wasRead) ? 'unread' : now.some(isFile) ? 'file' : 'page';

/** The hits of paths (or whatever a row is) that were read in their own period, and are of the kind. */
export function ofKind(
  chosen: ReturnType<typeof select>,
  kind: Kind,
  /** All visits that may have read what spoofed ones asked for. */
  everyone: readonly StoredHit[],
  row: (hit: StoredHit) => string = pageOf,
): ReturnType<typeof select> {
  if (kind === 'all') return chosen;
  const readRows = (hits: readonly StoredHit[]) => new Set(hits.filter(wasRead).map(row));
  const [now, before, any] = [readRows(chosen.now), readRows(chosen.before), readRows(everyone)];
  const isOf = (hit: StoredHit) => isFile(hit) === (kind === 'file');
  return {
    now: chosen.now.filter((hit) => isOf(hit) && now.has(row(hit))),
    before: chosen.before.filter((hit) => isOf(hit) && before.has(row(hit))),
    fakes: chosen.fakes.filter((hit) => isOf(hit) && any.has(row(hit))),
  };
}

export interface Recounted {
  /** Days from 1970, both inside. */
  readonly from: number;
  readonly to: number;
  readonly compare: boolean;
  readonly filter: FactsFilter;
  /** Whose days they are; IANA name. */
  readonly zone: string;
  /** Spoofed visits count as well. Asking for them by a filter is asking for them. */
  readonly include?: 'spoofed' | undefined;
  /** Which is not over, and so not compared. */
  readonly today: number;
  /** The property's first day with a hit; null: there is none. */
  readonly since: number | null;
}

/** How many days of the period are compared, from its first on. */
const comparedDays = ({ compare, from, to, today }: Recounted): number =>
  compare ? Math.max(0, Math.min(to, today - 1) - from + 1) : 0;
/** Whether anything is: what the property had no data for is not known. */
export const compares = (asked: Recounted): boolean =>
  comparedDays(asked) > 0 && asked.since !== null && asked.since <= asked.from - (asked.to - asked.from + 1);

const known = new Map<string, number>();
/** By the runtime's calendar, not by ours. */
export function dayAt(zone: string, at: number): number {
  const key = `${zone} ${at}`;
  const day =
    known.get(key) ??
    Date.parse(Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString()) /
      DAY_MS;
  known.set(key, day);
  return day;
}
export const dayOf = (hit: StoredHit, { zone }: Pick<Recounted, 'zone'>): number => dayAt(zone, hit.at);
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
export const ratio = (value: number): number => Math.round(value * 1e7) / 1e7;
/** Not rounded: what ratios are made of. */
export const total = (
  hits: readonly StoredHit[],
  of: (hit: StoredHit) => number = ({ weight }) => weight,
): number => hits.reduce((all, hit) => all + of(hit), 0);
export const sum = (hits: readonly StoredHit[], of?: (hit: StoredHit) => number): number =>
  round(total(hits, of));
export const moment = (at: number | undefined): string | null =>
  at === undefined || !Number.isFinite(at) ? null : new Date(at).toISOString();
export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
export const pageOf = ({ host, path }: StoredHit): string => `${host}${path}`;
/** Whether a difference stands out is a matter of its days alone: `comparison.test.ts` tests that. */
export function change(asked: Recounted, now: readonly StoredHit[], before: readonly StoredHit[]) {
  const { from, to } = asked;
  const first = from - (to - from + 1);
  const nothing = { change: null, change_stands_out: null };
  if (!compares(asked)) return nothing;
  const byDay = (hits: readonly StoredHit[], start: number) =>
    Array.from({ length: comparedDays(asked) }, (_, index) =>
      total(hits.filter((hit) => dayOf(hit, asked) === start + index)),
    );
  const [after, base] = [total(comparedOf(asked, now)), total(before)];
  if (base < 20) return nothing;
  return {
    change: ratio((after - base) / base),
    change_stands_out: standsOut({ now: byDay(now, from), before: byDay(before, first) }),
  };
}

const comparedOf = (asked: Recounted, hits: readonly StoredHit[]) =>
  hits.filter((hit) => dayOf(hit, asked) < asked.from + comparedDays(asked));
/** What of the period is compared. */
export const comparedWith = (asked: Recounted, now: readonly StoredHit[]): number =>
  sum(comparedOf(asked, now));

export const isRedirect = ({ status }: StoredHit) => status >= 300 && status < 400 && status !== 304;
export const isClientError = ({ status }: StoredHit) => status >= 400 && status < 500;
export const isServerError = ({ status }: StoredHit) => status >= 500 && status < 600;
export const isError = (hit: StoredHit) => isClientError(hit) || isServerError(hit);

/** Hits that stand for more than themselves. */
const sampled = (hits: readonly StoredHit[]) => hits.filter(({ sample_rate: rate }) => rate > 0 && rate < 1);
export const estimatedSum = (hits: readonly StoredHit[]): number => sum(sampled(hits));
/** The part of each figure that comes from samples, if there is one. */
export const estimates = (of: Readonly<Record<string, readonly StoredHit[]>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(of).flatMap(([name, hits]) =>
      sampled(hits).length > 0 ? [[name, estimatedSum(hits)]] : [],
    ),
  );

/** @param fakes the spoofed ones, whether or not they are among the hits  @param more of figures beside these */
export function figures(
  hits: readonly StoredHit[],
  fakes: readonly StoredHit[] = [],
  more: Readonly<Record<string, readonly StoredHit[]>> = {},
) {
  const of = (condition: (hit: StoredHit) => boolean) => sum(hits.filter(condition));
  return {
    hits: sum(hits),
    estimated: of(({ sample_rate: rate }) => rate > 0 && rate < 1),
    verified: of(({ verified }) => verified === true),
    spoofed: sum(fakes),
    unknown: of(({ verified }) => verified === null),
    bytes: sum(hits, ({ bytes, weight }) => bytes * weight),
    ok: of(({ status }) => (status >= 200 && status < 300) || status === 304),
    redirects: of(isRedirect),
    client_errors: of(isClientError),
    server_errors: of(isServerError),
    estimates: estimates({
      verified: hits.filter(({ verified }) => verified === true),
      spoofed: fakes,
      unknown: hits.filter(({ verified }) => verified === null),
      ok: hits.filter(({ status }) => (status >= 200 && status < 300) || status === 304),
      redirects: hits.filter(isRedirect),
      client_errors: hits.filter(isClientError),
      server_errors: hits.filter(isServerError),
      ...more,
    }),
    first_seen: moment(hits.length === 0 ? undefined : Math.min(...hits.map(({ at }) => at))),
    last_seen: moment(hits.length === 0 ? undefined : Math.max(...hits.map(({ at }) => at))),
  };
}

const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
const intentOf = ({ intent }: StoredHit): (typeof INTENTS)[number] => (intent === '' ? 'other' : intent);
export const hitsByIntent = (hits: readonly StoredHit[]): Record<string, StoredHit[]> =>
  Object.fromEntries(INTENTS.map((name) => [name, hits.filter((hit) => intentOf(hit) === name)]));
export const intents = (hits: readonly StoredHit[]) =>
  Object.fromEntries(INTENTS.map((name) => [name, sum(hits.filter((hit) => intentOf(hit) === name))]));

/** The hits that a report is about, in its period and the one before. */
export function select(hits: readonly StoredHit[], asked: Recounted, classes: readonly string[]) {
  const { filter, from, to } = asked;
  const onlyBots = classes.every((name) => name === 'ai_bot');
  const passing = hits.filter(
    (hit) =>
      classes.includes(hit.class) &&
      (filter.path === undefined || hit.path.startsWith(filter.path)) &&
      (filter.page === undefined || hit.path === filter.page) &&
      (filter.host === undefined || hit.host === filter.host.toLowerCase()) &&
      (filter.country === undefined || hit.country === filter.country) &&
      (!onlyBots || isMeant(hit, filter)),
  );
  const length = to - from + 1;
  const within = passing.filter((hit) => dayOf(hit, asked) >= from && dayOf(hit, asked) <= to);
  const first = from - length;
  const earlier = passing.filter(
    (hit) => dayOf(hit, asked) >= first && dayOf(hit, asked) < first + comparedDays(asked),
  );
  return {
    now: within.filter((hit) => isCounted(hit, asked)),
    before: earlier.filter((hit) => isCounted(hit, asked)),
    /** Of the period, whether or not they are counted. */
    fakes: within.filter(({ verified }) => verified === false),
  };
}

/** Whether a hit is of the population. */
export const isCounted = ({ verified }: StoredHit, { include, filter }: Recounted): boolean =>
  verified !== false || include === 'spoofed' || filter.verified === 'false';

export function isMeant(hit: StoredHit, { bot, vendor, intent, verified }: FactsFilter): boolean {
  return (
    (bot === undefined || hit.bot_name.toLowerCase() === bot.toLowerCase()) &&
    (vendor === undefined || hit.vendor.toLowerCase() === vendor.toLowerCase()) &&
    (intent === undefined || hit.intent === intent) &&
    (verified === undefined || String(hit.verified ?? 'unknown') === verified)
  );
}

/** Current and previous groups by a key; groups without a current part are kept on request. */
export function grouped(
  { now, before, fakes }: ReturnType<typeof select>,
  key: (hit: StoredHit) => readonly string[],
  keepGone = false,
) {
  const names = new Map<string, readonly string[]>();
  for (const hit of keepGone ? [...now, ...before] : now) names.set(JSON.stringify(key(hit)), key(hit));
  const of = (hits: readonly StoredHit[], name: string) =>
    hits.filter((hit) => JSON.stringify(key(hit)) === name);
  return [...names].map(([name, values]) => ({
    values,
    now: of(now, name),
    before: of(before, name),
    fakes: of(fakes, name),
  }));
}

export const compared = (asked: Recounted, now: readonly StoredHit[], before: readonly StoredHit[]) => ({
  previous: compares(asked) ? { hits: sum(before), compared_with: comparedWith(asked, now) } : null,
  ...change(asked, now, before),
});

export const days = ({ from, to }: Recounted): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
