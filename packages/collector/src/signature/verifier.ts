/**
 * Verifies Web Bot Auth signatures after the response. Three things can come of it beside "no signature": proved right, proved wrong,
 * and not decided. What is not decided is never held against the visitor.
 */
import { type CompiledLists, PUBLISHED_TEST_KEYS, type SignatureAgent } from '@ghostlight/core';
import type { EdgeCache } from '../platform.ts';
import { createDirectories } from './directories.ts';
import { createKeys } from './keys.ts';
import { refute } from './refute.ts';
import {
  type Candidate,
  type ProfileRules,
  type Refusal,
  readSignatures,
  type SignedRequest,
} from './signed-request.ts';

export type SignatureOutcome =
  | {
      readonly outcome: 'verified';
      readonly agent: SignatureAgent;
      /** The key directory's URL: the wire's `signature_agent`. */
      readonly identity: string;
    }
  | Refusal;

export interface SignatureVerifier {
  /**
   * For `waitUntil` only: an unknown key of a listed agent is looked for in its directory. Never rejects.
   * @param siteOrigin origin of the visited site, for cache keys
   */
  verify(request: SignedRequest, lists: CompiledLists, siteOrigin: string): Promise<SignatureOutcome>;
}

export interface SignatureRules extends ProfileRules {
  /** RFC 7638 thumbprints of keys that are public, so that anyone can sign with them. */
  readonly refusedKeys: ReadonlySet<string>;
}

const RULES: SignatureRules = { maxLifetime: 24 * 3600, clockSkew: 60, refusedKeys: PUBLISHED_TEST_KEYS };

export interface VerifierDeps {
  readonly fetch: typeof fetch;
  readonly openCache: () => Promise<EdgeCache | null>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: (sentence: string) => void;
  /** Others than ours only for the drafts' own vectors, which live for a century and are signed with the published keys. */
  readonly rules?: SignatureRules;
}

/** Once per isolate: it remembers keys. */
export function createSignatureVerifier(deps: VerifierDeps): SignatureVerifier {
  const { now, rules = RULES } = deps;
  const directories = createDirectories({ ...deps, refusedKeys: rules.refusedKeys });
  const keys = createKeys(directories, now, rules.refusedKeys);

  const check = async (
    request: SignedRequest,
    candidate: Candidate,
    lists: CompiledLists,
    siteOrigin: string,
  ): Promise<SignatureOutcome> => {
    const { directory, keyid, type } = candidate;
    const agent = lists.signatureAgents.find(directory);
    if (agent === null || (agent.type ?? 'directory') !== type)
      return { outcome: 'unverified', reason: 'the agent is not listed' };
    const query = { agent, directory, keyid, siteOrigin };
    const key = await keys.find(query);
    if (key === null) return { outcome: 'unverified', reason: 'the key is not known' };
    let refusal = await refute(request, candidate, key.key, now(), rules);
    if (refusal?.outcome === 'invalid' && key.thumbprint !== keyid) {
      const newer = await keys.findAnew(query);
      if (newer !== null && newer.x !== key.x)
        refusal = await refute(request, candidate, newer.key, now(), rules);
    }
    return refusal ?? { outcome: 'verified', agent, identity: directory };
  };

  return {
    async verify(request, lists, siteOrigin) {
      try {
        const outcomes: SignatureOutcome[] = [];
        for (const signature of readSignatures(request, now(), rules)) {
          const outcome =
            'outcome' in signature ? signature : await check(request, signature, lists, siteOrigin);
          if (outcome.outcome === 'verified') return outcome;
          outcomes.push(outcome);
        }
        return inAll(outcomes);
      } catch {
        return { outcome: 'unverified', reason: 'an error of ours' };
      }
    },
  };
}

/** Of several signatures none of which holds: one that could not be decided leaves the request undecided. */
function inAll(outcomes: readonly SignatureOutcome[]): SignatureOutcome {
  for (const word of ['unverified', 'invalid', 'absent'] as const) {
    const found = outcomes.find(({ outcome }) => outcome === word);
    if (found !== undefined) return found;
  }
  return { outcome: 'absent', reason: 'no signature' };
}
