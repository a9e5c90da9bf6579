/** The objects inside an event: customer, products, consent. */
import type { Address, Consent, Extra, Product, UserData } from './event.ts';
import { CONVERSION_LIMITS } from './event.ts';
import type { Fields, SignRule } from './fields.ts';

const HASHED = /^[0-9a-f]{64}$/i;
/** Loose on purpose: whether an address exists is known to its mail server alone. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@.]{2,}$/;
/** Whether a conversion takes the text for an email address: what it takes must be what an erasure can name. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
/** The characters of a telephone number, then perhaps an extension. Whether it is one, the server's library says. */
const PHONE = /^[+＋]?[\p{Nd}\s().,/‐-―−-]+(?:(?:;?ext[.=:]?|x|#)\s*\p{Nd}{1,8})?$/iu;

const { email: EMAIL_LIMIT, phone: PHONE_LIMIT, text: TEXT, id: ID } = CONVERSION_LIMITS;

/** @returns null where the object says nothing */
export function readUserData(fields: Fields | null): UserData | null {
  if (fields === null) return null;
  return orNull({
    email: readEmail(fields),
    phone: readPhone(fields),
    firstName: fields.text(TEXT, 'first_name'),
    lastName: fields.text(TEXT, 'last_name'),
    address: readAddress(fields.group('address')),
    extra: fields.rest(),
  });
}

/** A customer's typing error must not cost the order: what can't be used is left out, and said. */
function readEmail(fields: Fields): string | null {
  const text = fields.text(EMAIL_LIMIT, 'email');
  if (text === null || HASHED.test(text)) return text?.toLowerCase() ?? null;
  if (isEmail(text)) return text;
  fields.warn('email', 'Was left out: must be an email address, or its SHA-256 as 64 hexadecimal digits.');
  return null;
}

function readPhone(fields: Fields): string | null {
  const text = fields.text(PHONE_LIMIT, 'phone');
  if (text === null || HASHED.test(text)) return text?.toLowerCase() ?? null;
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (PHONE.test(text) && digits >= 5 && digits <= 24) return text;
  fields.warn(
    'phone',
    'Was left out: must be a number in international form such as +49 30 901820, or its SHA-256 as 64 hexadecimal digits.',
  );
  return null;
}

function readAddress(fields: Fields | null): Address | null {
  if (fields === null) return null;
  return orNull({
    street: fields.text(TEXT, 'street'),
    city: fields.text(TEXT, 'city'),
    region: fields.text(TEXT, 'region'),
    postalCode: fields.text(TEXT, 'postal_code'),
    country: fields.text(TEXT, 'country'),
    extra: fields.rest(),
  });
}

/** @returns null where the object says nothing */
export function readProduct(fields: Fields, sign: SignRule): Product | null {
  return orNull({
    id: fields.text(ID, 'id', 'product_id', 'sku'),
    name: fields.text(CONVERSION_LIMITS.productName, 'name', 'product_name'),
    sku: fields.text(ID, 'sku'),
    quantity: fields.decimal(sign, 'quantity'),
    price: fields.decimal(sign, 'price'),
    discount: fields.decimal('drop', 'discount'),
    extra: fields.rest(),
  });
}

const CONSENT = ['analytics', 'advertising', 'preferences', 'sale_of_data'];

/** What can't be read was no silence, and no yes. */
const UNREADABLE: Consent = {
  analytics: false,
  advertising: false,
  preferences: false,
  saleOfData: false,
  extra: {},
};

/**
 * @param event the fields that `consent` is one of
 * @returns null where it says nothing: silence is not consent, and not its denial
 */
export function readConsent(event: Fields): Consent | null {
  const fields = event.consentGroup('consent');
  if (fields === null) return event.says('consent') ? UNREADABLE : null;
  const consent = {
    analytics: fields.consent('analytics'),
    advertising: fields.consent('advertising'),
    preferences: fields.consent('preferences'),
    saleOfData: fields.consent('sale_of_data'),
    extra: fields.rest(),
  };
  // A denial under a name that we don't know would otherwise be passed over in silence.
  for (const name of Object.keys(consent.extra))
    fields.warn(name, `Is kept but has no effect: consent is given by ${CONSENT.join(', ')}.`);
  return orNull(consent);
}

/** PHP writes `""` into every field of a customer who filled in none. */
function orNull<Part extends { readonly extra: Extra }>(part: Part): Part | null {
  const { extra, ...members } = part;
  const isEmpty =
    Object.keys(extra).length === 0 && Object.values(members).every((member) => member === null);
  return isEmpty ? null : part;
}
