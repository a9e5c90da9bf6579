/** A conversion as an event of OpenAI's Conversions API. Time is in milliseconds, money in whole minor units. */
import type { JsonObject, Product } from '@ghostlight/core';
import {
  browserIdOf,
  clickIdOf,
  limitedDataUse,
  namedOf,
  productIdOf,
  wholePiecesOf,
} from '../event-parts.ts';
import { cityOf, countryOf, externalId, hashedEmail, postalOf } from '../identifiers/index.ts';
import { toMinorUnits } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, cut } from '../requests.ts';
import type { OpenaiConfig } from './config.ts';
import { customNameOf, dataTypeOf } from './types.ts';

const MAX_CITY = 128;
const ZIP_CODE = /^[A-Za-z0-9 -]{1,32}$/;

/** @param name a standard event; every other is the name of a custom one */
export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: OpenaiConfig,
  name: string,
): Mapped | Skip {
  const isDenied = context.consent.advertising === 'denied';
  const oppref = clickIdOf(context, 'oppref');
  const user = isDenied ? {} : userOf(conversion, context);
  const isIdentified =
    oppref !== null ||
    ['email_sha256', 'external_id_sha256', 'obref'].some((member) => user[member] !== undefined);
  if (!isIdentified) return { skip: 'no_identifier' };
  const dataType = dataTypeOf(name);
  const customName = dataType === 'custom' ? customNameOf(name) : null;
  const event = compact({
    id: conversion.conversionId,
    type: customName === null ? name : 'custom',
    custom_event_name: customName,
    timestamp_ms: conversion.occurredAt,
    // `web` demands the page.
    action_source: context.pageUrl === null ? 'other' : 'web',
    source_url: context.pageUrl,
    oppref,
    user,
    opt_out: isDenied ? true : limitedDataUse(context, config.limited_data_use),
    data: compact({ type: dataType, ...moneyOf(conversion), contents: contentsOf(conversion, dataType) }),
  });
  const notes = notesOf(conversion, context);
  return { event, name: customName ?? name, ...(notes.length === 0 ? {} : { notes }) };
}

function userOf({ user }: ForwardedConversion, context: MatchContext): JsonObject {
  const { client } = context;
  const zipCode = postalOf(user, 'plain');
  return compact({
    email_sha256: hashedEmail(user, 'plain'),
    external_id_sha256: externalId(context.visitorId),
    obref: browserIdOf(context, '__obref'),
    country: countryOf(user),
    city: cut(cityOf(user, 'plain') ?? '', MAX_CITY) || null,
    zip_code: zipCode !== null && ZIP_CODE.test(zipCode) ? zipCode : null,
    ip_address: client?.ip,
    user_agent: client?.userAgent,
  });
}

/** Both or neither: an amount without currency fails the whole request. */
function moneyOf({ value, currency }: ForwardedConversion): JsonObject {
  if (value === null || currency === null) return {};
  const amount = toMinorUnits(value, currency);
  return amount === null ? {} : { amount, currency };
}

function contentsOf(
  { products, currency }: ForwardedConversion,
  dataType: string,
): readonly JsonObject[] | null {
  if (dataType === 'customer_action') return null;
  return namedOf(products).map((product) => contentOf(product, currency));
}

function contentOf(product: Product, currency: string | null): JsonObject {
  const amount = product.price === null || currency === null ? null : toMinorUnits(product.price, currency);
  return compact({
    id: productIdOf(product),
    name: product.name,
    quantity: wholePiecesOf(product),
    amount,
    currency: amount === null ? null : currency,
  });
}

function notesOf(conversion: ForwardedConversion, context: MatchContext): readonly string[] {
  const isMoneyLost = conversion.value !== null && moneyOf(conversion)['amount'] === undefined;
  return [
    ...(context.pageUrl === null
      ? ['The landing page is not known, so it is not reported as a web event.']
      : []),
    ...(isMoneyLost
      ? ['The amount was left out: OpenAI accepts whole minor units of a known currency.']
      : []),
  ];
}
