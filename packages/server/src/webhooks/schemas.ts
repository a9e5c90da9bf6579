/** The forms of the room's management API. */
import { ATTRIBUTION_MODEL, CREDIT_MODELS, LOOKBACK_DAYS, TOPICS } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import {
  comparedWith,
  MIN_COMPARED,
  namedPeriod,
  nameSchema,
  networkSchema,
  pageOf,
  pageQuery,
  periodSchema,
} from '../common/index.ts';
import { NOT_COMPARED } from './compared.ts';
import { MATCH_REASONS } from './matching.ts';
import { DIMENSIONS } from './report.ts';
import { CONSENT_DEFAULTS } from './settings.ts';
import { SHOP_NAMES } from './shops/platform.ts';
import { RATE_LIMIT } from './webhook-keys.ts';

const rateLimitSchema = z
  .number()
  .int('Enter a whole number.')
  .min(RATE_LIMIT.least, 'At least 1 request per minute.')
  .max(RATE_LIMIT.most, 'At most 100,000 requests per minute.')
  .openapi({ description: 'Requests per minute' });
const lookbackSchema = z
  .number()
  .int('Enter whole days.')
  .min(LOOKBACK_DAYS.least, 'At least 1 day.')
  .max(LOOKBACK_DAYS.most, 'At most 90 days.')
  .openapi({ description: 'Days from the click in which a conversion is attributed to it' });
const consentSchema = z.enum(CONSENT_DEFAULTS).openapi({
  description:
    'What an absent `consent` means. `by_region`: denied in the EEA, the UK and Switzerland, else unknown',
});

export const changesSchema = z
  .object({
    enabled: z.boolean().optional(),
    lookback_days: lookbackSchema.optional(),
    consent_default: consentSchema.optional(),
  })
  .openapi('WebhookChanges');
export const settingsSchema = z
  .object({
    enabled: z.boolean(),
    endpoint: z.url().openapi({ description: 'The endpoint; append / and the topic' }),
    lookback_days: lookbackSchema,
    consent_default: consentSchema,
  })
  .openapi('Webhooks');

export const newKeySchema = z
  .object({ name: nameSchema, rate_limit: rateLimitSchema.default(RATE_LIMIT.default) })
  .openapi('NewWebhookKey');
export const keyChangesSchema = z
  .object({ name: nameSchema.optional(), rate_limit: rateLimitSchema.optional() })
  .openapi('WebhookKeyChanges');
export const keySchema = z
  .object({
    id: z.uuid(),
    attribution_id: z.uuid(),
    name: z.string(),
    prefix: z.string().openapi({ description: 'The first 12 characters' }),
    rate_limit: rateLimitSchema,
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    last_used_from: networkSchema,
    revoked_at: z.iso.datetime().nullable(),
  })
  .openapi('WebhookKey');
export const issuedKeySchema = keySchema
  .extend({ key: z.string().openapi({ description: 'The full key; it is never shown again' }) })
  .openapi('IssuedWebhookKey');
export const keysSchema = z.object({ items: z.array(keySchema) }).openapi('WebhookKeys');

const findingSchema = z.object({ pointer: z.string(), message: z.string() });
const activityShape = {
  id: z.uuid(),
  at: z.iso.datetime(),
  status: z.enum(['success', 'auth_error', 'validation_error', 'rate_limited']),
  topic: z.string().openapi({ description: '`unknown` if the path names no known topic' }),
  session_matched: z.boolean(),
  match_reason: z.enum(MATCH_REASONS).nullable(),
  http_status: z.number().int(),
  conversion_id: z.string().nullable(),
  value: z.string().nullable().openapi({
    description: 'Decimal text, as recorded with the conversion that it created or repeated',
  }),
  currency: z.string().nullable(),
  key_prefix: z.string().nullable(),
  shop: z.enum(SHOP_NAMES).nullable().openapi({ description: 'The shop platform that delivered it' }),
  delivery: z
    .string()
    .nullable()
    .openapi({ description: 'Topic and id of its delivery, as the platform names them' }),
  error: z.string().nullable(),
  count: z.number().int().openapi({ description: 'Number of requests that the row represents' }),
};
export const activitySchema = z
  .object({ items: z.array(z.object(activityShape).openapi('WebhookRequest')) })
  .openapi('WebhookActivity');
export const requestSchema = z
  .object({
    ...activityShape,
    received: z.unknown().openapi({ description: 'Personal data masked; null where nothing was read' }),
    cut: z.boolean().openapi({ description: '`received` shows only the short members of a long body' }),
    duplicate: z.boolean(),
    warnings: z.array(findingSchema),
    errors: z.array(findingSchema),
    conversion: z.string().nullable().openapi({ description: 'The conversion that it created or repeated' }),
    explanation: z.string(),
  })
  .openapi('WebhookRequestDetail');

