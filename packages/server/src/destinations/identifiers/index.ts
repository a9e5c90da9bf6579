/** What platforms recognise people by, normalised as each of them asks. Nothing empty is ever hashed, and nothing twice. */
export { countryCode } from './country.ts';
export { type EmailStyle, hashedEmail, normaliseEmail } from './email.ts';
export { externalId, hashed, sha256Hex } from './hash.ts';
export { hashedName, type NameStyle, nameOf } from './names.ts';
export { hashedPhone, notesOnPhone, phoneE164 } from './phone.ts';
export { cityOf, countryOf, type PlaceStyle, postalOf, regionOf } from './place.ts';
export { regionCode } from './region.ts';
