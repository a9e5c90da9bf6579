/** A conversion as an event of TikTok's Events API 2.0. The shape of its predecessor (`context.ad.callback`) is refused. */
import type { JsonObject, Product } from '@ghostlight/core';
import {
  browserIdOf,
  clickIdOf,
  limitedDataUse,
  namedOf,
  orderIdOf,
  productIdOf,
  wholePiecesOf,
} from '../event-parts.ts';
import {
  cityOf,
  countryOf,
  externalId,
  hashed,
  hashedEmail,
  hashedName,
  hashedPhone,
  postalOf,
  regionOf,
} from '../identifiers/index.ts';
import { toNumber } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, cut, seconds } from '../requests.ts';
import type { TiktokConfig } from './config.ts';

/** TikTok documents no limit for the name of a custom event; this one is ours, and fits what a mapping may say. */
const MAX_NAME = 50;

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: TiktokConfig,
  name: string,
): Mapped | Skip {
  const user = userOf(conversion, context);
  if (user === null) return { skip: 'no_identifier' };
  const eventName = cut(name, MAX_NAME);
  const event = compact({
    event: eventName,
    event_time: seconds(conversion.occurredAt),
    event_id: conversion.conversionId,
    user,
    properties: propertiesOf(conversion),
    // A referrer says nothing without its page.
    page: context.pageUrl === null ? null : compact({ url: context.pageUrl, referrer: context.referrer }),
    limited_data_use: limitedDataUse(context, config.limited_data_use),
  });
  return { event, name: eventName };
}

/** @returns null where nothing identifies the person: name and place alone match no one */
function userOf({ user }: ForwardedConversion, context: MatchContext): JsonObject | null {
  const { client } = context;
  const identifiers = compact({
    email: hashedEmail(user, 'plain'),
    phone: hashedPhone(user, 'e164'),
    external_id: externalId(context.visitorId),
    ttclid: clickIdOf(context, 'ttclid'),
    ttp: browserIdOf(context, '_ttp'),
    ip: client?.ip,
    user_agent: client?.userAgent,
  });
  // A user agent alone identifies no person.
  const { user_agent: _, ...telling } = identifiers;
  if (Object.keys(telling).length === 0) return null;
  return {
    ...identifiers,
    ...compact({
      first_name: hashedName(user, 'first', 'trim'),
      last_name: hashedName(user, 'last', 'trim'),
      city: bare(cityOf(user, 'plain')),
      state: bare(regionOf(user, 'plain')),
      country: countryOf(user)?.toLowerCase(),
      zip_code: hashed(bare(postalOf(user, 'plain'))),
    }),
  };
}

/** As connectors in use write places: lower case, letters and digits alone. */
const bare = (place: string | null): string | null =>
  place?.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || null;

function propertiesOf(conversion: ForwardedConversion): JsonObject {
  const { value, currency } = conversion;
  const products = namedOf(conversion.products);
  return compact({
    contents: products.map(contentOf),
    content_type: products.length === 0 ? null : CONTENT_TYPE,
    value: toNumber(value),
    currency,
    order_id: orderIdOf(conversion),
  });
}

const CONTENT_TYPE = 'product';

/** TikTok refuses a `content_id` that is no text (40002). */
function contentOf(product: Product): JsonObject {
  return compact({
    content_id: productIdOf(product),
    content_type: CONTENT_TYPE,
    content_name: product.name,
    price: toNumber(product.price),
    quantity: wholePiecesOf(product),
  });
}
