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
  const patterns: { pattern: RegExp; agent: SignatureAgent }[] = [];
  for (const agent of agents) {
    const url = agent.url === undefined ? null : directoryUrl(agent.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, agent);
    const pattern = agent.url_pattern === undefined ? null : compileUrlPattern(agent.url_pattern);
    if (pattern !== null) patterns.push({ pattern, agent });
  }
  return {
    find(identity) {
      const url = directoryUrl(identity.replaceAll('"', '').trim());
      if (url === null) return null;
      return byUrl.get(url) ?? patterns.find(({ pattern }) => pattern.test(url))?.agent ?? null;
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

/**
 * Compiles a `url_pattern`: an https URL in whose host `*` stands for 1 to 63 of `[a-z0-9-]`, so it never crosses a dot. At most
 * one `*` in a label, or the expression could be made to backtrack; none in the last two labels, or it would trust a whole
 * top-level domain.
 * @returns null when it is no such pattern
 */
export function compileUrlPattern(pattern: string): RegExp | null {
  const [, host, path] = /^https:\/\/([a-z0-9.*-]{1,253})(\/[\w./-]*)$/.exec(pattern) ?? [];
  if (host === undefined || path === undefined) return null;
  const labels = host.split('.');
  if (labels.length < 3 || labels.includes('')) return null;
  if (labels.some((label) => label.indexOf('*') !== label.lastIndexOf('*'))) return null;
  if (labels.slice(-2).some((label) => label.includes('*'))) return null;
  const source = labels.map((label) => label.replace('*', '[a-z0-9-]{1,63}')).join('\\.');
  return new RegExp(`^https://${source}${path.replaceAll('.', '\\.')}$`);
}
