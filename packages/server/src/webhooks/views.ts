/** The room's rows as the management API shows them. */
import { maskFound, type Topic } from '@ghostlight/core';
import type { ActivityRow } from './activity.ts';
import type { ConversionRow } from './announce.ts';
import { explanationOf } from './explanation.ts';
import type { MatchReason } from './matching.ts';
import type { ConversionDetail } from './reading.ts';
import type { Warning } from './refunds.ts';
import type { Settings } from './settings.ts';
import type { ShopName } from './shops/platform.ts';
import type { WebhookKeyView } from './webhook-keys.ts';

const time = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));

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
    last_used_from: key.lastUsedFrom,
    revoked_at: timeOrNull(key.revokedAt),
  };
}

export function activityView(row: ActivityRow) {
  return {
    id: row.id,
    at: time(row.at),
    status: row.status,
    topic: row.topic,
    session_matched: row.session_matched === 1,
    match_reason: row.match_reason as MatchReason | null,
    http_status: row.http_status,
    conversion_id: row.conversion_id === null ? null : maskFound(row.conversion_id),
    value: row.value,
    currency: row.currency,
    key_prefix: row.key_prefix,
    shop: row.shop as ShopName | null,
    delivery: row.delivery,
    error: row.error,
    count: row.count,
  };
}

interface Judgement {
  readonly duplicate: boolean;
  readonly warnings: Warning[];
  readonly errors: Warning[];
  readonly cut: boolean;
}

export function requestView(row: ActivityRow) {
  const judgement: Judgement =
    row.judgement === null
      ? { duplicate: false, warnings: [], errors: [], cut: false }
      : (JSON.parse(row.judgement) as Judgement);
  return {
    ...activityView(row),
    ...judgement,
    received: row.received === null ? null : (JSON.parse(row.received) as unknown),
    conversion: row.conversion_row,
    explanation: explanationOf(row),
  };
}

export function conversionView(row: ConversionRow) {
  return {
    id: row.id,
    conversion_id: row.conversion_id,
    topic: row.topic as Topic,
    event_name: row.event_name,
    at: time(row.occurred_at),
    received_at: time(row.received_at),
    value: row.value,
    currency: row.currency,
    session_matched: row.session_matched === 1,
    match_reason: row.match_reason as MatchReason,
    channel: row.channel,
    platform: row.platform,
    campaign: row.campaign,
    source: row.source,
    medium: row.medium,
    visitor_id: row.visitor_id,
    refund_of: row.topic === 'refund' ? row.conversion_id : null,
    order: row.purchase_row,
  };
}

export function conversionDetailView(detail: ConversionDetail) {
  const { conversion, winner } = detail;
  return {
    ...conversionView(conversion),
    tax: conversion.tax,
    shipping: conversion.shipping,
    discount_code: conversion.discount_code,
    lead_type: conversion.lead_type,
    touches: detail.touches.map((touch) => ({
      id: touch.id,
      at: time(touch.at),
      channel: touch.channel,
      platform: touch.platform,
      paid: touch.paid,
      source: touch.source,
      medium: touch.medium,
      campaign: touch.campaign,
      landing: touch.landing,
      referrer_host: touch.referrerHost,
      click_ids: Object.keys(touch.clickIds),
      winner: touch.id === winner?.id,
    })),
    products: JSON.parse(conversion.products) as Record<string, unknown>[],
    consent: conversion.consent === null ? null : (JSON.parse(conversion.consent) as Record<string, unknown>),
    extra: detail.extra as Record<string, unknown>,
    personal: detail.personal as unknown,
    linked_browser_event: detail.linkedBrowserEvent,
    refunds: detail.refunds.map(conversionView),
  };
}
