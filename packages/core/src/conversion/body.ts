/** What happened → the body that says it. Equal bodies mean equal events, whatever spelling a sender chose. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { Consent, ConversionEvent, Product, UserData } from './event.ts';

/**
 * The canonical webhook body of an event. `readConversion` reads it back to the same event, so its text tells whether a repetition
 * says something else than the first did.
 */
export function conversionBody(event: ConversionEvent): JsonObject {
  return present(event.extra, {
    conversion_id: event.conversionId,
    refund_id: event.refundId,
    event_name: event.eventName,
    visitor_id: event.visitorId,
    event_time: event.eventTime,
    value: event.value,
    currency: event.currency,
    tax: event.tax,
    shipping: event.shipping,
    discount_code: event.discountCode,
    lead_type: event.leadType,
    user_data: event.userData && userDataBody(event.userData),
    products: event.products.length === 0 ? null : event.products.map(productBody),
    consent: event.consent && consentBody(event.consent),
  });
}

function userDataBody({ email, phone, firstName, lastName, address, extra }: UserData): JsonObject {
  return present(extra, {
    email,
    phone,
    first_name: firstName,
    last_name: lastName,
    address:
      address &&
      present(address.extra, {
        street: address.street,
        city: address.city,
        region: address.region,
        postal_code: address.postalCode,
        country: address.country,
      }),
  });
}

const productBody = ({ extra, ...product }: Product): JsonObject => present(extra, product);

function consentBody({ analytics, advertising, preferences, saleOfData, extra }: Consent): JsonObject {
  return present(extra, { analytics, advertising, preferences, sale_of_data: saleOfData });
}

/** Members that are not null, then what the sender added. */
function present(extra: JsonObject, members: Readonly<Record<string, JsonValue>>): JsonObject {
  const said = Object.entries(members).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(said), ...extra };
}
