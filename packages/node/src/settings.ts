/**
 * The options as what they mean. An option that can't be used never stops the application: nothing is reported, and a sentence says which one
 * it is. No sentence quotes a value, because a key may have been pasted into any of them.
 */
import { MIN_SAMPLE_RATE } from '@ghostlight/core';
import type { GhostlightOptions } from './api.ts';
import { type Trust, trustOf } from './client-address.ts';

export interface Settings {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** Lower-case UUID. */
  readonly attributionId: string;
  readonly trust: Trust;
  /** Lower-case; null: as the request says. */
  readonly host: string | null;
  readonly sampleRate: number;
  readonly manifest: boolean;
  readonly maxQueue: number;
}

const DEFAULT_SAMPLE_RATE = 0.02;
const DEFAULT_QUEUE = 5_000;
const MOST_QUEUED = 1_000_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/;

type Report = (sentence: string) => void;

/**
 * Pure, and never throws, whatever the application hands in.
 * @returns null where nothing can be reported; `problems`: what a person should read, each naming its option
 */
export function readSettings(given: Partial<Record<keyof GhostlightOptions, unknown>>): {
  settings: Settings | null;
  problems: readonly string[];
} {
  const problems: string[] = [];
  const report: Report = (sentence) => void problems.push(sentence);
  const url = readUrl(given.url, report);
  const key = readKey(given.key, report);
  const attributionId = readId(given.attributionId, report);
  const trust = trustOf(given.trustProxy);
  if (trust === null)
    report(
      'trustProxy is how many proxies are in front of the application, their addresses, or the name of the header that holds the client’s address. X-Forwarded-For is a list: say how many proxies add to it.',
    );
  const sampleRate = readRate(given.sampleRate, report);
  const host = typeof given.host === 'string' ? given.host.trim().toLowerCase() : '';
  if (host !== '' && !HOST.test(host)) report('host is a host name, such as shop.example; it is not used.');
  const maxQueue = Number(given.maxQueue ?? DEFAULT_QUEUE);
  const isBound = Number.isInteger(maxQueue) && maxQueue > 0 && maxQueue <= MOST_QUEUED;
  if (!isBound) report(`maxQueue is a number from 1 to ${MOST_QUEUED}; ${DEFAULT_QUEUE} is used.`);
  if (url === null || key === null || attributionId === null) {
    report('Nothing is reported until then; the application runs as usual.');
    return { settings: null, problems };
  }
  const settings: Settings = {
    ...{ url, key, attributionId, sampleRate },
    // What can't be read names no address: a wrong one would accuse genuine bots.
    trust: trust ?? { kind: 'unknown' },
    host: HOST.test(host) ? host : null,
    manifest: given.manifest === true,
    maxQueue: isBound ? maxQueue : DEFAULT_QUEUE,
  };
  return { settings, problems };
}

function readUrl(value: unknown, report: Report): string | null {
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    report(
      'url is the address of the service, such as https://ghostlight.example. Copy it from the setup page.',
    );
    return null;
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    report('url is the address of the service alone, without a key. Copy it from the setup page.');
    return null;
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function readKey(value: unknown, report: Report): string | null {
  const key = typeof value === 'string' ? value.trim() : '';
  if (/^svc_cf_[!-~]{1,249}$/.test(key)) return key;
  if (key === '') report('key is missing. Set it to an ingest key (svc_cf_…), from the environment.');
  else if (/^bearer\s/i.test(key)) report('key begins with “Bearer”. Set it to the key alone.');
  else report('key is no ingest key. Set it to the key (svc_cf_…) that was shown when it was issued.');
  return null;
}

function readId(value: unknown, report: Report): string | null {
  const id = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (UUID.test(id)) return id;
  report('attributionId is the UUID of your property. Copy it from the setup page.');
  return null;
}

function readRate(value: unknown, report: Report): number {
  if (value === undefined) return DEFAULT_SAMPLE_RATE;
  const isShare = typeof value === 'number' && (value === 0 || (value >= MIN_SAMPLE_RATE && value <= 1));
  if (isShare) return value;
  report(`sampleRate is a number from 0 to 1; ${DEFAULT_SAMPLE_RATE} is used.`);
  return DEFAULT_SAMPLE_RATE;
}
