/** What the daily refresh reads: fixed addresses that travel with the code. No request ever adds one. */
import {
  type EmbeddedCopy,
  keySources,
  rangeSources,
  type SignatureAgentType,
  searchEngineRangeSources,
} from '@ghostlight/core';

export type ListSource =
  | {
      readonly kind: 'list';
      readonly id: 'list';
      readonly url: string;
      /** The Ed25519 public key of its signatures, base64url. */
      readonly key: string;
      readonly embedded: EmbeddedCopy;
    }
  | {
      readonly kind: 'ranges';
      /** Names the source in the table, in the status and in logs. */
      readonly id: string;
      readonly url: string;
      readonly engine: string;
      readonly bots: readonly string[];
      /** Of search crawlers: never part of the bot list. */
      readonly searchEngines?: true;
      /** What is in use until the source is first read well. */
      readonly embedded: EmbeddedCopy;
    }
  | {
      readonly kind: 'keys';
      readonly id: string;
      readonly url: string;
      readonly bots: readonly string[];
      /** What answers there; absent: a key directory. */
      readonly type?: SignatureAgentType;
      readonly embedded: EmbeddedCopy;
    };

/** Range files first, those of search crawlers behind, then key directories. Agents that are known by host pattern have no directory of their own to poll. */
export function listSources(): ListSource[] {
  const ranges = rangeSources().map((source): ListSource => ({ kind: 'ranges', ...source }));
  const directories = keySources().map(
    ({ url, type, bots, embedded }): ListSource => ({
      kind: 'keys',
      type,
      id: `keys:${new URL(url).hostname}`,
      url,
      bots,
      embedded,
    }),
  );
  const search = searchEngineRangeSources().map(
    (source): ListSource => ({ kind: 'ranges', searchEngines: true, ...source }),
  );
  return [...ranges, ...search, ...directories];
}

/** These answer plain clients with a challenge page (observed); a browser's headers are let through. */
const CHALLENGING = ['openai.com', 'chatgpt.com', 'perplexity.ai', 'perplexity.com'];

export function wantsBrowserHeaders(host: string): boolean {
  return CHALLENGING.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
