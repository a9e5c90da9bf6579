/** The search parameters of reports. Every report takes the same filters, so that links between reports keep them. */
import { type PeriodSearch, periodIn, periodOf, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

const INTENTS = ['training', 'search', 'on_demand', 'other'] as const;
const VERIFIED = ['true', 'false', 'unknown'] as const;
const ORDERS = ['asc', 'desc'] as const;

/** Filters that links between reports keep. */
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

/** The names of filters within a sentence. */
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
  /** Spoofed visits count as well. Not a filter: it narrows nothing. */
  include?: 'spoofed';
  /** One exact path. */
  page?: string;
  /** Grouping and kind of the list; the values depend on the report. */
  group?: string;
  /** The bars of a chart; left out for what fits the period. */
  bars?: 'hours' | 'days';
  prefix?: string;
  kind?: string;
  sort?: string;
  order?: (typeof ORDERS)[number];
  /** Page of the list; left out for the first. */
  n?: number;
}

/** A change of the address: an undefined value removes the parameter. */
export type ReportChange = { [K in keyof ReportSearch]?: ReportSearch[K] | undefined };

/** Pages that take these filters. */
export const FILTERED_PAGES = [
  'overview',
  'bots',
  'pages',
  'failures',
  'trust',
  'share',
  'referrals',
  'collectors',
] as const;
export type FilteredPage = (typeof FILTERED_PAGES)[number];

const MAX_PAGE = 100_000;
/** Values as the API has them. */
const LIMITS = { name: 128, host: 253, path: 4_096 } as const;

/** Reads untrusted search parameters; anything unknown is left out. */
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
    bars: oneOf(['hours', 'days'] as const, search['bars']),
    kind: textOf(search['kind']),
    sort: textOf(search['sort']),
    order: oneOf(ORDERS, search['order']),
    n: Number.isInteger(n) && n > 1 && n <= MAX_PAGE ? n : undefined,
  });
}

/** The search parameters for another report: period and filters, without the list's order and page. */
export function carriedOver(search: ReportSearch): ReportSearch {
  const { bot, vendor, intent, verified, include, path, host, country } = search;
  return compact<ReportSearch>({
    ...periodIn(search),
    ...{ bot, vendor, intent, verified, include, path, host, country },
  });
}

/** The query parameters of every report. @param now epoch milliseconds @param timeZone of the property */
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

/** The additional query parameters of a list. */
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

const FILTERS = Object.keys(FILTER_WORDS) as FilterName[];

/** How many filters are set. @param held filters that do not count */
export const filtersSet = (search: ReportSearch, held: readonly FilterName[] = []): number =>
  FILTERS.filter((name) => !held.includes(name) && search[name] !== undefined).length;

/** @param held filters that do not count */
export const isFiltered = (search: ReportSearch, held: readonly FilterName[] = []): boolean =>
  filtersSet(search, held) > 0;

/** Without any filter. @param held filters that stay */
export const cleared = (held: readonly FilterName[] = []): ReportChange =>
  Object.fromEntries(FILTERS.filter((name) => !held.includes(name)).map((name) => [name, undefined]));
