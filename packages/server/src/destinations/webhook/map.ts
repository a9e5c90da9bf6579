import type { JsonObject, Product } from '@ghostlight/core';
import { countryOf, hashedEmail, hashedName, hashedPhone, notesOnPhone } from '../identifiers/index.ts';
import type { ForwardedConversion, Mapped, MatchContext } from '../port.ts';
import { compact } from '../requests.ts';
import type { Config } from './config.ts';

/** Times in RFC 3339, money as decimal text: a receiver may know more digits than a float. Absent is left out. */
export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: Config,
  name: string,
): Mapped {
  // A destination that needs no consent gets no personal data by that.
  const isPersonal = context.consent.advertising !== 'denied';
  const isTold = isPersonal && config.user_data === 'hashed';
  return {
    name,
    notes: isTold ? notesOnPhone(conversion.user) : [],
    event: {
      type: name,
      timestamp: rfc3339(conversion.occurredAt),
      data: compact({
        id: conversion.id,
        attribution_id: conversion.attributionId,
        topic: conversion.topic,
        conversion_id: conversion.conversionId,
        refund_id: conversion.refundId,
        event_name: conversion.eventName,
        occurred_at: rfc3339(conversion.occurredAt),
        received_at: rfc3339(conversion.receivedAt),
        value: conversion.value,
        currency: conversion.currency,
        tax: conversion.tax,
        shipping: conversion.shipping,
        discount_code: conversion.discountCode,
        lead_type: conversion.leadType,
        products: conversion.products.map(productOf),
        visitor_id: context.visitorId,
        user_data: isTold ? userData(conversion) : null,
        attribution: attribution(context, isPersonal),
        consent: consentOf(context),
        original: originalOf(context),
      }),
    },
  };
}

function productOf({ id, name, sku, quantity, price, discount }: Product): JsonObject {
  return compact({ id, name, sku, quantity, price, discount });
}

function userData({ user }: ForwardedConversion): JsonObject {
  return compact({
    email_sha256: hashedEmail(user, 'plain'),
    phone_sha256: hashedPhone(user, 'e164'),
    first_name_sha256: hashedName(user, 'first', 'trim'),
    last_name_sha256: hashedName(user, 'last', 'trim'),
    country: countryOf(user),
  });
}

function attribution({ touch, clickIds, pageUrl, referrer }: MatchContext, isPersonal: boolean): JsonObject {
  if (touch === null) return {};
  const { channel, platform, paid, source, medium, campaign, at } = touch;
  const clicks = Object.entries(clickIds).map(([name, { value }]) => [name, value] as const);
  return compact({
    touched_at: rfc3339(at),
    channel,
    platform,
    paid,
    source,
    medium,
    campaign: campaign === '' ? null : campaign,
    landing_page: pageUrl,
    referrer,
    click_ids: isPersonal ? Object.fromEntries(clicks) : null,
  });
}

function consentOf({ consent }: MatchContext): JsonObject {
  return compact({
    advertising: consent.advertising,
    analytics: consent.analytics,
    sale_of_data: consent.saleOfData,
  });
}

/** Of a refund: the order that it takes back, and what is left of it. */
function originalOf({ original }: MatchContext): JsonObject {
  if (original === null) return {};
  return compact({
    conversion_id: original.conversionId,
    occurred_at: rfc3339(original.occurredAt),
    value: original.value,
    currency: original.currency,
    remaining: original.remaining,
  });
}

const rfc3339 = (epochMs: number): string => new Date(epochMs).toISOString();
