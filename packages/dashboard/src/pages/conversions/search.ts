/** Filters of the Conversions page, as its address holds them. Part of the first view: what is asked for them is in model/period.ts. */
import { CREDIT_MODELS, type CreditModel, TOPICS, type Topic } from '@ghostlight/core/conversion';
import { DIMENSIONS, type Dimension } from '../../features/conversions/api.ts';
import { type PeriodSearch, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

export const MEASURES = ['value', 'count'] as const;
export type Measure = (typeof MEASURES)[number];
const MATCHED = ['yes', 'no'] as const;

export interface ConversionSearch extends PeriodSearch {
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
  return compact<ConversionSearch>({
    ...readPeriod(search),
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
