/** The room: who may post conversions, what became of what was posted. */
import type { Database } from '../database/index.ts';
import type { Clock, Log } from '../kit/index.ts';
import { createRateLimits, type RateLimits } from './rate-limit.ts';
import { createSettings, type SettingsStore } from './settings.ts';
import { createWebhookKeys, type WebhookKeys } from './webhook-keys.ts';

export interface WebhooksOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Webhooks {
  readonly settings: SettingsStore;
  readonly keys: WebhookKeys;
  readonly limits: RateLimits;
  close(): Promise<void>;
}

export function createWebhooks({ database, clock, log }: WebhooksOptions): Webhooks {
  const settings = createSettings(database, { clock });
  const keys = createWebhookKeys(database, { clock, log });
  const limits = createRateLimits(database, { clock: database.dialect === 'sqlite' ? clock : null });

  return {
    settings,
    keys,
    limits,
    close: () => keys.close(),
  };
}
