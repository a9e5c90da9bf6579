/**
 * Web Bot Auth from log lines: a line that holds the three headers of a signed request is checked by the collector's own rules, at the line's
 * time. Nothing waits here: keys come from the lists in use, and a directory that lacks one is read later, for later lines.
 *
 * A nonce is not remembered. The same line may come twice, agents send one signature with several requests, and only who saw the request
 * could repeat it: within its life, to the same host.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  directoryUrl,
  isHostOf,
  type LoggedSignature,
  type ObservedHit,
  PUBLISHED_TEST_KEYS,
  type SignatureAgent,
  type SignatureAgentKey,
  type SignatureFlaw,
} from '@ghostlight/core';
import {
  type Candidate,
  holds,
  namesListedAgent,
  type ProfileRules,
  type Refusal,
  readSignatures,
  type SignedRequest,
} from '@ghostlight/core/signed-request';
import type { CheckBudget } from './check-budget.ts';
import type { KeyDirectories, SignatureChecks, SigningLists } from './ports.ts';

/** A log has the time at which the answer ended: a signature may have expired so many seconds before. */
const GRACE = 60;
/** The collector's, as seen from the time before which nothing may have expired. */
const RULES: ProfileRules = { maxLifetime: 24 * 3600, clockSkew: 60 + GRACE };
const MAX_IMPORTED = 256;
const AUTHORITY = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Components → what a line must have for them. */
const NEEDS_TARGET: ReadonlySet<string> = new Set(['@path', '@query', '@target-uri']);

/** The profile's reasons that are about time. */
const UNTIMELY: ReadonlySet<string> = new Set(['expired', 'not yet valid']);

type Found = { readonly agent: string } | { readonly flaw: SignatureFlaw } | null;

/** @param keys a memory that several may share */
export function createSignatureChecks(
  directories: Pick<KeyDirectories, 'held' | 'want'>,
  budget: CheckBudget,
  keys = createPublicKeys(),
): SignatureChecks {
  const examine = (
    request: SignedRequest,
    candidate: Candidate,
    signed: LoggedSignature,
    organizationId: string,
    lists: SigningLists,
  ): Found => {
    const { directory, keyid, type } = candidate;
    const agent = lists.signatureAgents.find(directory);
    if (agent === null || (agent.type ?? 'directory') !== type) return { flaw: 'signature_agent_unknown' };
    const key = keys.pick(keysFor(agent, directory, directories), keyid);
    if (key === null) {
      // An agent card names its keys another way: those come with the list alone.
      if (type !== 'cimd')
        directories.want(directory, { organizationId, isListed: isListedAs(agent, directory) });
      return { flaw: 'signature_key_unknown' };
    }
    if (!budget.take(organizationId)) return { flaw: 'signature_unchecked' };
    const outcome = holds(request, candidate, {
      knows: (name) => isKnown(name, signed),
      verify: (base, signature) => verify(null, base, key, signature),
    });
    if (outcome === 'holds') return { agent: directory };
    return { flaw: outcome === 'undecided' ? 'signature_incomplete' : 'signature_invalid' };
  };

  return {
    check(hit, { organizationId, domains }, lists) {
      const { signed } = hit;
      if (signed === null) return hit;
      const request = requestOf(signed);
      // Only where it can matter: of a listed bot, or of a visitor that says it is a listed agent.
      if (lists.tokens.match(hit.userAgent) === null && !namesListedAgent(request, lists)) return hit;
      if (!AUTHORITY.test(signed.authority) || !isHostOf(signed.authority, domains))
        return flawed(hit, 'signature_other_host');
      if (signed.scheme !== 'https') return flawed(hit, 'signature_incomplete');
      const all = readSignatures(request, hit.at - GRACE * 1_000, RULES).map((one) =>
        'outcome' in one ? refused(one) : examine(request, one, signed, organizationId, lists),
      );
      for (const found of all)
        if (found !== null && 'agent' in found) return { ...hit, ...VERIFIED, signatureAgent: found.agent };
      const flaw = MOST_TELLING.find((word) =>
        all.some((found) => found !== null && 'flaw' in found && found.flaw === word),
      );
      return flaw === undefined ? hit : flawed(hit, flaw);
    },
  };
}

