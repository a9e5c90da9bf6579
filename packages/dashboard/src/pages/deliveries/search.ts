/** Filters of the Deliveries page, as its address holds them. Part of the first view: what is asked for them is in model/query.ts. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import { STATUS_FILTERS, type StatusFilter } from '../../features/deliveries/api.ts';
import { type PeriodSearch, readPeriod } from '../../format/period.ts';
import { compact, oneOf, textOf } from '../../format/search.ts';

const VIEWS = ['list', 'accuracy'] as const;

export interface DeliverySearch extends PeriodSearch {
  view?: (typeof VIEWS)[number];
  status?: StatusFilter;
  platform?: string;
  /** `dst_…`; in the report, the one that is drawn. */
  destination?: string;
  topic?: Topic;
  reason?: string;
  q?: string;
  /** The delivery whose way is shown. */
  open?: string;
}

/** A change of the address: an undefined value is taken out. */
export type DeliveryChange = { [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

/** Reads untrusted search parameters: what isn't a filter is left out. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return compact<DeliverySearch>({
    ...readPeriod(search),
    view: oneOf(VIEWS.slice(1), search['view']),
    status: oneOf(STATUS_FILTERS, search['status']),
    platform: textOf(search['platform']),
    destination: textOf(search['destination']),
    topic: oneOf(TOPICS, search['topic']),
    reason: textOf(search['reason']),
    q: textOf(search['q']),
    open: textOf(search['open']),
  });
}
