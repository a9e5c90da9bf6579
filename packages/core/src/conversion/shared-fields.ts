/** The fields that a webhook and a browser event have in common, read in one way. */
import { quote } from '../json.ts';
import { currencyExponent } from './currencies.ts';
import { CONVERSION_LIMITS, type SharedFields } from './event.ts';
import type { Fields, SignRule } from './fields.ts';
import { readConsent, readProduct, readUserData } from './parts.ts';

export const VISITOR_ID = /^[\w.-]{1,128}$/;
/** The SDK's cookie, which plug-ins send whole: a version, the id, and when it was made. */
const COOKIE = /^v1\.([\w.-]{1,128})\.[0-9]{1,12}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const ID_CHARACTERS = 'Must be of letters, digits, "_", "." and "-".';

const { id: ID, text: TEXT } = CONVERSION_LIMITS;

/** All but `extra`, which is what remains after the caller has taken its own fields. */
export function readSharedFields(fields: Fields, sign: SignRule): Omit<SharedFields, 'extra'> {
  return {
    conversionId: fields.text(ID, 'conversion_id', 'transaction_id'),
    visitorId: readVisitorId(fields),
    eventTime: fields.time('event_time'),
    ...readAmount(fields, sign),
    tax: fields.decimal(sign, 'tax'),
    shipping: fields.decimal(sign, 'shipping'),
    discountCode: fields.text(TEXT, 'discount_code'),
    leadType: fields.text(TEXT, 'lead_type'),
    userData: readUserData(fields.group('user_data')),
    products: fields
      .objects(CONVERSION_LIMITS.products, 'products')
      .map((product) => readProduct(product, sign))
      .filter((product) => product !== null),
    consent: readConsent(fields),
  };
}

function readVisitorId(fields: Fields): string | null {
  // The cookie is longer than the longest id by version and time.
  const text = fields.text(CONVERSION_LIMITS.visitorId + 16, 'visitor_id');
  if (text === null) return null;
  const id = visitorIdOf(text);
  if (id === null) {
    fields.unusable('visitor_id', ID_CHARACTERS);
    return null;
  }
  if (COOKIE.test(text)) fields.warn('visitor_id', 'Is the whole cookie; the id inside it was taken.');
  else if (id !== text) fields.warn('visitor_id', 'Was written in lower case, as the SDK writes it.');
  return id;
}

/**
 * The visitor that a text names: the id itself, or the SDK's whole cookie `v1.<id>.<seconds>`. A UUID in lower case; other ids as they are.
 * @returns null for what can't be an id
 */
export function visitorIdOf(text: string): string | null {
  const id = COOKIE.exec(text)?.[1] ?? text;
  if (!VISITOR_ID.test(id)) return null;
  return UUID.test(id) ? id.toLowerCase() : id;
}

function readAmount(fields: Fields, sign: SignRule): Pick<SharedFields, 'value' | 'currency'> {
  const value = fields.decimal(sign, 'value');
  const currency = readCurrency(fields);
  const digits = currency === null ? null : currencyExponent(currency);
  const fraction = value?.split('.')[1]?.length ?? 0;
  if (digits !== null && fraction > digits)
    fields.warn(
      'value',
      `too_many_decimals: ${currency} has ${digits === 0 ? 'no decimals' : `${digits} decimals`}. The amount is kept as sent.`,
    );
  return { value, currency };
}

function readCurrency(fields: Fields): string | null {
  const code = fields.text(TEXT, 'currency')?.toUpperCase() ?? null;
  if (code === null || currencyExponent(code) !== null) return code;
  fields.unusable(
    'currency',
    `Must be a currency code of ISO 4217 such as "EUR"; ${quote(code)} is not one.`,
  );
  return null;
}
