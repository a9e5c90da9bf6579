/** A conversion as an event of LinkedIn's Conversions API. Money is text, time is in milliseconds, people are named in plain text. */
import type { JsonObject } from '@ghostlight/core';
import { amountText, browserIdOf, clickIdOf } from '../event-parts.ts';
import { countryOf, externalId, hashedEmail, nameOf, sha256Hex } from '../identifiers/index.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact, listed } from '../requests.ts';
import type { LinkedinConfig } from './config.ts';

/** Said by connectors, not by LinkedIn. */
const MAX_EVENT_ID = 64;
const MAX_NAME = 35;

export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  _config: LinkedinConfig,
  ruleId: string,
): Mapped | Skip {
  const { conversionId, value, currency } = conversion;
  const user = userOf(conversion, context);
  if (user === null) return { skip: 'no_identifier' };
  const fits = conversionId.length <= MAX_EVENT_ID;
  const event = compact({
    conversion: `urn:lla:llaPartnerConversion:${ruleId}`,
    conversionHappenedAt: conversion.occurredAt,
    conversionValue:
      value === null || currency === null
        ? null
        : { currencyCode: currency, amount: amountText(value, currency) },
    // Cut, two orders could be one; the digest has exactly as many characters as fit.
    eventId: fits ? conversionId : sha256Hex(conversionId),
    user,
  });
  if (fits) return { event, name: ruleId };
  return {
    event,
    name: ruleId,
    notes: [
      `The conversion id is longer than ${MAX_EVENT_ID} characters, so its SHA-256 is sent as the event id, and LinkedIn can't match it to the Insight Tag's copy.`,
    ],
  };
}

/** LinkedIn wants an email address, its own click id, or first and last name; `userIds` must be there even when it is empty. */
function userOf({ user }: ForwardedConversion, context: MatchContext): JsonObject | null {
  const email = hashedEmail(user, 'plain');
  const clickId = clickIdOf(context, 'li_fat_id') ?? browserIdOf(context, 'li_fat_id');
  const userInfo = userInfoOf(user);
  if (email === null && clickId === null && userInfo === null) return null;
  return {
    userIds: [
      ...(email === null ? [] : [{ idType: 'SHA256_EMAIL', idValue: email }]),
      ...(clickId === null ? [] : [{ idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: clickId }]),
    ],
    ...compact({ userInfo, externalIds: listed(externalId(context.visitorId)) }),
  };
}

function userInfoOf(user: ForwardedConversion['user']): JsonObject | null {
  const firstName = nameOf(user, 'first', 'plain');
  const lastName = nameOf(user, 'last', 'plain');
  // One name without the other is refused, and half a name belongs to other people.
  if (firstName === null || lastName === null) return null;
  if (firstName.length > MAX_NAME || lastName.length > MAX_NAME) return null;
  return compact({ firstName, lastName, countryCode: countryOf(user) });
}
