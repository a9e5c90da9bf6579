/** Names of what the service answers, each taken from its OpenAPI document. */
import type { TrackingDomain, WebhookRequest, WebhookRequestDetail, Webhooks } from '../../api/schema.gen.ts';

export type {
  TrackingDomain,
  WebhookChanges as SettingsChange,
  WebhookKey,
  WebhookRequest as ActivityItem,
  WebhookRequestDetail as ActivityDetail,
  Webhooks as WebhookSettings,
} from '../../api/schema.gen.ts';

export type ConsentDefault = Webhooks['consent_default'];
export type Finding = WebhookRequestDetail['errors'][number];
export type ActivityStatus = WebhookRequest['status'];
export type DomainState = TrackingDomain['state'];
