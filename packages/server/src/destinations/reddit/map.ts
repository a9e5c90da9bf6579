/** A conversion as an event of Reddit's Conversions API v3. Time is in milliseconds; types are in capitals, unlike in v2. */
import type { JsonObject, Product } from '@ghostlight/core';
import {
  browserIdOf,
  clickIdOf,
  limitedDataUse,
  namedOf,
  piecesOf,
  productIdOf,
  wholePiecesOf,
} from '../event-parts.ts';
import { externalId, hashedEmail, hashedPhone } from '../identifiers/index.ts';
import { toNumber } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, cut } from '../requests.ts';
import type { RedditConfig } from './config.ts';

export const STANDARD_TYPES: readonly string[] = [
  'PURCHASE',
  'LEAD',
  'SIGN_UP',
  'ADD_TO_CART',
  'ADD_TO_WISHLIST',
  'SEARCH',
  'VIEW_CONTENT',
  'PAGE_VISIT',
];
const MAX_CUSTOM_NAME = 64;

/** @param name a standard type; every other is the name of a custom event */
export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: RedditConfig,
  name: string,
): Mapped | Skip {
  const clickId = clickIdOf(context, 'rdt_cid');
  const user = userOf(conversion, context, config);
  // What Reddit calls match keys. Address and user agent are some only together with the size of a screen, which we don't have.
  const isIdentified =
    clickId !== null ||
    ['email', 'phone_number', 'external_id', 'uuid'].some((member) => user[member] !== undefined);
  if (!isIdentified) return { skip: 'no_identifier' };
  const event = compact({
    event_at: conversion.occurredAt,
    action_source: 'WEBSITE',
    event_source_url: context.pageUrl,
    click_id: clickId,
    type: STANDARD_TYPES.includes(name)
      ? { tracking_type: name }
      : { tracking_type: 'CUSTOM', custom_event_name: cut(name, MAX_CUSTOM_NAME) },
    metadata: metadataOf(conversion),
    user,
  });
  return { event, name };
}

function userOf({ user }: ForwardedConversion, context: MatchContext, config: RedditConfig): JsonObject {
  const { client } = context;
  return compact({
    email: hashedEmail(user, 'reddit'),
    phone_number: hashedPhone(user, 'e164'),
    external_id: externalId(context.visitorId),
    ip_address: client?.ip,
    user_agent: client?.userAgent,
    uuid: browserIdOf(context, '_rdt_uuid'),
    data_processing_options:
      limitedDataUse(context, config.limited_data_use) === true ? { modes: ['LDU'] } : null,
  });
}

/** `conversion_id` in plain text, as the pixel sends it: that is what duplicates are found by. */
function metadataOf(conversion: ForwardedConversion): JsonObject {
  const { conversionId, value, currency, products } = conversion;
  return compact({
    conversion_id: conversionId,
    currency,
    value: toNumber(value),
    item_count: piecesOf(products),
    products: namedOf(products).map(productOf),
  });
}

function productOf(product: Product): JsonObject {
  return compact({
    id: productIdOf(product),
    name: product.name,
    item_price: toNumber(product.price),
    quantity: wholePiecesOf(product),
  });
}
