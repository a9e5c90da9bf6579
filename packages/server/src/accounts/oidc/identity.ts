/** What the provider says of a person, read from its claims. Everything in it is text that another service has written. */
import { isObject } from '@ghostlight/core';
import { normalizeEmail } from '../parts.ts';
import { OidcError } from './failure.ts';

const MAX_SUBJECT = 255;
const MAX_EMAIL = 254;
const MAX_NAME = 100;
const MAX_GROUPS = 2_000;
const MAX_GROUP = 512;

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Lower case; null: the provider says none. */
  readonly email: string | null;
  /** undefined: the provider says nothing of it. */
  readonly emailVerified: boolean | undefined;
  readonly name: string | null;
  /** Without groups a person has none: a claim that is missing takes roles away, as one without the group does. */
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** @throws OidcError `invalid`, `too_many_groups` */
export function readIdentity(claims: Claims, groupsClaim: string): Identity {
  const { iss, sub, email, email_verified: verified, name } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT)
    throw new OidcError('invalid', 'subject');
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' && isAddress(email) ? normalizeEmail(email) : null,
    // Some providers send the word.
    emailVerified:
      verified === true || verified === 'true' ? true : verified === undefined ? undefined : false,
    name: typeof name === 'string' && name.trim() !== '' ? cleanName(name) : null,
    groups: groupsIn(claims, groupsClaim),
  };
}

const isAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text.trim());

const cleanName = (text: string): string =>
  text.replaceAll(/\p{C}/gu, '').trim().slice(0, MAX_NAME).toWellFormed();

/** Whether the claims have the groups: else they are asked for at the userinfo endpoint. */
export function hasGroups(claims: Claims, groupsClaim: string): boolean {
  return valueAt(claims, groupsClaim) !== undefined;
}

function groupsIn(claims: Claims, groupsClaim: string): readonly string[] {
  const value = valueAt(claims, groupsClaim);
  if (value === undefined) {
    // Microsoft Entra leaves the claim out of people with many groups, and says where they could be read. Taken for none, they would lose their roles.
    const elsewhere = claims['_claim_names'];
    if (isObject(elsewhere) && groupsClaim in elsewhere) throw new OidcError('too_many_groups', 'overage');
    return [];
  }
  const groups = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  if (groups.length > MAX_GROUPS) throw new OidcError('too_many_groups', String(groups.length));
  return groups.filter((group): group is string => typeof group === 'string' && group.length <= MAX_GROUP);
}

/** By its whole name, which may be an address with dots; else as a path, such as `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}
