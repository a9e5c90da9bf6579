/** Filters of the Conversions page, as its address holds them. Part of the first view: what is asked for them is in model/period.ts. */
import { CREDIT_MODELS, type CreditModel, TOPICS, type Topic } from '@ghostlight/core/conversion';
import { DIMENSIONS, type Dimension } from './types.ts';

export const PERIODS = [7, 30, 90] as const;
export type Days = (typeof PERIODS)[number];
export const DEFAULT_DAYS: Days = 30;
export const MEASURES = ['value', 'count'] as const;
export type Measure = (typeof MEASURES)[number];
const MATCHED = ['yes', 'no'] as const;

const MAX_TEXT = 200;

export interface ConversionSearch {
  /** The last so many UTC days; left out for 30. */
  days?: Days;
  /** UTC days, both inside the period; together they stand over `days`. */
  from?: string;
  to?: string;
  topic?: Topic;
  matched?: (typeof MATCHED)[number];
  channel?: string;
  campaign?: string;
  q?: string;
  by?: Dimension;
  model?: CreditModel;
  measure?: Measure;
  /** The one currency that the chart shows. */
  currency?: string;
  /** The conversion whose details are open. */
  open?: string;
}

/** A change of the address: an undefined value is taken out. */
export type SearchChange = { [K in keyof ConversionSearch]?: ConversionSearch[K] | undefined };

/** Reads untrusted search parameters: what isn't a filter is left out. */
export function readConversionSearch(search: Record<string, unknown>): ConversionSearch {
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return compact({
    days: PERIODS.find((days) => days !== DEFAULT_DAYS && days === Number(search['days'])),
    ...(from !== undefined && to !== undefined && from <= to ? { from, to } : {}),
    topic: oneOf(TOPICS, search['topic']),
    matched: oneOf(MATCHED, search['matched']),
    channel: textOf(search['channel']),
    campaign: textOf(search['campaign']),
    q: textOf(search['q']),
    by: oneOf(DIMENSIONS, search['by']),
    model: oneOf(CREDIT_MODELS, search['model']),
    measure: oneOf(MEASURES, search['measure']),
    currency: /^[A-Z]{3}$/.test(String(search['currency'])) ? String(search['currency']) : undefined,
    open: textOf(search['open']),
  });
}

/** Without what is undefined or empty, so that the address says only what was chosen. */
export function compact(search: SearchChange): ConversionSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as ConversionSearch;
}

function oneOf<T extends string>(names: readonly T[], value: unknown): T | undefined {
  return names.find((name) => name === value);
}

/** The router reads `q=404` as a number; it is text all the same. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, MAX_TEXT) : undefined;
}

function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const ms = Date.parse(value);
  // 31 February would be read as a day in March.
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(value) ? value : undefined;
}
