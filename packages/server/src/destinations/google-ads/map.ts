import type { JsonObject, Product } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { productIdOf, wholePiecesOf } from '../event-parts.ts';
import {
  countryOf,
  hashedEmail,
  hashedName,
  hashedPhone,
  notesOnPhone,
  postalOf,
} from '../identifiers/index.ts';
import { toNumber } from '../money.ts';
import type { ForwardedConversion, Mapped, MatchContext, Skip } from '../port.ts';
import { compact } from '../requests.ts';
import { adIdentifiers } from './click.ts';
import type { Config } from './config.ts';

/** The longest window that a conversion action can have. */
export const MAX_AGE_MS = 90 * DAY_MS;

/** What `build` needs of an event beside itself: both are said once per request. */
export interface GoogleEvent {
  readonly action: string;
  readonly consent: JsonObject;
  readonly event: JsonObject;
}

/** @param name id of the conversion action */
export function map(
  conversion: ForwardedConversion,
  context: MatchContext,
  config: Config,
  name: string,
): Mapped | Skip {
  const counted = conversion.topic === 'refund' ? restated(conversion, context) : conversion;
  if ('skip' in counted) return counted;
  const adIds = adIdentifiers(context, counted.occurredAt);
  const userIds = userIdentifiers(conversion);
  if (adIds === null && userIds.length === 0) return { skip: 'no_identifier' };
  const consent = consentOf(context);
  const { value, currency } = counted;
  return {
    name,
    group: [name, ...Object.values(consent)].join(' '),
    notes: notesOnPhone(conversion.user),
    event: {
      action: name,
      consent,
      event: compact({
        transactionId: counted.conversionId,
        eventTimestamp: new Date(counted.occurredAt).toISOString(),
        eventSource: 'WEB',
        adIdentifiers: adIds,
        userData: userIds.length === 0 ? null : { userIdentifiers: userIds },
        conversionValue: toNumber(value),
        currency,
        cartData: cartData(conversion, config),
      }),
    },
  };
}

type Counted = Pick<ForwardedConversion, 'conversionId' | 'occurredAt' | 'value' | 'currency'>;

/**
 * A refund sends again what the purchase is worth now. Of a transaction that Google does not know it would make a conversion, so the purchase
 * has to have been accepted by this very destination.
 */
function restated({ receivedAt }: ForwardedConversion, { original }: MatchContext): Counted | Skip {
  if (original === null || !original.forwarded) return { skip: 'original_not_forwarded' };
  if (original.remaining === null || original.currency === null) return { skip: 'missing_value' };
  if (receivedAt - original.occurredAt > MAX_AGE_MS)
    return {
      skip: 'too_old',
      detail: 'The refunded purchase happened more than 90 days before the refund arrived.',
    };
  return { ...original, value: original.remaining };
}

/** Google drops a conversion that was refused, so there is no telling it of refusals: the gate keeps those here. */
function consentOf({ consent }: MatchContext): JsonObject {
  const said = consent.advertising === 'granted' ? 'CONSENT_GRANTED' : null;
  return compact({
    adUserData: said,
    adPersonalization: consent.saleOfData === false ? 'CONSENT_DENIED' : said,
  });
}

function userIdentifiers({ user }: ForwardedConversion): readonly JsonObject[] {
  const emailAddress = hashedEmail(user, 'google');
  const phoneNumber = hashedPhone(user, 'e164');
  const address = {
    givenName: hashedName(user, 'first', 'google'),
    familyName: hashedName(user, 'last', 'google'),
    regionCode: countryOf(user),
    postalCode: postalOf(user, 'plain'),
  };
  return [
    ...(emailAddress === null ? [] : [{ emailAddress }]),
    ...(phoneNumber === null ? [] : [{ phoneNumber }]),
    // Google matches by a whole address only.
    ...(Object.values(address).includes(null) ? [] : [{ address }]),
  ];
}

function cartData({ products, discountCode }: ForwardedConversion, config: Config): JsonObject {
  return compact({
    couponCodes: discountCode === null ? [] : [discountCode],
    items: products.flatMap((product) => itemOf(product, config)),
  });
}

function itemOf(product: Product, config: Config): readonly JsonObject[] {
  const id = productIdOf(product);
  if (id === null) return [];
  return [
    compact({
      [config.merchant_center ? 'merchantProductId' : 'itemId']: id,
      // An int64, which JSON carries as text.
      quantity: wholePiecesOf(product)?.toString(),
      unitPrice: toNumber(product.price),
    }),
  ];
}