const textSchema = z.string().trim().min(1).max(255);
export const facetsSchema = z.object({
  topic: z.enum(TOPICS).optional(),
  matched: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  channel: textSchema.optional(),
  campaign: textSchema.optional(),
  source: textSchema.optional(),
  engine: textSchema.optional().openapi({
    description: 'An AI engine, such as `ChatGPT`, or the key of its maker, such as `openai`',
  }),
  q: textSchema
    .optional()
    .openapi({ description: 'The beginning of a conversion id, or an id or visitor id in full' }),
  landing_path: z.string().min(1).max(4_096).optional().openapi({
    description: 'A whole path: conversions matched with a visit that landed on this page',
  }),
  landing_host: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .openapi({ description: 'The host of that page; left out: any' }),
});
export const listQuerySchema = periodSchema.extend(facetsSchema.shape).extend({
  ...pageQuery.shape,
  format: z
    .enum(['json', 'csv', 'ndjson'])
    .default('json')
    .openapi({ description: 'csv, ndjson: all conversions of the period, without pages' }),
});

const conversionShape = {
  id: z.string(),
  conversion_id: z.string(),
  topic: z.enum(TOPICS),
  event_name: z.string().nullable(),
  at: z.iso.datetime(),
  received_at: z.iso.datetime(),
  value: z.string().nullable().openapi({ description: 'Decimal text' }),
  currency: z.string().nullable(),
  session_matched: z.boolean(),
  match_reason: z.enum(MATCH_REASONS),
  channel: z.string().nullable(),
  platform: z.string().nullable(),
  campaign: z.string().nullable(),
  source: z.string().nullable(),
  medium: z.string().nullable(),
  visitor_id: z.string().nullable(),
  refund_of: z.string().nullable().openapi({ description: 'The order of the refund' }),
  order: z.string().nullable().openapi({
    description:
      'The `id` of the conversion that counts: of the order of a refund, or of the same order as it was received before. null: it is no such conversion, or the order of the refund is not known (yet)',
  }),
};
const conversionSchema = z.object(conversionShape).openapi('Conversion');
export const conversionsSchema = pageOf(conversionSchema).openapi('Conversions');
const productSchema = z
  .object({
    id: z.string().nullish(),
    name: z.string().nullish(),
    quantity: z.union([z.number(), z.string()]).nullish(),
    price: z.union([z.number(), z.string()]).nullish().openapi({ description: 'Price per piece' }),
  })
  .loose();
const touchSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    channel: z.string(),
    platform: z.string().nullable(),
    paid: z.boolean(),
    source: z.string(),
    medium: z.string(),
    campaign: z.string(),
    landing: z.object({ host: z.string(), path: z.string() }),
    referrer_host: z.string(),
    click_ids: z.array(z.string()).openapi({ description: 'Names only' }),
    winner: z.boolean(),
  })
  .openapi('Touch');
export const conversionDetailSchema = z
  .object({
    ...conversionShape,
    tax: z.string().nullable(),
    shipping: z.string().nullable(),
    discount_code: z.string().nullable(),
    lead_type: z.string().nullable(),
    touches: z.array(touchSchema).openapi({ description: 'The journey, oldest first' }),
    products: z.array(productSchema).openapi({ description: 'As sent' }),
    consent: z.object({}).loose().nullable(),
    extra: z.object({}).loose(),
    personal: z.unknown().openapi({ description: 'Masked; null once it is deleted' }),
    linked_browser_event: z.boolean(),
    refunds: z.array(conversionSchema),
  })
  .openapi('ConversionDetail');

export const reportQuerySchema = periodSchema.extend(facetsSchema.shape).extend({
  ...namedPeriod.shape,
  ...comparedWith.shape,
  by: z.enum(DIMENSIONS).default('channel'),
  model: z.enum(CREDIT_MODELS).default(ATTRIBUTION_MODEL),
  interval: z.enum(['day', 'hour']).optional().openapi({
    description:
      'Adds `series`, by days in the property’s time zone. `hour` adds `hours` too, of a period of at most 7 days',
  }),
});
const ignoredSchema = z.array(z.string()).openapi({
  description: 'Names in the query that this report does not have, at most 20; they changed nothing',
});
const amountSchema = z.object({ currency: z.string(), value: z.string() }).openapi('Amount');
const amountsSchema = z.array(amountSchema);
const pointsSchema = z.array(
  z.object({ day: z.iso.date(), key: z.string(), conversions: z.string(), values: amountsSchema }),
);
const hoursSchema = z
  .object({
    from: z.iso.datetime().openapi({ description: 'The beginning of the first hour' }),
    until: z.iso.datetime().openapi({ description: 'The end of the last one' }),
    points: z.array(
      z.object({ at: z.iso.datetime(), key: z.string(), conversions: z.string(), values: amountsSchema }),
    ),
  })
  .nullable();
