/** The room's rows as the management API shows them. */
import type { Settings } from './settings.ts';
import type { WebhookKeyView } from './webhook-keys.ts';

export const time = (at: number): string => new Date(at).toISOString();
export const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));

export function settingsView({ enabled, lookbackDays, consentDefault }: Settings, endpoint: string) {
  return { enabled, endpoint, lookback_days: lookbackDays, consent_default: consentDefault };
}

export function keyView(key: WebhookKeyView) {
  return {
    id: key.id,
    attribution_id: key.attributionId,
    name: key.name,
    prefix: key.prefix,
    rate_limit: key.rateLimit,
    created_at: time(key.createdAt),
    last_used_at: timeOrNull(key.lastUsedAt),
    revoked_at: timeOrNull(key.revokedAt),
  };
}
