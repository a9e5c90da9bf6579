/** The forms of the room's management API. */
import { LOOKBACK_DAYS } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { CONSENT_DEFAULTS } from './settings.ts';
import { RATE_LIMIT } from './webhook-keys.ts';

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Give a name of 1 to 100 characters.')
  .max(100, 'At most 100 characters.');
const rateLimitSchema = z
  .number()
  .int('Give a whole number.')
  .min(RATE_LIMIT.least, 'At least 1 request per minute.')
  .max(RATE_LIMIT.most, 'At most 100,000 requests per minute.')
  .openapi({ description: 'Requests per minute' });
const lookbackSchema = z
  .number()
  .int('Give whole days.')
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
    endpoint: z.url().openapi({ description: 'Where conversions are posted, followed by / and the topic' }),
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
    revoked_at: z.iso.datetime().nullable(),
  })
  .openapi('WebhookKey');
export const issuedKeySchema = keySchema
  .extend({ key: z.string().openapi({ description: 'The full key; it is never shown again' }) })
  .openapi('IssuedWebhookKey');
export const keysSchema = z.object({ items: z.array(keySchema) }).openapi('WebhookKeys');
