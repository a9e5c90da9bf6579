/** Finds the public key of a signature, by the pair of directory and keyid: a keyid alone could belong to anyone. */
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
  /** From the list and from what was read before; else the directory is read. @returns null when no directory has the key */
  find(query: KeyQuery): Promise<PublicKey | null>;
  /** Past what is known: a vendor may have put another key under the same short kid. */
  findAnew(query: KeyQuery): Promise<PublicKey | null>;
}

export function createKeys(directories: Directories, now: () => number, refused: ReadonlySet<string>): Keys {
  const imported = new Map<string, PublicKey>();

  const publicKey = async (x: string): Promise<PublicKey | null> => {
    const held = imported.get(x);
    if (held !== undefined) return held;
    const thumbprint = await keyThumbprint(x);
    if (refused.has(thumbprint)) return null;
    const key = await crypto.subtle
      .importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', false, ['verify'])
      // 32 bytes that are no point of the curve: a runtime may refuse them here, or find that nothing verifies.
      .catch(() => null);
    if (key === null) return null;
    const [oldest] = imported.keys();
    if (imported.size >= MAX_IMPORTED && oldest !== undefined) imported.delete(oldest);
    const made = { x, thumbprint, key };
    imported.set(x, made);
    return made;
  };

  /** By the kid that the vendor gave the key, else by its thumbprint, which every key has. */
  const pick = async (keys: readonly SignatureAgentKey[], keyid: string): Promise<PublicKey | null> => {
    const named = keys.find(({ kid }) => kid === keyid);
    if (named !== undefined) return publicKey(named.x);
    for (const { x } of keys) if ((await keyThumbprint(x)) === keyid) return publicKey(x);
    return null;
  };

  /** A directory that was read lately speaks alone; an old one only beside the list. */
  const lookUp = async ({
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
      // A card holds no key set of its own kind: the service reads it, and its keys come with the list.
      if (agent.type === 'cimd') return pick(agent.keys, query.keyid);
      const first = await lookUp(query);
      if (first.key !== null && first.isFresh) return first.key;
      await directories.lookIntoCache(directory, siteOrigin);
      const second = await lookUp(query);
      if (second.key !== null && second.isFresh) return second.key;
      await directories.read(directory, siteOrigin, isListed(agent, directory));
      return (await lookUp(query)).key;
    },
    async findAnew(query) {
      const { directory, siteOrigin, agent } = query;
      if (agent.type === 'cimd') return null;
      await directories.lookIntoCache(directory, siteOrigin);
      await directories.read(directory, siteOrigin, isListed(agent, directory));
      return (await lookUp(query)).key;
    },
  };
}

/** Whether the list names this very directory; the keys of a listed agent count for no other. */
const isListed = ({ url }: SignatureAgent, directory: string): boolean =>
  url !== undefined && directoryUrl(url) === directory;
