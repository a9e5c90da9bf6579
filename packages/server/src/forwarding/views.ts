/** The room's rows as the management API shows them. No encrypted column is among them. */
import type { Topic } from '@ghostlight/core';
import type { EventMapping, Guarantee, Platform } from '../destinations/index.ts';
import type { Accuracy, Sums } from './accuracy.ts';
import type { DeliveryView } from './deliveries.ts';
import type { ShownDestination } from './destinations.ts';
import { explanationOf } from './explanation.ts';
import type { Health } from './health.ts';
import type { ShownRequest, ShownResponse } from './masking.ts';
import { obstacle } from './replayable.ts';
import type { TestSend } from './test-send.ts';

const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));

interface Alarm {
  readonly kind: 'auth' | 'config';
  readonly code: string;
  readonly message: string;
  /** Epoch ms. */
  readonly at: number;
}

export function destinationView({ row, credentials }: ShownDestination, health: Health) {
  const alarm = row.alarm === null ? null : (JSON.parse(row.alarm) as Alarm);
  return {
    id: row.id,
    platform: row.platform as Platform,
    name: row.name,
    state: alarm !== null ? ('alarm' as const) : row.paused === 1 ? ('paused' as const) : ('active' as const),
    alarm: alarm === null ? null : { ...alarm, at: time(alarm.at) },
    config: JSON.parse(row.config) as Record<string, unknown>,
    credentials: { set: [...credentials], changed_at: time(row.credentials_at) },
    events: { ...(JSON.parse(row.events) as EventMapping) },
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    health: {
      waiting: health.waiting,
      oldest_waiting_at: timeOrNull(health.oldestWaitingAt),
      delivered_24h: health.delivered,
      skipped_24h: health.skipped,
      dead_24h: health.dead,
      unknown_24h: health.unknown,
      last_delivered_at: timeOrNull(health.lastDeliveredAt),
      not_before: timeOrNull(row.not_before),
      failures: row.failures,
    },
  };
}

export const testSendView = ({ eventName, notes, request, ...trial }: TestSend) => ({
  ...trial,
  event_name: eventName,
  request: request === null ? null : requestView(request),
  notes: [...notes],
});

const requestView = ({ method, url, headers, body }: ShownRequest) => ({
  method,
  url,
  headers: { ...headers },
  body,
});

export function deliveryView(row: DeliveryView) {
  return {
    id: row.id,
    conversion: row.conversion_row,
    conversion_id: row.conversion_id,
    topic: row.topic as Topic,
    event_name: row.event_name,
    platform: row.platform as Platform,
    platform_event: row.platform_event,
    destination: { id: row.destination_id, name: row.name, deleted: row.deleted_at !== null },
    status: row.state,
    reason: row.reason,
    message: row.message,
    attempts: row.attempts,
    created_at: time(row.created_at),
    sent_at: timeOrNull(row.sent_at),
    settled_at: timeOrNull(row.settled_at),
    next_at: timeOrNull(row.next_at),
    value: row.value,
    currency: row.currency,
    replayable: obstacle(row) === null,
  };
}

/** As delivery writes it. */
interface Attempt {
  /** Epoch ms. */
  readonly at: number;
  readonly http_status: number | null;
  readonly ms: number | null;
  readonly verdict: string;
  readonly message: string | null;
}

export function deliveryDetailView(row: DeliveryView, now: number) {
  const request =
    row.request === null
      ? null
      : (JSON.parse(row.request) as ShownRequest & { readonly notes?: readonly string[] });
  const response = row.response === null ? null : (JSON.parse(row.response) as ShownResponse);
  const history = JSON.parse(row.history) as readonly Attempt[];
  return {
    ...deliveryView(row),
    request: request === null ? null : requestView(request),
    response: response === null ? null : { status: response.status, body: response.body },
    history: history.map(({ at, http_status, ms, verdict, message }) => ({
      at: time(at),
      http_status: http_status ?? null,
      ms: ms ?? null,
      verdict,
      message: message ?? null,
    })),
    guarantee: row.guarantee as Guarantee | null,
    explanation: explanationOf(row, now),
    notes: [...(request?.notes ?? [])],
  };
}

export const accuracyView = ({ days, totals }: Accuracy) => ({
  days: days.map((day) => ({ ...day, destinations: day.destinations.map(sumsView) })),
  totals: {
    ...totals,
    destinations: totals.destinations.map(({ name, deleted, rate, ...sums }) => ({
      ...sumsView(sums),
      name,
      deleted,
      rate,
    })),
  },
});

const sumsView = ({ platform, ...sums }: Sums) => ({ ...sums, platform: platform as Platform });
