import type { JsonObject, Product } from '@ghostlight/core';
import { wholePiecesOf } from '../event-parts.ts';
import {
  cityOf,
  countryOf,
  hashedEmail,
  hashedName,
  hashedPhone,
  notesOnPhone,
  postalOf,
  regionOf,
} from '../identifiers/index.ts';
import { toNumber } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, cut, listed } from '../requests.ts';
import { clientOf, sessionOf } from './client.ts';
import type { Config } from './config.ts';
import { eventNameOf } from './names.ts';

/** Google cuts or drops what is longer, without a word. */
const MAX_TEXT = 100;
const MAX_LOCATION = 1000;
const MAX_REFERRER = 420;
const MAX_ITEMS = 200;
/** Of 130 kB in all. */
const MAX_ITEM_BYTES = 100_000;

const MADE_UP =
  'This visitor’s _ga cookie is unknown, so Google Analytics counts a separate visitor. Google’s tag has to run on the same page as the Ghostlight SDK.';

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: Config,
  name: string,
): Mapped | Skip {
  const client = clientOf(context);
  if (client === null) return { skip: 'no_identifier' };
  const eventName = eventNameOf(name);
  const isPersonal = context.consent.advertising !== 'denied';
  return {
    name: eventName,
    event: compact({
      client_id: client.id,
      timestamp_micros: `${conversion.occurredAt}000`,
      consent: consentOf(context),
      user_data: isPersonal ? userData(conversion) : null,
      events: [{ name: eventName, params: params(conversion, context, config) }],
    }),
    notes: [...(client.isMadeUp ? [MADE_UP] : []), ...(isPersonal ? notesOnPhone(conversion.user) : [])],
  };
}

/** Who objects to the sale of their data is measured, but not followed. */
function consentOf({ consent }: MatchContext): JsonObject {
  const said = { granted: 'GRANTED', denied: 'DENIED', unknown: null }[consent.advertising];
  return compact({
    ad_user_data: said,
    ad_personalization: consent.saleOfData === false ? 'DENIED' : said,
  });
}

function params(conversion: ForwardedConversion, context: MatchContext, config: Config): JsonObject {
  const { value, tax, shipping, products } = conversion;
  return compact({
    transaction_id: cut(conversion.conversionId, MAX_TEXT),
    value: toNumber(value),
    currency: conversion.currency,
    tax: toNumber(tax),
    shipping: toNumber(shipping),
    coupon: short(conversion.discountCode),
    lead_type: short(conversion.leadType),
    items: itemsOf(products),
    page_location: context.pageUrl === null ? null : cut(context.pageUrl, MAX_LOCATION),
    page_referrer: context.referrer === null ? null : cut(context.referrer, MAX_REFERRER),
    session_id: sessionOf(context, config.measurement_id),
    // Without it the event is missing from realtime and from engaged sessions.
    engagement_time_msec: 1,
  });
}

function itemsOf(products: readonly Product[]): readonly JsonObject[] {
  let room = MAX_ITEM_BYTES;
  const items = products.slice(0, MAX_ITEMS).flatMap(itemOf);
  return items.filter((item) => {
    room -= Buffer.byteLength(JSON.stringify(item));
    return room >= 0;
  });
}

/** An item needs an id or a name. */
function itemOf(product: Product): readonly JsonObject[] {
  const id = short(product.id ?? product.sku);
  if (id === null && product.name === null) return [];
  return [
    compact({
      item_id: id,
      item_name: short(product.name),
      quantity: wholePiecesOf(product),
      price: toNumber(product.price),
      discount: toNumber(product.discount),
    }),
  ];
}

function userData({ user }: ForwardedConversion): JsonObject {
  return compact({
    sha256_email_address: listed(hashedEmail(user, 'google')),
    sha256_phone_number: listed(hashedPhone(user, 'e164')),
    address: addressOf(user),
  });
}

/** Google matches by a whole address only. */
function addressOf(user: ForwardedConversion['user']): readonly JsonObject[] | null {
  const needed = {
    sha256_first_name: hashedName(user, 'first', 'google'),
    sha256_last_name: hashedName(user, 'last', 'google'),
    postal_code: postalOf(user, 'plain'),
    country: countryOf(user),
  };
  if (Object.values(needed).includes(null)) return null;
  return [compact({ ...needed, city: cityOf(user, 'plain'), region: regionOf(user, 'plain') })];
}

const short = (text: string | null): string | null => (text === null ? null : cut(text, MAX_TEXT));
