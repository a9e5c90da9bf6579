/** The fields that a webhook and a browser event have in common, read in one way. */
import { quote } from '../json.ts';
import { currencyExponent } from './currencies.ts';
import { CONVERSION_LIMITS, type SharedFields } from './event.ts';
import type { Fields, SignRule } from './fields.ts';
import { readConsent, readProduct, readUserData } from './parts.ts';

export const VISITOR_ID = /^[\w.-]{1,128}$/;
export const ID_CHARACTERS = 'Must be of letters, digits, "_", "." and "-".';

const { id: ID, text: TEXT } = CONVERSION_LIMITS;

/** All but `extra`, which is what remains after the caller has taken its own fields. */
export function readSharedFields(fields: Fields, sign: SignRule): Omit<SharedFields, 'extra'> {
  return {
    conversionId: fields.text(ID, 'conversion_id', 'transaction_id'),
    visitorId: fields.matching(VISITOR_ID, CONVERSION_LIMITS.visitorId, ID_CHARACTERS, 'visitor_id'),
    eventTime: fields.time('event_time'),
    value: fields.decimal(sign, 'value'),
    currency: readCurrency(fields),
    tax: fields.decimal(sign, 'tax'),
    shipping: fields.decimal(sign, 'shipping'),
    discountCode: fields.text(TEXT, 'discount_code'),
    leadType: fields.text(TEXT, 'lead_type'),
    userData: readUserData(fields.group('user_data')),
    products: fields
      .objects(CONVERSION_LIMITS.products, 'products')
      .map((product) => readProduct(product, sign))
      .filter((product) => product !== null),
    consent: readConsent(fields.group('consent')),
  };
}

function readCurrency(fields: Fields): string | null {
  const code = fields.text(TEXT, 'currency')?.toUpperCase() ?? null;
  if (code === null || currencyExponent(code) !== null) return code;
  fields.error('currency', `Must be a currency code of ISO 4217 such as "EUR"; ${quote(code)} is none.`);
  return null;
}
