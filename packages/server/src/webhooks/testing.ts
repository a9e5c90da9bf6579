/** The room over a real database, with sessions that a test writes down itself. */
import type { Touch } from '@ghostlight/core';
import { retentionLimits } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { createWebhooks, type Matching, type Webhooks, type WebhooksOptions } from './index.ts';

const SECRET = 'a secret of at least thirty-two characters';
const SKEW_MS = 5 * 60_000;

/** Touches by visitor; a visitor without any is known nevertheless. */
export interface TestSessions extends Matching {
  visit(visitorId: string, ...touches: readonly Partial<Touch>[]): void;
}

export function testSessions(): TestSessions {
  const visitors = new Map<string, Touch[]>();
  return {
    visit(visitorId, ...touches) {
      const before = visitors.get(visitorId) ?? [];
      visitors.set(visitorId, [
        ...before,
        ...touches.map((touch, n) => testTouch({ id: `${visitorId}-${before.length + n}`, ...touch })),
      ]);
    },
    async touchesOf(_db, _attributionId, visitorId, at, lookbackMs) {
      const touches = visitors.get(visitorId);
      return {
        known: touches !== undefined,
        elsewhen: (touches ?? []).length > 0,
        touches: (touches ?? []).filter((touch) => touch.at >= at - lookbackMs && touch.at <= at + SKEW_MS),
      };
    },
  };
}

function testTouch(touch: Partial<Touch>): Touch {
  return {
    id: 'touch',
    at: 0,
    sessionId: 'session',
    landing: { host: 'shop.example', path: '/' },
    referrerHost: '',
    utm: {},
    clickIds: { gclid: 'Abc' },
    browserIds: {},
    channel: 'paid_search',
    platform: 'google',
    paid: true,
    source: 'google',
    medium: 'cpc',
    campaign: 'autumn',
    conflict: false,
    ...touch,
  };
}

export function testWebhooks(
  database: Database,
  options: Pick<WebhooksOptions, 'clock' | 'log'> & Partial<WebhooksOptions>,
): Webhooks {
  return createWebhooks({
    database,
    cipher: createSecretCipher(SECRET),
    matching: testSessions(),
    engineOf: (source) => (source === 'chatgpt.com' ? { product: 'ChatGPT', maker: 'openai' } : null),
    retention: retentionLimits({ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 }),
    rotating: false,
    erase: async () => undefined,
    ...options,
  });
}

/** A request as the endpoint hands it on. */
export function testRequest(
  attributionId: string,
  topic: string,
  key: string | null,
  body: unknown,
  more: { readonly idempotencyKey?: string } = {},
): Parameters<Webhooks['receive']>[0] {
  return {
    attributionId,
    topic,
    boundTo: null,
    authorization: key === null ? undefined : `Bearer ${key}`,
    idempotencyKey: more.idempotencyKey,
    ip: '198.51.100.7',
    readBody: async () => body,
  };
}
