/** Finds the public key of a signature, by the pair of directory and keyid: a keyid alone could be anybody's. */
import { directoryUrl, keyThumbprint, type SignatureAgent, type SignatureAgentKey } from '@ghostlight/core';
import type { Directories } from './directories.ts';

const MAX_IMPORTED = 128;

export interface PublicKey {
  readonly x: string;
  readonly thumbprint: string;
  readonly key: CryptoKey;
}

/** What is looked for, and for whom. */
export interface KeyQuery {
  readonly agent: SignatureAgent;
  /** The listed directory, or one that the agent's pattern allows. */
  readonly directory: string;
  readonly keyid: string;
  readonly siteOrigin: string;
}

export interface Keys {
  /** From the list and from what was read before; else the directory is read. @returns null when nobody knows the key */
  find(query: KeyQuery): Promise<PublicKey | null>;
  /** Past what is known: a vendor may have put another key under the same short kid. */
  findAnew(query: KeyQuery): Promise<PublicKey | null>;
}

export function createKeys(directories: Directories, now: () => number, refused: ReadonlySet<string>): Keys {
  const imported = new Map<string, PublicKey>();

  const publicKey = async (x: string): Promise<PublicKey | null> => {
    const known = imported.get(x);
    if (known !== undefined) return known;
    const thumbprint = await keyThumbprint(x);
    if (refused.has(thumbprint)) return null;
    const jwk = { kty: 'OKP', crv: 'Ed25519', x };
    const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
    const [oldest] = imported.keys();
    if (imported.size >= MAX_IMPORTED && oldest !== undefined) imported.delete(oldest);
    const made = { x, thumbprint, key };
    imported.set(x, made);
    return made;
  };

  /** Vendors' short kids first, then thumbprints, which a list entry need not spell out. */
  const pick = async (keys: readonly SignatureAgentKey[], keyid: string): Promise<PublicKey | null> => {
    const named = keys.find(({ kid }) => kid === keyid);
    if (named !== undefined) return publicKey(named.x);
    for (const { x } of keys) {
      const key = await publicKey(x);
      if (key?.thumbprint === keyid) return key;
    }
    return null;
  };

  /** A directory that was read lately speaks alone; an old one only beside the list. */
  const known = async ({
    agent,
    directory,
    keyid,
  }: KeyQuery): Promise<{ key: PublicKey | null; isFresh: boolean }> => {
    const held = directories.held(directory);
    if (held !== null && now() < held.freshUntil) return { key: await pick(held.keys, keyid), isFresh: true };
    const listed = await pick(isListed(agent, directory) ? agent.keys : [], keyid);
    return { key: listed ?? (await pick(held?.keys ?? [], keyid)), isFresh: listed !== null };
  };

  return {
    async find(query) {
      const { directory, siteOrigin, agent } = query;
      const first = await known(query);
      if (first.key !== null && first.isFresh) return first.key;
      await directories.lookIntoCache(directory, siteOrigin);
      const second = await known(query);
      if (second.key !== null && second.isFresh) return second.key;
      await directories.read(directory, siteOrigin, isListed(agent, directory));
      return (await known(query)).key;
    },
    async findAnew(query) {
      const { directory, siteOrigin, agent } = query;
      await directories.lookIntoCache(directory, siteOrigin);
      await directories.read(directory, siteOrigin, isListed(agent, directory));
      return (await known(query)).key;
    },
  };
}

/** Whether the list names this very directory; the keys of a listed agent count for no other. */
const isListed = ({ url }: SignatureAgent, directory: string): boolean =>
  url !== undefined && directoryUrl(url) === directory;