const datesSchema = z.object({ from: z.iso.date(), to: z.iso.date() });
const changeShape = {
  change: z
    .number()
    .nullable()
    .openapi({
      description: `Part of the figure before, both without a day that is not over. Null with fewer than ${MIN_COMPARED} conversions before, and beyond the hundred largest rows`,
    }),
  change_stands_out: z.boolean().nullable().openapi({
    description: 'Beyond what such days do by chance (quasi-Poisson, 95%). Null where nothing can be said',
  }),
};
const comparedRowShape = {
  conversions: z.string(),
  ...changeShape,
  values: z.array(amountSchema.extend(changeShape)),
};
const comparisonSchema = z
  .object({
    period: datesSchema.extend({
      days: z.number().int(),
      previous: datesSchema.nullable().openapi({
        description: 'The days compared with, as many as are compared; null: no day of the period is over',
      }),
    }),
    compared_until: z.iso.date().nullable().openapi({
      description:
        'The last day of the period that is compared: a day that is not over is left out. null: none is',
    }),
    not_compared: z.enum(NOT_COMPARED).nullable().openapi({
      description:
        'Why there are no figures of the days before: `not_over`: no day of the period is over; `no_earlier_data`: those days begin before `data_since`; `cut`: either period has more conversions than are read',
    }),
    data_since: z.iso.date().nullable().openapi({
      description:
        'The day of the property’s oldest conversion, or `kept_since` where that is later, whatever period and filters say',
    }),
    totals: z
      .object({ ...comparedRowShape, matched: z.string(), refunds: amountsSchema })
      .nullable()
      .openapi({ description: 'Of the days compared with; null: `not_compared`' }),
    rows: z
      .array(
        z.object({
          key: z.string(),
          gone: z.boolean().openapi({
            description:
              'Whether the period has nothing of it. False also where it may be among rows that are not counted one by one',
          }),
          ...comparedRowShape,
        }),
      )
      .nullable()
      .openapi({
        description:
          'The same for each row of those days, at most 1,000, most conversions first. Rows that the period does not have are among them',
      }),
    series: pointsSchema.nullable().openapi({
      description: 'From `period.previous.from` on: the first day belongs to the first of the period',
    }),
    hours: hoursSchema.openapi({ description: 'With `interval=hour`: the hours of the days compared with' }),
  })
  .openapi('AttributionComparison');
export const reportSchema = z
  .object({
    rows: z.array(
      z.object({
        key: z.string().openapi({ description: 'Empty: not matched, or without such a value' }),
        platform: z.string().nullable(),
        conversions: z.string().openapi({ description: 'Decimal text: models may share one conversion' }),
        values: amountsSchema.openapi({ description: 'Refunds subtracted' }),
        refunds: amountsSchema.openapi({
          description:
            'The subtracted amount: with `values`, it is what was paid. A refund in another currency than its order is not subtracted',
        }),
      }),
    ),
    series: pointsSchema,
    hours: hoursSchema.openapi({
      description:
        'With `interval=hour`: the hours that have begun, from the first moment of the period on. Hours and keys without a conversion are left out. null: not asked for, or the period has more than 7 days',
    }),
    totals: z.object({
      conversions: z.string(),
      matched: z.string(),
      values: amountsSchema,
      refunds: amountsSchema,
    }),
    engines: z
      .array(z.string())
      .openapi({ description: 'AI engines to which conversions of the period are attributed' }),
    cut: z.boolean().openapi({ description: 'Only the newest 250,000 conversions were read' }),
    comparison: comparisonSchema
      .nullable()
      .openapi({ description: 'With `compare` or `compare_from`; null: nothing was asked for' }),
    time_zone: z.string().openapi({ description: 'The time zone of the days in `series`' }),
    kept_since: z.iso.date().openapi({
      description:
        'The first day whose conversions the property still keeps, all of them; conversions of earlier days are deleted by the day of their arrival, so part of a day may be left',
    }),
    ignored_parameters: ignoredSchema,
  })
  .openapi('AttributionReport');
export const productsSchema = z
  .object({
    items: z.array(
      z.object({
        id: z.string().nullable(),
        name: z.string().nullable(),
        conversions: z.number().int().openapi({ description: 'Conversions that list it' }),
        quantity: z.string().openapi({ description: 'Decimal text' }),
        values: amountsSchema.openapi({
          description: 'Price by quantity, as sent; refunds and discounts of an order are not subtracted',
        }),
      }),
    ),
    totals: z.object({
      with_products: z.number().int().openapi({ description: 'Conversions that list products' }),
      conversions: z.number().int().openapi({ description: 'All of the filter, without refunds' }),
      products: z.number().int(),
    }),
    cut: z.boolean().openapi({
      description: 'Only the newest 50,000 conversions, 200,000 lines or 5,000 products were read',
    }),
    ignored_parameters: ignoredSchema,
  })
  .openapi('BoughtProducts');
