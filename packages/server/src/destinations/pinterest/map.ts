/** A conversion as an event of Pinterest's API v5. Money is text, digests are lists, and one unknown member gets the event refused. */
import type { JsonObject, Product } from '@ghostlight/core';
import {
  amountText,
  browserIdOf,
  clickIdOf,
  limitedDataUse,
  namedOf,
  orderIdOf,
  piecesOf,
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
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, listed, seconds } from '../requests.ts';
import type { PinterestConfig } from './config.ts';

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: PinterestConfig,
  name: string,
): Mapped | Skip {
  const userData = userDataOf(conversion, context);
  // By Pinterest's schema: an email address, or address and user agent together. A click id is not enough.
  if (userData['em'] === undefined && userData['client_ip_address'] === undefined)
    return { skip: 'no_identifier' };
  const event = compact({
    event_name: name,
    action_source: 'web',
    event_time: seconds(conversion.occurredAt),
    event_id: conversion.conversionId,
    event_source_url: context.pageUrl,
    opt_out: context.consent.advertising === 'granted' ? false : null,
    user_data: userData,
    custom_data: customDataOf(conversion, limitedDataUse(context, config.limited_data_use) === true),
  });
  return { event, name };
}

function userDataOf({ user }: ForwardedConversion, context: MatchContext): JsonObject {
  const { client } = context;
  const hashedList = (value: string | null) => listed(hashed(value));
  return compact({
    em: listed(hashedEmail(user, 'plain')),
    ph: listed(hashedPhone(user, 'digits')),
    fn: listed(hashedName(user, 'first', 'trim')),
    ln: listed(hashedName(user, 'last', 'trim')),
    ct: hashedList(cityOf(user, 'pinterest')),
    st: hashedList(regionOf(user, 'pinterest')),
    zp: hashedList(postalOf(user, 'pinterest')),
    // Pinterest's own example is the digest of `US`, against its own text, which says lower case.
    country: hashedList(countryOf(user)?.toLowerCase() ?? null),
    external_id: listed(externalId(context.visitorId)),
    client_ip_address: client?.ip,
    client_user_agent: client?.userAgent,
    click_id: clickIdOf(context, 'epik') ?? browserIdOf(context, '_epik'),
  });
}

/** @param isLimited is placed here, not next to `opt_out`: there it is an unknown member */
function customDataOf(conversion: ForwardedConversion, isLimited: boolean): JsonObject {
  const { value, currency, products } = conversion;
  return compact({
    currency,
    value: value === null || currency === null ? null : amountText(value, currency),
    order_id: orderIdOf(conversion),
    num_items: piecesOf(products),
    content_ids: products.flatMap((product) => listed(productIdOf(product))),
    contents: namedOf(products).map((product) => contentOf(product, currency)),
    opt_out_type: isLimited ? 'LDP' : null,
  });
}

function contentOf(product: Product, currency: string | null): JsonObject {
  return compact({
    id: productIdOf(product),
    item_name: product.name,
    item_price: product.price === null ? null : amountText(product.price, currency ?? ''),
    quantity: wholePiecesOf(product),
  });
}
