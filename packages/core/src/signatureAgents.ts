/** Finds the listed agent that an identity (the `Signature-Agent` of a signed request) names. The request names no URL that is fetched. */
import type { SignatureAgent } from './lists.ts';

/** Path of every key directory (draft-ietf-webbotauth-httpsig-protocol). */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';

export interface SignatureAgentFinder {
  /** @param identity origin or directory URL, with or without the quotes of the header */
  find(identity: string): SignatureAgent | null;
}

export function compileSignatureAgents(agents: readonly SignatureAgent[]): SignatureAgentFinder {
  const byUrl = new Map<string, SignatureAgent>();
  const patterns: { pattern: string; agent: SignatureAgent }[] = [];
  for (const agent of agents) {
    const url = agent.url === undefined ? null : directoryUrl(agent.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, agent);
    if (agent.url_pattern !== undefined) patterns.push({ pattern: agent.url_pattern, agent });
  }
  return {
    find(identity) {
      const url = directoryUrl(identity.replaceAll('"', '').trim());
      if (url === null) return null;
      return byUrl.get(url) ?? patterns.find(({ pattern }) => matchesUrlPattern(pattern, url))?.agent ?? null;
    },
  };
}

/**
 * The key directory that an identity stands for: a bare origin gets the well-known path, query and fragment are dropped.
 * @returns null unless it is https on the default port without credentials
 */
export function directoryUrl(identity: string): string | null {
  const url = URL.parse(identity);
  if (url === null || url.protocol !== 'https:' || url.port !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  const path = url.pathname === '/' ? KEY_DIRECTORY_PATH : url.pathname;
  return `https://${url.hostname}${path}`;
}

/** `*` stands for one or more of `[a-z0-9-]`, so it never crosses a dot: `https://*.keys.example/` is one label deep. */
export function matchesUrlPattern(pattern: string, url: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('[a-z0-9-]{1,63}');
  return new RegExp(`^${source}$`).test(url);
}
