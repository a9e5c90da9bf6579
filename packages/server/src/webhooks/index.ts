/** Webhooks: conversions that a shop's server, a CRM or another platform posts; received, matched, kept and read back. */

export { closeWebhooks } from './forget.ts';
export type { Matching } from './matching.ts';
export { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks.ts';