const VERIFIED = { signatureCheck: 'verified', edgeVerified: true, edgeVerifiedBy: 'signature' } as const;
const flawed = (hit: ObservedHit, signatureCheck: SignatureFlaw): ObservedHit => ({ ...hit, signatureCheck });

/** Of several signatures none of which holds: first what could not be decided. */
const MOST_TELLING: readonly SignatureFlaw[] = [
  ...(['signature_unchecked', 'signature_key_unknown', 'signature_incomplete'] as const),
  ...(['signature_invalid', 'signature_expired', 'signature_agent_unknown'] as const),
];

/** Null: no signature of this scheme, which says nothing. */
function refused({ outcome, reason }: Refusal): Found {
  if (outcome === 'absent') return null;
  return {
    flaw: UNTIMELY.has(reason) ? 'signature_expired' : 'signature_invalid',
  };
}

function isKnown(component: string, { method, target }: LoggedSignature): boolean {
  if (component === '@method') return method !== '';
  return !NEEDS_TARGET.has(component) || target?.startsWith('/') === true;
}

/** What a line lacks is stood in for: no signature that covers it gets so far. */
function requestOf({ scheme, authority, method, target, ...fields }: LoggedSignature): SignedRequest {
  const values: Readonly<Record<string, string>> = {
    signature: fields.signature,
    'signature-input': fields.input,
    'signature-agent': fields.agent,
  };
  const get = (name: string): string | null => values[name] || null;
  return {
    method: method || 'GET',
    url: `${scheme || 'http'}://${authority.toLowerCase()}${target?.startsWith('/') === true ? target : '/'}`,
    headers: { get, has: (name) => get(name) !== null },
  };
}

/** A directory that was read lately speaks alone, so that a key which was withdrawn is none; an older one beside the list. */
function keysFor(
  agent: SignatureAgent,
  directory: string,
  directories: Pick<KeyDirectories, 'held'>,
): readonly SignatureAgentKey[] {
  const held = directories.held(directory);
  if (held?.isFresh === true) return held.keys;
  // The keys of a listed agent count for no other directory that its pattern allows.
  return [...(isListedAs(agent, directory) ? agent.keys : []), ...(held?.keys ?? [])];
}

const isListedAs = ({ url }: SignatureAgent, directory: string): boolean =>
  url !== undefined && directoryUrl(url) === directory;

interface PublicKey {
  readonly thumbprint: string;
  /** Null: no point of the curve, or a key that anyone can sign with. */
  readonly key: KeyObject | null;
}

/** Keys in the form that checks them, made once. */
export function createPublicKeys() {
  const imported = new Map<string, PublicKey>();
  const publicKey = (x: string): PublicKey => {
    const known = imported.get(x);
    if (known !== undefined) return known;
    const [oldest] = imported.keys();
    if (imported.size >= MAX_IMPORTED && oldest !== undefined) imported.delete(oldest);
    const made = importKey(x);
    imported.set(x, made);
    return made;
  };
  return {
    /** By the kid that the vendor gave the key, else by its thumbprint, which every key has. */
    pick(keys: readonly SignatureAgentKey[], keyid: string): KeyObject | null {
      const named =
        keys.find(({ kid }) => kid === keyid) ?? keys.find((key) => thumbprintOf(key.x) === keyid);
      return named === undefined ? null : publicKey(named.x).key;
    },
  };

  function thumbprintOf(x: string): string {
    return publicKey(x).thumbprint;
  }
}

function importKey(x: string): PublicKey {
  const jwk = { crv: 'Ed25519', kty: 'OKP', x };
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
  if (PUBLISHED_TEST_KEYS.has(thumbprint)) return { thumbprint, key: null };
  try {
    return { thumbprint, key: createPublicKey({ key: jwk, format: 'jwk' }) };
  } catch {
    return { thumbprint, key: null };
  }
}
