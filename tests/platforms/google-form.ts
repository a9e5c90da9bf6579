/** The forms of the Data Manager API, as its protos have them. */
import { isObject, type Json } from './fake.ts';
import { type Check, clickId, currency, flag, hash, list, number, object, oneOf, text } from './shape.ts';

const ACCOUNT = object({ accountType: oneOf('GOOGLE_ADS'), accountId: text(/^\d{1,20}$/) });
const DESTINATION = object(
  { operatingAccount: ACCOUNT, productDestinationId: text(/^\d+$/) },
  { reference: text(), loginAccount: ACCOUNT, linkedAccount: ACCOUNT },
);
const CONSENT_STATUS = oneOf('CONSENT_GRANTED', 'CONSENT_DENIED');
const CONSENT = object({}, { adUserData: CONSENT_STATUS, adPersonalization: CONSENT_STATUS });

export const INGEST = object(
  { destinations: list(DESTINATION, 1, 10), events: list(isEvent, 1, 2_000) },
  { encoding: oneOf('HEX', 'BASE64'), validateOnly: flag, consent: CONSENT },
);

function isEvent(value: unknown, path: string): string[] {
  return isObject(value) ? [] : [`${path} must be an object`];
}

/** Sent with all four members, or not at all. */
const ADDRESS = object({
  givenName: hash,
  familyName: hash,
  regionCode: text(/^[A-Z]{2}$/),
  postalCode: text(),
});
const IDENTIFIER: Check = (value, path) => [
  ...object({}, { emailAddress: hash, phoneNumber: hash, address: ADDRESS })(value, path),
  ...(isObject(value) && Object.keys(value).length === 1 ? [] : [`${path} must have one member`]),
];
/** JSON has int64 as a number or as text. */
const INT64: Check = (value, path) =>
  Number.isInteger(value) || /^\d+$/.test(String(value)) ? [] : [`${path} must be a whole number`];
const ITEM = object(
  {},
  {
    merchantProductId: text(),
    itemId: text(),
    quantity: INT64,
    unitPrice: number(),
    additionalItemParameters: list(isEvent),
  },
);
const CART = object(
  {},
  {
    merchantId: text(/^\d+$/),
    merchantFeedLabel: text(),
    merchantFeedLanguageCode: text(),
    transactionDiscount: number(),
    couponCodes: list(text(), 1),
    items: list(ITEM, 1, 1_000),
  },
);
/** `sessionAttributes` and `landingPageDeviceInfo` exist, for accounts that are on a list of Google's. */
const CLICKS: Check = (value, path) => [
  ...object({}, { gclid: clickId, gbraid: clickId, wbraid: clickId })(value, path),
  ...(isObject(value) && value['gbraid'] !== undefined && value['wbraid'] !== undefined
    ? [`${path} has both gbraid and wbraid`]
    : []),
];
const RFC3339 = text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/);
const EVENT_MEMBERS = object(
  { transactionId: text(null, 512), eventTimestamp: RFC3339 },
  {
    destinationReferences: list(text(), 1, 10),
    lastUpdatedTimestamp: RFC3339,
    eventSource: oneOf('WEB', 'APP', 'IN_STORE', 'PHONE', 'OTHER'),
    adIdentifiers: CLICKS,
    userData: object({ userIdentifiers: list(IDENTIFIER, 1, 10) }),
    consent: CONSENT,
    conversionValue: number(),
    currency,
    cartData: CART,
  },
);

/** One event; it has to identify a person, by a click or by a hash. */
export const EVENT: Check = (value, path) => [
  ...EVENT_MEMBERS(value, path),
  ...(isObject(value) && value['adIdentifiers'] === undefined && value['userData'] === undefined
    ? [`${path} has neither adIdentifiers nor userData`]
    : []),
  ...(isObject(value) && (value['conversionValue'] === undefined) !== (value['currency'] === undefined)
    ? [`${path} has one of conversionValue and currency`]
    : []),
];

export const timestampOf = (event: Json): number => Date.parse(String(event['eventTimestamp']));
