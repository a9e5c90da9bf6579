/** A conversion as a custom event of Microsoft's UET Conversions API; its name is the event action of a conversion goal. */
import type { JsonObject, Product } from '@ghostlight/core';
import { browserIdOf, clickIdOf, namedOf, orderIdOf, productIdOf, wholePiecesOf } from '../event-parts.ts';
import { externalId, hashedEmail, hashedPhone } from '../identifiers/index.ts';
import { toNumber } from '../money.ts';
import type { ConsentState, ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, seconds } from '../requests.ts';
import type { MicrosoftConfig } from './config.ts';

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: MicrosoftConfig,
  name: string,
): Mapped | Skip {
  const { advertising } = context.consent;
  const userData =
    advertising === 'denied'
      ? compact({ msclkid: msclkidOf(context) })
      : userDataOf(conversion, context, config);
  const { clientUserAgent: _, clientIpAddress: __, ...identifiers } = userData;
  // An address and a user agent alone do not count as one.
  if (Object.keys(identifiers).length === 0) return { skip: 'no_identifier' };
  const event = compact({
    eventType: 'custom',
    eventName: name,
    eventId: conversion.conversionId,
    eventTime: seconds(conversion.occurredAt),
    eventSourceUrl: context.pageUrl,
    referrerUrl: context.referrer,
    adStorageConsent: CONSENT[advertising],
    userData,
    customData: customDataOf(conversion),
  });
  return { event, name };
}

const CONSENT: Readonly<Record<ConsentState, string | null>> = { granted: 'G', denied: 'D', unknown: null };

function userDataOf(
  { user }: ForwardedConversion,
  context: MatchContext,
  { email_rule }: MicrosoftConfig,
): JsonObject {
  const { client } = context;
  return compact({
    clientUserAgent: client?.userAgent,
    clientIpAddress: client?.ip,
    // The visitor id of Microsoft's own tag, by which it knows this browser.
    anonymousId: browserIdOf(context, '_uetvid'),
    externalId: externalId(context.visitorId),
    em: hashedEmail(user, email_rule),
    ph: hashedPhone(user, 'e164'),
    msclkid: msclkidOf(context),
  });
}

/** Of the landing, else of the tag's cookie, where it follows `_uet`. */
const msclkidOf = (context: MatchContext): string | null =>
  clickIdOf(context, 'msclkid') ?? (browserIdOf(context, '_uetmsclkid')?.replace(/^_uet/, '') || null);

function customDataOf(conversion: ForwardedConversion): JsonObject {
  const { value, currency, products } = conversion;
  return compact({
    transactionId: orderIdOf(conversion),
    value: toNumber(value),
    currency,
    items: namedOf(products).map(itemOf),
  });
}

function itemOf(product: Product): JsonObject {
  return compact({
    id: productIdOf(product),
    name: product.name,
    price: toNumber(product.price),
    quantity: wholePiecesOf(product),
  });
}
