/** A conversion as an event of Snap's Conversions API v3. Money is a number, digests are lists, city and names keep their spaces. */
import type { JsonObject, Product } from '@ghostlight/core';
import {
  browserIdOf,
  clickIdOf,
  limitedDataUse,
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
import { toNumber } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, listed, seconds } from '../requests.ts';
import type { SnapConfig } from './config.ts';

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: SnapConfig,
  name: string,
): Mapped | Skip {
  // Snap calls a purchase without them invalid.
  if (name === 'PURCHASE' && (toNumber(conversion.value) === null || conversion.currency === null))
    return { skip: 'missing_value' };
  const userData = userDataOf(conversion, context);
  // An email address, a telephone number, or address and user agent together; a click id is not enough.
  const isIdentified = ['em', 'ph', 'client_ip_address'].some((member) => userData[member] !== undefined);
  if (!isIdentified) return { skip: 'no_identifier' };
  const event = compact({
    event_name: name,
    event_time: seconds(conversion.occurredAt),
    event_id: conversion.conversionId,
    action_source: 'WEB',
    event_source_url: context.pageUrl,
    user_data: userData,
    custom_data: customDataOf(conversion),
    data_processing_options: limitedDataUse(context, config.limited_data_use) === true ? ['LMU'] : null,
  });
  // In requests of their own: should Snap refuse one, those beside it have no page either.
  return context.pageUrl === null ? { event, name, group: 'no_page', notes: [NO_PAGE] } : { event, name };
}

const NO_PAGE = 'The landing page is not known; Snap asks for the page of a web event.';

function userDataOf({ user }: ForwardedConversion, context: MatchContext): JsonObject {
  const { client } = context;
  const hashedList = (value: string | null) => listed(hashed(value));
  return compact({
    em: listed(hashedEmail(user, 'plain')),
    ph: listed(hashedPhone(user, 'digits')),
    fn: listed(hashedName(user, 'first', 'snap')),
    ln: listed(hashedName(user, 'last', 'snap')),
    ct: hashedList(cityOf(user, 'snap')),
    st: hashedList(regionOf(user, 'snap')),
    zp: hashedList(postalOf(user, 'snap')),
    country: hashedList(countryOf(user)?.toLowerCase() ?? null),
    external_id: listed(externalId(context.visitorId)),
    client_ip_address: client?.ip,
    client_user_agent: client?.userAgent,
    sc_click_id: clickIdOf(context, 'sccid'),
    sc_cookie1: browserIdOf(context, '_scid'),
  });
}

function customDataOf(conversion: ForwardedConversion): JsonObject {
  const { value, currency, products } = conversion;
  return compact({
    value: toNumber(value),
    currency,
    order_id: orderIdOf(conversion),
    num_items: piecesOf(products),
    contents: products.filter((product) => productIdOf(product) !== null).map(contentOf),
  });
}

function contentOf(product: Product): JsonObject {
  return compact({
    id: productIdOf(product),
    quantity: wholePiecesOf(product),
    item_price: toNumber(product.price),
  });
}
