/** Names of what the service answers, each taken from its OpenAPI document. */
import type { Answer } from '../../api/client.ts';
import type { AttributionReport, ConversionDetail } from '../../api/schema.gen.ts';

export type {
  AttributionReport as Report,
  Conversion,
  ConversionDetail,
  Touch,
} from '../../api/schema.gen.ts';

export const DIMENSIONS = ['channel', 'campaign', 'source'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export type Product = ConversionDetail['products'][number];
export type ConversionPage = Answer<'GET /api/v1/properties/{id}/conversions'>;
export type ReportRow = AttributionReport['rows'][number];
/** Days and keys without a conversion are left out. */
export type SeriesPoint = AttributionReport['series'][number];
