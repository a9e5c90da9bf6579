/** The forms of deliveries and of the accuracy report in the management API. */
import { TOPICS } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { pageOf, pageQuery, periodSchema } from '../common/index.ts';
import { PLATFORMS } from '../destinations/index.ts';
import { orNull, requestSchema, responseSchema } from './schemas.ts';
import { STATES } from './states.ts';

const time = z.iso.datetime();
const count = z.number().int();
const text = z.string().trim().min(1).max(255);

export const listQuerySchema = periodSchema.extend({
  status: z
    .enum([...STATES, 'waiting'])
    .optional()
    .openapi({ description: '`waiting`: pending, sending and retry, as the report counts them' }),
  platform: z.enum(PLATFORMS).optional(),
  destination: text.optional(),
  topic: z.enum(TOPICS).optional(),
  reason: text.optional().openapi({ description: 'Reason of a skip, or the platform’s code' }),
  q: text
    .optional()
    .openapi({ description: 'The beginning of a conversion id, or a `dlv_…` or `cnv_…` in full' }),
  ...pageQuery.shape,
  format: z
    .enum(['json', 'csv', 'ndjson'])
    .default('json')
    .openapi({ description: 'csv, ndjson: all deliveries of the period with these filters, without pages' }),
});

const deliveryShape = {
  id: z.string(),
  conversion: z.string().openapi({ description: 'Ours: `cnv_…`' }),
  conversion_id: z.string(),
  topic: z.enum(TOPICS),
  event_name: z.string().nullable(),
  platform: z.enum(PLATFORMS),
  platform_event: z.string().nullable(),
  destination: z.object({ id: z.string(), name: z.string(), deleted: z.boolean() }),
  status: z.enum(STATES),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  attempts: count,
  created_at: time,
  sent_at: time.nullable(),
  settled_at: time.nullable(),
  next_at: time.nullable(),
  value: z.string().nullable().openapi({ description: 'Decimal text' }),
  currency: z.string().nullable(),
  replayable: z.boolean(),
};
export const deliverySchema = z.object(deliveryShape).openapi('Delivery');
export const deliveriesSchema = pageOf(deliverySchema).openapi('Deliveries');
export const deliveryDetailSchema = z
  .object({
    ...deliveryShape,
    request: orNull(requestSchema),
    response: orNull(responseSchema),
    history: z
      .array(
        z.object({
          at: time,
          http_status: count.nullable(),
          ms: count.nullable(),
          verdict: z.string(),
          message: z.string().nullable(),
        }),
      )
      .openapi({ description: 'The newest 10 attempts' }),
    guarantee: z.enum(['dedup', 'at_most_once']).nullable(),
    explanation: z.string(),
    notes: z.array(z.string()),
  })
  .openapi('DeliveryDetail');

export const replaySchema = z
  .object({
    confirm_duplicate: z
      .boolean()
      .default(false)
      .openapi({ description: 'Needed where the platform may have the event already (`unknown`)' }),
  })
  .openapi('Replay');
export const bulkReplaySchema = periodSchema
  .extend({
    status: z.literal('dead', 'Only dead deliveries are replayed in bulk.'),
    platform: z.enum(PLATFORMS).optional(),
    destination: text.optional(),
    reason: text.optional(),
  })
  .openapi('BulkReplay');
export const bulkReplayAnswerSchema = z
  .object({
    replayed: count,
    expired: count.openapi({ description: 'Not sent again: the personal data that they need is deleted' }),
    remaining: count.openapi({ description: 'Beyond the limit of one call; call again' }),
  })
  .openapi('BulkReplayAnswer');

const sums = {
  destination: z.string(),
  platform: z.enum(PLATFORMS),
  created: count,
  delivered: count,
  accepted: count.openapi({ description: 'Accepted by the platform, not evaluated yet' }),
  waiting: count,
  dead: count,
  unknown: count,
  skipped: z.record(z.string(), count).openapi({ description: 'Counts by reason' }),
};
export const accuracySchema = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date(),
          received: count,
          refunds: count,
          matched: count,
          destinations: z.array(z.object(sums)),
        }),
      )
      .openapi({
        description:
          'By the day, in the property’s time zone, on which the conversion was received; oldest first',
      }),
    totals: z.object({
      received: count.openapi({ description: 'Each conversion once, and refunds' }),
      refunds: count.openapi({ description: 'Part of `received`' }),
      matched: count,
      destinations: z.array(
        z.object({
          ...sums,
          name: z.string(),
          deleted: z.boolean(),
          rate: z.string().nullable().openapi({
            description: 'Delivered, of those delivered, failed (dead) or unknown; decimal text',
          }),
        }),
      ),
    }),
    time_zone: z.string().openapi({ description: 'The time zone of the days' }),
  })
  .openapi('ForwardingReport');
