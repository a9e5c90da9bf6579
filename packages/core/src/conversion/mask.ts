/** Personal data as a display or a log may show it: enough to recognise one's own test, too little to contact the person. */
import type { JsonValue } from '../json.ts';
import type { Extra, UserData } from './event.ts';

const MASK = '***';
const HASHED = /^[0-9a-f]{64}$/;

/** @returns the same shape; every value that tells who it is masked, unknown fields whole. City, region and country stay. */
export function maskPersonal(user: UserData): UserData {
  const { address } = user;
  return {
    email: user.email && maskEmail(user.email),
    phone: user.phone && maskPhone(user.phone),
    firstName: user.firstName && maskName(user.firstName),
    lastName: user.lastName && maskName(user.lastName),
    address: address && {
      ...address,
      street: address.street && MASK,
      postalCode: address.postalCode && maskPostalCode(address.postalCode),
      extra: maskAll(address.extra),
    },
    extra: maskAll(user.extra),
  };
}

/** `jane@mail.example.com` → `j***@m***.com` */
export function maskEmail(email: string): string {
  if (HASHED.test(email)) return maskHash(email);
  const at = email.lastIndexOf('@');
  if (at === -1) return MASK;
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  return `${first(email)}${MASK}@${first(host)}${MASK}${dot === -1 ? '' : host.slice(dot)}`;
}

/** `+49 30 901820` → `+49…20` */
export function maskPhone(phone: string): string {
  if (HASHED.test(phone)) return maskHash(phone);
  const digits = phone.replace(/[^\p{Nd}]/gu, '');
  // Of a short number three and two digits would be most of it.
  if ([...digits].length < 8) return MASK;
  const start = phone.startsWith('+') ? `+${[...digits].slice(0, 2).join('')}` : '';
  return `${start}…${[...digits].slice(-2).join('')}`;
}

/** Wider than any mail server accepts: what is masked in vain costs less than what is shown. */
const EMAIL_INSIDE = /[^\s@"<>()[\],;:\\]{1,64}(?:@(?:[\p{L}\p{N}_-]{1,63}\.){1,8}\p{L}{2,24})+/gu;
/** In international form alone: digits without a plus are article numbers far more often. */
const PHONE_INSIDE = /\+[1-9][0-9 ()/.-]{6,18}[0-9]/g;

/** @returns the text with the email addresses and telephone numbers in it masked */
export const maskFound = (text: string): string =>
  text.replace(EMAIL_INSIDE, MASK).replace(PHONE_INSIDE, MASK);

/**
 * What is left of a sender's text once a person is forgotten: ids that it made of an address or of the visitor's id name them too.
 * @param visitors ids of the visitor, masked in any spelling
 * @returns the same text when it names none of them
 */
export function maskPerson(text: string, visitors: readonly string[]): string {
  return visitors.reduce(
    (rest, id) =>
      id === '' ? rest : rest.replace(new RegExp(id.replace(/[^\p{L}\p{N}]/gu, '\\$&'), 'gi'), MASK),
    maskFound(text),
  );
}

/** The same for a sender's unknown fields, in which anything may stand. */
export function maskFoundIn(value: JsonValue): JsonValue {
  if (typeof value === 'string') return maskFound(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskFoundIn);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [maskFound(name), maskFoundIn(member)]),
  );
}

const maskAll = (extra: Extra): Extra =>
  Object.fromEntries(Object.keys(extra).map((name) => [maskFound(name), MASK]));
const maskName = (name: string): string => `${first(name)}${MASK}`;
const maskHash = (hash: string): string => `${hash.slice(0, 4)}…`;
const maskPostalCode = (code: string): string => `${[...code].slice(0, 2).join('')}…`;

/** A character of any plane, not half of one. */
const first = (text: string): string => [...text][0] ?? '';
