/** Webhooks: conversions that a shop's server, a CRM or another platform posts; received, matched, kept and read back. */

export type { ActivityStatus } from './activity.ts';
export type { ConversionRow, OnConversion } from './announce.ts';
export type { Matching } from './matching.ts';
export { isForgotten, type OpenedConversion, openConversion } from './opening.ts';
export { endPersonal, keepPersonal } from './personal-until.ts';
export { remainingOf } from './refunds.ts';
export { closeWebhooks } from './retention.ts';
export type { ConsentDefault } from './settings.ts';
export { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks.ts';
