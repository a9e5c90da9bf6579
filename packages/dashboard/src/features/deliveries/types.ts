/** Names of what the service answers, each taken from its OpenAPI document. */
import type { Answer } from '../../api/client.ts';
import type { Delivery, DeliveryDetail, ForwardingReport } from '../../api/schema.gen.ts';

export type {
  BulkReplay,
  BulkReplayAnswer as BulkReplayed,
  Delivery,
  DeliveryDetail,
  ForwardingReport,
} from '../../api/schema.gen.ts';

export type Status = Delivery['status'];
const STATUSES = [
  'pending',
  'sending',
  'retry',
  'accepted_async',
  'delivered',
  'skipped',
  'unknown',
  'dead',
] as const satisfies readonly Status[];

/** What a list may be asked for: the states, and all at once that are on their way. */
export const STATUS_FILTERS = ['waiting', ...STATUSES] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

export type DeliveryPage = Answer<'GET /api/v1/properties/{id}/deliveries'>;
export type Attempt = DeliveryDetail['history'][number];
/** Of the property's day on which the conversions were received. */
export type ReportDay = Omit<ForwardingReport['days'][number], 'refunds'>;
/** Deliveries of one destination, over a day or the period. */
export type DestinationCounts = ReportDay['destinations'][number];
export type Counts = Omit<DestinationCounts, 'destination' | 'platform'>;
export type DestinationTotals = ForwardingReport['totals']['destinations'][number];
