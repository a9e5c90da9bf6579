/** Filters of the Conversions page: in its address, and as queries to the service. The first view loads this file. */
import { CREDIT_MODELS, type CreditModel, TOPICS, type Topic } from '@ghostlight/core/conversion';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Dimension } from '../../features/conversions/api.ts';
import { type Period, type PeriodSearch, periodQuery, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

export const DIMENSIONS = ['channel', 'campaign', 'source'] as const satisfies readonly Dimension[];

const MEASURES = ['value', 'count'] as const;
type Measure = (typeof MEASURES)[number];
const MATCHED = ['yes', 'no'] as const;
/** As on the reports of visits, whose links keep it. */
const BARS = ['hours', 'days'] as const;

export interface ConversionSearch extends PeriodSearch {
  topic?: Topic;
  matched?: (typeof MATCHED)[number];
  channel?: string;
  campaign?: string;
  source?: string;
  /** An AI engine by name, or the key of its maker. */
  engine?: string;
  q?: string;
  /** The page that a matched visit landed on; set by links alone. */
  landing_path?: string;
  landing_host?: string;
  by?: Dimension;
  model?: CreditModel;
  measure?: Measure;
  bars?: (typeof BARS)[number];
  /** The currency of the chart. */
  currency?: string;
  /** The conversion whose details are open. */
  open?: string;
}

/** A change of the address: an undefined value removes the parameter. */
export type SearchChange = { [K in keyof ConversionSearch]?: ConversionSearch[K] | undefined };

/** Reads untrusted search parameters; anything else is left out. */
export function readConversionSearch(search: Record<string, unknown>): ConversionSearch {
  return compact<ConversionSearch>({
    ...readPeriod(search),
    topic: oneOf(TOPICS, search['topic']),
    matched: oneOf(MATCHED, search['matched']),
    channel: textOf(search['channel']),
    campaign: textOf(search['campaign']),
    source: textOf(search['source']),
    engine: textOf(search['engine']),
    q: textOf(search['q']),
    landing_path: textOf(search['landing_path'], 4_096),
    landing_host: textOf(search['landing_host'], 253),
    by: oneOf(DIMENSIONS, search['by']),
    model: oneOf(CREDIT_MODELS, search['model']),
    measure: oneOf(MEASURES, search['measure']),
    bars: oneOf(BARS, search['bars']),
    currency: /^[A-Z]{3}$/.test(String(search['currency'])) ? String(search['currency']) : undefined,
    open: textOf(search['open']),
  });
}

/** The filters of the list; "Clear" removes them. */
export const LIST_FILTERS = [
  ...(['topic', 'matched', 'channel', 'campaign', 'source', 'engine', 'q'] as const),
  ...(['landing_path', 'landing_host'] as const),
] as const;

/** How many filters are set. A landing page has a host and a path. */
export function filtersSet(search: ConversionSearch): number {
  return LIST_FILTERS.filter((name) => name !== 'landing_host' && search[name] !== undefined).length;
}

export function isFiltered(search: ConversionSearch): boolean {
  return LIST_FILTERS.some((name) => search[name] !== undefined);
}

/** The query of the list, for the same period as the report. */
export function listQuery(search: ConversionSearch, period: Period): Record<string, string> {
  const { topic, matched, channel, campaign, source, engine, q, landing_path, landing_host } = search;
  return Object.fromEntries(
    Object.entries({
      ...periodQuery(period),
      topic,
      matched: matched === undefined ? undefined : String(matched === 'yes'),
      channel,
      campaign,
      source,
      engine,
      q: q?.trim(),
      landing_path,
      landing_host,
    }).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''),
  );
}

/** The list's place in the page. */
export const LIST_ID = 'conversion-list';

/**
 * The address of the conversions that a figure of the page counts. null: the list can't select them, since its channels are those of the last
 * click and the figure is credit by another model.
 */
export function behindCount(
  { open: _, ...search }: ConversionSearch,
  narrow: SearchChange,
  isCredit: boolean,
): ConversionSearch | null {
  if (isCredit && (search.model ?? 'last_click') !== 'last_click') return null;
  return compact<ConversionSearch>({ ...search, ...narrow });
}

/** The filters of the address, and a function to change them. An undefined value removes one. */
export function useSearchFilters(): [ConversionSearch, (change: SearchChange) => void] {
  // The router adds what the address has besides, as it is there: it is left out again.
  const search = readConversionSearch({ ...useSearch({ from: '/signed-in/p/$propertyId/conversions' }) });
  const navigate = useNavigate({ from: '/p/$propertyId/conversions' });
  return [
    search,
    (change) =>
      void navigate({
        to: '.',
        search: compact<ConversionSearch>({ ...search, ...change }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
