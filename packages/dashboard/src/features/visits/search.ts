/** The address of the visits explorer. Its filters have the names of the API, so that any link can name any of them. */
import { DAY_MS } from '@ghostlight/core/time';
import { type PeriodSearch, periodIn, periodOf, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';
import type { ReportSearch } from '../reports/search.ts';

/** Filters in the order of their menu. */
export const VISIT_FILTERS = [
  'bot',
  'vendor',
  'class',
  'verdict',
  'verdict_reason',
  'verified_by',
  'intent',
  'path_contains',
  'path',
  'page',
  'kind',
  'host',
  'status',
  'country',
  'asn',
  'source',
  'version',
  'engine',
  'referral_signal',
  'user_agent',
  'other_bot',
] as const;
export type VisitFilterName = (typeof VISIT_FILTERS)[number];
export type VisitFilters = { [Name in VisitFilterName]?: string };

export interface VisitSearch extends PeriodSearch, VisitFilters {
  /** A part of the period: moments as ISO 8601 in UTC, `until` not included. */
  since?: string;
  until?: string;
  order?: 'asc';
  /** The place at which the shown page begins or ends. */
  after?: string;
  before?: string;
  /** The place of the open visit. */
  open?: string;
}

/** A change of the address: an undefined value removes the parameter. */
export type VisitChange = { [K in keyof VisitSearch]?: VisitSearch[K] | undefined };

const LIMITS: Readonly<Partial<Record<VisitFilterName, number>>> = {
  path: 4_096,
  page: 4_096,
  path_contains: 256,
  user_agent: 256,
  host: 253,
};
const PLACE = /^\d{1,15}\.[0-9a-f-]{36}$/;

/** Reads untrusted search parameters; anything else is left out. */
export function readVisitSearch(search: Record<string, unknown>): VisitSearch {
  const filters = Object.fromEntries(
    // The router reads `true` as a truth value; here it is text.
    VISIT_FILTERS.map((name) => [
      name,
      textOf(typeof search[name] === 'boolean' ? String(search[name]) : search[name], LIMITS[name] ?? 128),
    ]),
  ) as { [Name in VisitFilterName]?: string | undefined };
  const { asn, kind, other_bot: sampleOf, referral_signal: signal } = filters;
  const like = (value: unknown, form: RegExp) =>
    typeof value === 'string' && form.test(value) ? value : undefined;
  const [since, until] = [momentOf(search['since']), momentOf(search['until'])];
  const isSpan = since === undefined || until === undefined || since < until;
  return compact<VisitSearch>({
    ...readPeriod(search),
    ...filters,
    // The service refuses any other.
    asn: like(asn, /^(?:0|[1-9]\d{0,9})$/),
    referral_signal: oneOf(['referrer', 'app', 'utm_source'] as const, signal),
    kind: oneOf(['page', 'file'] as const, kind),
    other_bot: oneOf(['true', 'false'] as const, sampleOf),
    ...(isSpan ? { since, until } : {}),
    order: oneOf(['asc'] as const, search['order']),
    after: like(search['after'], PLACE),
    before: like(search['before'], PLACE),
    open: like(search['open'], PLACE),
  });
}

/** As the service writes moments; others are rewritten. */
function momentOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? new Date(ms).toISOString() : undefined;
}

/** Period and filters as the service takes them. @param now epoch milliseconds @param timeZone of the property */
export function visitQuery(search: VisitSearch, now: number, timeZone = 'UTC'): Record<string, string> {
  const { from, to } = periodOf(search, now, timeZone);
  const { since, until } = search;
  const filters = Object.fromEntries(VISIT_FILTERS.map((name) => [name, search[name]]));
  return compact<Record<string, string>>({ from, to, since, until, ...filters });
}

/** The place of a visit in the order of time, as the service writes it. */
export const placeOf = ({ at, id }: { readonly at: string; readonly id: string }): string =>
  `${Date.parse(at)}.${id}`;

/** The query of the one visit at a place. */
export function visitAt(place: string): Record<string, string> {
  const ms = Number(place.split('.')[0]);
  return {
    // Whatever the zone, that day is not after the visit's.
    from: new Date(ms - DAY_MS).toISOString().slice(0, 10),
    since: new Date(ms).toISOString(),
    until: new Date(ms + 1).toISOString(),
    class: 'ai_bot,ai_referral,search_engine,sample,test',
    limit: '200',
  };
}

/** What only a page of the list is asked for. */
export function pageQuery({ order, after, before }: VisitSearch): Record<string, string> {
  return compact<Record<string, string>>({ order, after, before });
}

export const isNarrowed = (search: VisitSearch): boolean =>
  VISIT_FILTERS.some((name) => search[name] !== undefined) ||
  search.since !== undefined ||
  search.until !== undefined;

const VERDICT_OF = { true: 'verified', false: 'spoofed', unknown: 'unknown' } as const;

/**
 * The explorer's address for what a report counts: its period and filters. Reports count verified and unknown visits of bots, unless
 * the spoofed ones are included.
 */
export function visitsBehind(report: ReportSearch, narrow: VisitChange = {}): VisitSearch {
  const { bot, vendor, intent, verified, include, path, page, host, country } = report;
  const counted = include === 'spoofed' ? undefined : 'verified,unknown';
  const isOfBots = (narrow.class ?? 'ai_bot') === 'ai_bot';
  return compact<VisitSearch>({
    ...periodIn(report),
    ...{ path, page, host, country },
    class: 'ai_bot',
    ...(isOfBots
      ? { bot, vendor, intent, verdict: verified === undefined ? counted : VERDICT_OF[verified] }
      : {}),
    ...narrow,
  });
}
