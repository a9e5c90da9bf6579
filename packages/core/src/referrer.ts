/** Tells from a referrer or an `utm_source` which AI product a person came from. Hosts are compared by label, never as substrings. */
import type { ReferralSignal } from './hit.ts';
import type { BotLists } from './lists.ts';

export interface ReferrerMatch {
  /** Product name (`ChatGPT`); the listed domain or package itself where the list carries no name for it. */
  readonly engine: string;
  /** The list's entry that matched: a domain, or an app package. */
  readonly domain: string;
  readonly signal: ReferralSignal;
}

export interface ReferrerMatcher {
  /** @returns the AI product behind this visit, or null. The referrer counts before the tag. */
  match(referrer: string, utmSource: string | undefined): ReferrerMatch | null;
  /** @returns the AI product behind a referrer that the edge has cut to its host or app package, or null */
  matchHost(host: string): ReferrerMatch | null;
}

const ANDROID_APP = 'android-app:';

export function compileReferrers(
  lists: Pick<BotLists, 'ai_referrer_domains' | 'ai_referrer_apps' | 'ai_referrer_names'>,
): ReferrerMatcher {
  const domains = new Set(lists.ai_referrer_domains.map((domain) => domain.toLowerCase()));
  const apps = new Set(lists.ai_referrer_apps.map((app) => app.toLowerCase()));
  const names = new Map(Object.entries(lists.ai_referrer_names ?? {}));
  const found = (domain: string, signal: ReferralSignal): ReferrerMatch => ({
    engine: names.get(domain) ?? domain,
    domain,
    signal,
  });
  const matchDomain = (host: string): ReferrerMatch | null => {
    const domain = listedSuffix(domains, host);
    return domain === null ? null : found(domain, 'referrer');
  };
  const matchApp = (name: string): ReferrerMatch | null => (apps.has(name) ? found(name, 'app') : null);
  return {
    match(referrer, utmSource) {
      const origin = referrer === '' ? null : parseReferrer(referrer);
      if (origin !== null) {
        const match = origin.isApp ? matchApp(origin.host) : matchDomain(origin.host);
        if (match !== null) return match;
      }
      if (utmSource === undefined || utmSource === '') return null;
      // Engines tag links with the bare domain (`utm_source=chatgpt.com`), some with a host below it.
      const domain = listedSuffix(domains, stripTrailingDot(utmSource.trim().toLowerCase()));
      return domain === null ? null : found(domain, 'utm_source');
    },
    matchHost(text) {
      const host = parseBareHost(text);
      return host === null ? null : (matchDomain(host) ?? matchApp(host));
    },
  };
}

const MAX_HOST = 253;

/** The longest listed domain that `host` is or lies below, found by dropping labels from the left. */
function listedSuffix(domains: ReadonlySet<string>, host: string): string | null {
  if (host.length > MAX_HOST) return null;
  let from = 0;
  while (true) {
    const suffix = host.slice(from);
    if (domains.has(suffix)) return suffix;
    const dot = host.indexOf('.', from);
    if (dot === -1) return null;
    from = dot + 1;
  }
}

const stripTrailingDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/** The edge and the service each strip a dot: of a host that has two the second would make another than the first. */
const isNoHost = (stripped: string): boolean => stripped === '' || stripped.endsWith('.');

/** Host of an http(s) referrer, or package of an Android app's; null for every other scheme and for what is no URL. */
export function parseReferrer(referrer: string): { host: string; isApp: boolean } | null {
  const url = URL.parse(referrer);
  if (url === null) return null;
  if (url.protocol === ANDROID_APP)
    return url.hostname === '' ? null : { host: url.hostname.toLowerCase(), isApp: true };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const host = stripTrailingDot(url.hostname);
  return isNoHost(host) ? null : { host, isApp: false };
}

/** A host (or app package) without scheme, port or path, lower-case; null for everything else, a word without a dot among it. */
export function parseBareHost(text: string): string | null {
  const host = stripTrailingDot(text.toLowerCase());
  if (isNoHost(host) || host.length > MAX_HOST || !(host.includes('.') || host.startsWith('['))) return null;
  // Whatever the URL parser reads otherwise than it stands is no host alone: a port, a path, a user, `1.5` for `1.0.0.5`.
  return URL.parse(`https://${host}/`)?.hostname === host ? host : null;
}

/**
 * Whether a visit comes from the site that it goes to: the referrer's host is the visited host, one of the property's domains, or lies
 * below one of them.
 * @param referrer a URL, or the bare host to which the edge cuts a sample's
 * @param host the visited host, with a port or without
 * @param ownDomains lower-case, without ports
 */
export function comesFromOwnSite(referrer: string, host: string, ownDomains: readonly string[]): boolean {
  if (referrer === '') return false;
  const origin = parseReferrer(referrer);
  const from = origin === null ? parseBareHost(referrer) : origin.isApp ? null : origin.host;
  if (from === null) return false;
  return (
    isAtOrBelow(from, withoutWww(host)) || ownDomains.some((domain) => isAtOrBelow(from, withoutWww(domain)))
  );
}

/** `www.shop.example` and `shop.example` are one site wherever both answer. */
function withoutWww(host: string): string {
  const bare = stripTrailingDot(host.replace(/:\d+$/, '').toLowerCase());
  const rest = bare.startsWith('www.') ? bare.slice(4) : bare;
  // `www.example` alone is a name like any other: below `example` lies half the web.
  return rest.includes('.') ? rest : bare;
}

/**
 * Whether a host, with a port or without, is one of a property's domains or lies below one of them.
 * @param ownDomains lower-case, without ports
 */
export function isHostOf(host: string, ownDomains: readonly string[]): boolean {
  const bare = stripTrailingDot(host.replace(/:\d+$/, '').toLowerCase());
  return ownDomains.some((domain) => isAtOrBelow(bare, withoutWww(domain)));
}

function isAtOrBelow(host: string, domain: string): boolean {
  if (domain === '' || !host.endsWith(domain)) return false;
  return host.length === domain.length || host[host.length - domain.length - 1] === '.';
}
