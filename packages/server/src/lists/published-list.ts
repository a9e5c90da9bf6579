/**
 * The list that a project publishes for its installations (`LISTS_URL`): patterns and referrers, signed. The server of the file can
 * neither change it nor bring an older one back, and what would blind or mislead an installation is refused whole.
 */
import { createPublicKey, verify } from 'node:crypto';
import { type BotLists, tokenFault, validateLists } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };

export type PublishedList = Pick<
  BotLists,
  | 'version'
  | 'generated_at'
  | 'bot_patterns'
  | 'ai_referrer_domains'
  | 'ai_referrer_apps'
  | 'ai_referrer_names'
>;

/** Three times today's list. */
export const MAX_PUBLISHED_BYTES = 512 * 1024;
/** 64 bytes in base64, and a line end. */
export const MAX_SIGNATURE_BYTES = 256;
/** A list that lacks more than this part of the bots in use is taken for a broken one. */
const MOST_DROPPED = 1 / 4;

/** What a new list is held against. */
export interface Standing {
  /** The lists that came with the code: their tokens were reviewed by hand. */
  readonly embedded: BotLists;
  /** The last good published list, or null. */
  readonly last: PublishedList | null;
}

/**
 * @param text the file, as it was served
 * @param signature Ed25519 over its bytes, base64
 * @param key the public key, base64url (the JWK's `x`)
 */
export function readPublishedList(
  text: string,
  signature: string,
  key: string,
  { embedded, last }: Standing,
): { readonly list: PublishedList } | { readonly error: string } {
  if (!isSigned(text, signature, key)) return { error: 'bad_signature' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: 'unparsable' };
  }
  if (typeof value !== 'object' || value === null) return { error: 'unparsable' };
  const { version, generated_at, bot_patterns, ai_referrer_domains, ai_referrer_apps, ai_referrer_names } =
    value as PublishedList;
  const list: PublishedList = {
    ...{ version, generated_at, bot_patterns, ai_referrer_domains, ai_referrer_apps },
    ...(ai_referrer_names === undefined ? {} : { ai_referrer_names }),
  };
  const checked = validateLists({ ...embedded, ...list });
  if ('reasons' in checked) return { error: `refused: ${checked.reasons[0]}` };
  if (last !== null && version < last.version) return { error: `refused: version ${version} is older` };
  const fault = faultOf(list, embedded, last ?? embedded);
  return fault === null ? { list } : { error: `refused: ${fault}` };
}

function faultOf(
  { bot_patterns: patterns }: PublishedList,
  embedded: BotLists,
  before: PublishedList,
): string | null {
  const reviewed = new Set(embedded.bot_patterns.map(({ pattern }) => pattern));
  const tokens = new Set<string>();
  for (const { pattern } of patterns) {
    if (tokens.has(pattern)) return `the token "${pattern}" stands twice`;
    tokens.add(pattern);
    const fault = reviewed.has(pattern) ? null : tokenFault(pattern, userAgents.cases);
    if (fault !== null) return `the token "${pattern}" is ${fault}`;
  }
  const dropped = before.bot_patterns.filter(({ pattern }) => !tokens.has(pattern)).length;
  return dropped > before.bot_patterns.length * MOST_DROPPED ? `it drops ${dropped} bots at once` : null;
}

function isSigned(text: string, signature: string, x: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), 'base64'));
  } catch {
    return false;
  }
}
