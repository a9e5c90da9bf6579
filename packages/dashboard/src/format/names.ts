/** Names of values of the API. An unknown value is shown as received. */
import type { HitClass, Intent } from '../api/types.ts';

export const CLASS_NAMES: Readonly<Record<HitClass, string>> = {
  ai_bot: 'AI bot',
  ai_referral: 'AI referral',
  sample: 'Traffic sample',
  search_engine: 'Search crawler',
  event: 'Browser event',
  test: 'Test visit',
};

const INTENT_NAMES: Readonly<Record<Intent, string>> = {
  training: 'Training',
  search: 'Search',
  on_demand: 'On demand',
  other: 'Other',
};

/** Sources that are not log sources. */
const OTHER_SOURCES: Readonly<Record<string, string>> = {
  browser: 'Browser SDK',
  sdk: 'Browser SDK',
};

const METHOD_NAMES: Readonly<Record<string, string>> = {
  signature: 'request signature, verified by collector',
  edge_cidr: 'published IP range, verified by collector',
  edge_platform: 'bot verification of the CDN',
  server_cidr: 'published IP range, verified by server',
};

export function intentName(intent: string | null): string {
  return intent === null || intent === '' ? '' : (INTENT_NAMES[intent as Intent] ?? intent);
}

/** `OpenAI · Training`: who made a bot and what it comes for, as far as they are known. */
export const makerAndIntent = (vendor: string, intent: string | null): string =>
  [vendor, intentName(intent)].filter((part) => part !== '').join(' · ');

/** @param sources the log sources of the service */
export function sourceName(
  source: string,
  sources: readonly { readonly name: string; readonly title: string }[],
): string {
  return sources.find(({ name }) => name === source)?.title ?? OTHER_SOURCES[source] ?? source;
}

export function methodName(method: string | null): string {
  return method === null || method === '' ? '' : (METHOD_NAMES[method] ?? method);
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** `United States` for `US`; empty for an unknown code. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return '';
  try {
    return REGIONS.of(code) ?? '';
  } catch {
    return '';
  }
}

/** `853 B`, `30 kB`, `1.4 MB`: decimal. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [unit, size] = bytes < 1_000_000 ? ['kB', bytes / 1_000] : ['MB', bytes / 1_000_000];
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`;
}

/** `1 hit`, `1,204 hits`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
