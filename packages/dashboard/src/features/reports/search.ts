/** What a report is asked for, as its address holds it. Every report takes the same filters, so that going from one to the next keeps them. */
import { type Period, type PeriodSearch, periodOf, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
const VERIFIED = ['true', 'false', 'unknown'] as const;
const ORDERS = ['asc', 'desc'] as const;

/** Filters that stay when another report is opened. */
export interface ReportFilters {
  bot?: string;
  vendor?: string;
  intent?: (typeof INTENTS)[number];
  verified?: (typeof VERIFIED)[number];
  /** Prefix of the path. */
  path?: string;
  host?: string;
  country?: string;
}

export type FilterName = keyof ReportFilters | 'page';

/** In a sentence. */
export const FILTER_WORDS: Readonly<Record<FilterName, string>> = {
  bot: 'bot',
  vendor: 'vendor',
  intent: 'intent',
  verified: 'identity',
  path: 'path',
  page: 'page',
  host: 'host',
  country: 'country',
};

export interface ReportSearch extends PeriodSearch, ReportFilters {
  /** Visits under a stolen name count as well. No filter: it narrows nothing. */
  include?: 'spoofed';
  /** One exact path. */
  page?: string;
  /** How the list is grouped, and what it is narrowed to, in the report's own words. */
  group?: string;
  prefix?: string;
  kind?: string;
  sort?: string;
  order?: (typeof ORDERS)[number];
  /** Page of the list; left out for the first. */
  n?: number;
}

/** A change of the address: an undefined value is taken out. */
export type ReportChange = { [K in keyof ReportSearch]?: ReportSearch[K] | undefined };

/** Pages that take these filters. */
export const REPORTS = [
  'overview',
  'bots',
  'pages',
  'failures',
  'trust',
  'share',
  'referrals',
  'collectors',
] as const;
export type ReportName = (typeof REPORTS)[number];

const MAX_PAGE = 100_000;
/** As the service stores and takes them. */
const LIMITS = { name: 128, host: 253, path: 4_096 } as const;

/** Reads untrusted search parameters: what isn't one of ours is left out. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const n = Number(search['n']);
  const country = textOf(search['country'])?.toUpperCase();
  const pathOf = (name: string) => {
    const text = textOf(search[name], LIMITS.path);
    return text?.startsWith('/') === true ? text : undefined;
  };
  return compact<ReportSearch>({
    ...readPeriod(search),
    bot: textOf(search['bot'], LIMITS.name),
    vendor: textOf(search['vendor'], LIMITS.name),
    intent: oneOf(INTENTS, search['intent']),
    verified: oneOf(VERIFIED, String(search['verified'])),
    include: oneOf(['spoofed'] as const, search['include']),
    path: pathOf('path'),
    page: pathOf('page'),
    prefix: pathOf('prefix'),
    host: textOf(search['host'], LIMITS.host),
    country: country !== undefined && /^[A-Z]{2}$/.test(country) ? country : undefined,
    group: textOf(search['group']),
    kind: textOf(search['kind']),
    sort: textOf(search['sort']),
    order: oneOf(ORDERS, search['order']),
    n: Number.isInteger(n) && n > 1 && n <= MAX_PAGE ? n : undefined,
  });
}

/** What another report is opened with: the period and the filters, not the list's order and page. */
export function carriedOver(search: ReportSearch): ReportSearch {
  const { days, from, to, bot, vendor, intent, verified, include, path, host, country } = search;
  return compact<ReportSearch>({
    ...{ days, from, to, bot, vendor, intent, verified, include, path, host, country },
  });
}

/** The parameters that every report is asked with. @param now epoch milliseconds @param timeZone in which it is today */
export function filterQuery(search: ReportSearch, now: number, timeZone = 'UTC'): Record<string, string> {
  const { from, to } = periodOf(search, now, timeZone);
  const { bot, vendor, intent, verified, include, path, page, host, country } = search;
  return compact<Record<string, string>>({
    from,
    to,
    bot,
    vendor,
    intent,
    verified,
    include,
    path,
    page,
    host,
    country,
  });
}

/** The parameters of a list on top of those. */
export function listQuery(search: ReportSearch): Record<string, string> {
  const { group, prefix, kind, sort, order, n } = search;
  return compact<Record<string, string>>({
    group,
    prefix,
    kind,
    sort,
    order,
    page_number: n === undefined ? undefined : String(n),
  });
}

export function isFiltered({
  bot,
  vendor,
  intent,
  verified,
  path,
  page,
  host,
  country,
}: ReportSearch): boolean {
  return [bot, vendor, intent, verified, path, page, host, country].some((value) => value !== undefined);
}

/** `the 30 days before`. */
export function previousName({ days }: Pick<Period, 'days'>): string {
  return days === 1 ? 'the day before' : `the ${days} days before`;
}
