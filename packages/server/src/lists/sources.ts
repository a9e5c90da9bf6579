/** What the daily refresh reads: fixed addresses that travel with the code. No request ever adds one. */
import { embeddedLists, rangeSources } from '@ghostlight/core';

export type ListSource =
  | {
      readonly kind: 'ranges';
      /** Names the source in the table, in the status and in logs. */
      readonly id: string;
      readonly url: string;
      readonly engine: string;
      readonly bots: readonly string[];
    }
  | { readonly kind: 'keys'; readonly id: string; readonly url: string };

/** Range files first, then key directories. Agents that are known by host pattern have no directory of their own to poll. */
export function listSources(): ListSource[] {
  const ranges = rangeSources().map(
    ({ id, url, engine, bots }): ListSource => ({ kind: 'ranges', id, url, engine, bots }),
  );
  const directories = embeddedLists().signature_agents.flatMap(({ url }): ListSource[] =>
    url === undefined ? [] : [{ kind: 'keys', id: `keys:${new URL(url).hostname}`, url }],
  );
  return [...ranges, ...directories];
}

/** These answer plain clients with a challenge page (observed); a browser's headers are let through. */
const CHALLENGING = ['openai.com', 'chatgpt.com', 'perplexity.ai', 'perplexity.com'];

export function wantsBrowserHeaders(host: string): boolean {
  return CHALLENGING.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
