/** Email addresses by the four rules that platforms have. One stored digest could not serve them all. */
import type { UserData } from '@ghostlight/core';
import { hashed, isHashed } from './hash.ts';

/**
 * - `plain`: trimmed, lower case; dots and tags stay (Meta, TikTok, LinkedIn, Pinterest, Snap, OpenAI)
 * - `google`: without any white space; at gmail.com and googlemail.com without dots and tag
 * - `reddit`: at every domain without tag, and the local part of letters and digits alone
 * - `microsoft`: at every domain without dots and tag
 */
export type EmailStyle = 'plain' | 'google' | 'reddit' | 'microsoft';

/** @returns null for what is no address after that; a digest as it is, in lower case */
export function normaliseEmail(email: string, style: EmailStyle): string | null {
  const text = email.trim().toLowerCase();
  if (isHashed(text)) return text;
  const address = style === 'plain' ? text : text.replace(/\s/gu, '');
  const at = address.lastIndexOf('@');
  const local = localPart(address.slice(0, Math.max(at, 0)), address.slice(at + 1), style);
  const domain = address.slice(at + 1);
  return at < 1 || local === '' || domain === '' || /\s/u.test(address) ? null : `${local}@${domain}`;
}

/** @returns SHA-256, or null where there is no usable address */
export function hashedEmail(user: UserData | null, style: EmailStyle): string | null {
  const email = user?.email ?? null;
  return email === null ? null : hashed(normaliseEmail(email, style));
}

function localPart(local: string, domain: string, style: EmailStyle): string {
  if (style === 'plain') return local;
  const untagged = local.replace(/\+.*$/su, '');
  if (style === 'reddit') return untagged.replace(/[^a-z0-9]/gu, '');
  const ignoresDots = style === 'microsoft' || domain === 'gmail.com' || domain === 'googlemail.com';
  return ignoresDots ? untagged.replaceAll('.', '') : local;
}
