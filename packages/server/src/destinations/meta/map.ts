import type { JsonObject, UserData } from '@ghostlight/core';
import {
  browserIdOf,
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
  notesOnPhone,
  postalOf,
  regionOf,
} from '../identifiers/index.ts';
import { toNumber } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, cut, listed, seconds } from '../requests.ts';
import type { Config } from './config.ts';
import { fbcOf } from './fbc.ts';

/** Of an event's name; a custom event may have a longer one here. */
const MAX_NAME = 50;
const NO_BROWSER = 'Sent without browser and page, which are unknown or may not be stored.';
const FBP = /^fb\.\d{1,2}\.\d{10,13}\.[\w.-]{1,64}$/;

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: Config,
  name: string,
): Mapped | Skip {
  if (name === 'Purchase' && toNumber(conversion.value) === null) return { skip: 'missing_value' };
  const user = userData(conversion, context);
  if (user === null) return { skip: 'no_identifier' };
  // A website's event has to name browser and page; for an order whose landing may not be stored it says less, and is still accepted.
  const isWebsite = context.client !== null && context.pageUrl !== null;
  const eventName = cut(name, MAX_NAME);
  return {
    name: eventName,
    event: compact({
      event_name: eventName,
      event_time: seconds(conversion.occurredAt),
      event_id: conversion.conversionId,
      action_source: isWebsite ? 'website' : 'system_generated',
      event_source_url: context.pageUrl,
      referrer_url: context.referrer,
      user_data: user,
      custom_data: customData(conversion),
      // Country and state 0: Meta finds out itself whose law it is.
      ...(limitedDataUse(context, config.limited_data_use) === true
        ? {
            data_processing_options: ['LDU'],
            data_processing_options_country: 0,
            data_processing_options_state: 0,
          }
        : {}),
    }),
    notes: [...(isWebsite ? [] : [NO_BROWSER]), ...notesOnPhone(conversion.user)],
  };
}

/** @returns null where nothing in it tells one person from another */
function userData({ user, occurredAt }: ForwardedConversion, context: MatchContext): JsonObject | null {
  const fbp = browserIdOf(context, '_fbp');
  const ids = compact({
    em: listed(hashedEmail(user, 'plain')),
    ph: listed(hashedPhone(user, 'digits')),
    external_id: listed(externalId(context.visitorId)),
    client_ip_address: context.client?.ip,
    client_user_agent: context.client?.userAgent,
    fbc: fbcOf(context, occurredAt),
    fbp: fbp !== null && FBP.test(fbp) ? fbp : null,
  });
  // A user agent alone identifies no person.
  const { client_user_agent: _, ...telling } = ids;
  return Object.keys(telling).length === 0 ? null : { ...ids, ...nameAndPlace(user) };
}

/** Which of two spellings Meta knows is not known; it takes a list, and one match is enough. */
const bothForms = (...forms: readonly (string | null)[]): readonly string[] => [
  ...new Set(forms.flatMap((form) => listed(hashed(form)))),
];

function nameAndPlace(user: UserData | null): JsonObject {
  return compact({
    fn: listed(hashedName(user, 'first', 'meta')),
    ln: listed(hashedName(user, 'last', 'meta')),
    ct: bothForms(cityOf(user, 'meta'), cityOf(user, 'letters')),
    st: listed(hashed(regionOf(user, 'meta'))),
    zp: bothForms(postalOf(user, 'meta'), postalOf(user, 'meta')?.replace(/\s/gu, '') ?? null),
    country: listed(hashed(countryOf(user)?.toLowerCase() ?? null)),
  });
}

function customData(conversion: ForwardedConversion): JsonObject {
  const { products, value } = conversion;
  const known = products.filter((product) => productIdOf(product) !== null);
  return compact({
    value: toNumber(value),
    currency: conversion.currency,
    order_id: orderIdOf(conversion),
    num_items: piecesOf(products),
    ...(known.length === 0
      ? {}
      : {
          content_type: 'product',
          content_ids: known.map(productIdOf),
          contents: known.map((product) =>
            compact({
              id: productIdOf(product),
              quantity: product.quantity === null ? 1 : wholePiecesOf(product),
              item_price: toNumber(product.price),
            }),
          ),
        }),
    lead_type: conversion.leadType,
  });
}
