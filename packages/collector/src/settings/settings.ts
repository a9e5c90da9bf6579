/**
 * The collector's variables (docs/collector.md lists them) as what they mean. A variable that can't be used never
 * stops the site: forwarding is off, and a sentence says which variable it is and what to do. No sentence quotes a value, because a
 * key may have been pasted into any of them.
 */
import { MIN_SAMPLE_RATE } from '@ghostlight/core';
import type { CollectorEnv } from '../platform.ts';
import { isPlaceholder, type Report, readUrl, textOf } from './url.ts';

/** Where hits go, and under which name. */
export interface Forwarding {
  /** http(s), without a trailing slash. */
  readonly ingestUrl: string;
  readonly apiKey: string;
  /** Lower-case UUID; empty: the service files the hits under the key's default property. */
  readonly attributionId: string;
  /** null: the embedded lists are used, and never renewed. */
  readonly botlistUrl: string | null;
  /** 0 to 1: the share of all other traffic that is forwarded as anonymized samples. */
  readonly sampleRate: number;
}

export interface ManifestSource {
  /** With the attribution ID in it; ends in `/manifest/` unless the variable said otherwise. */
  readonly url: string;
  /** Lower-case UUID. */
  readonly attributionId: string;
}

export interface Settings {
  /** null: a variable is missing or malformed. */
  readonly forwarding: Forwarding | null;
  /** null: SERVICE_MANIFEST_URL is empty or can't be used. */
  readonly manifest: ManifestSource | null;
  /** Hosts of our own service: a route `*.example.com/*` may cover it, and its own traffic is no visit. */
  readonly ownHosts: ReadonlySet<string>;
}

const DEFAULT_SAMPLE_RATE = 0.02;
const INGEST_PATH = '/v1/logs/edge_worker';
/** As it is in the setup page and in the docs of the original collector. */
const ATTRIBUTION_PLACEHOLDER = /\{attribution_id\}|<attribution_id>/g;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Pure, and never throws, whatever the platform hands in.
 * @returns `problems`: what a person should read, each naming its variable
 */
export function readSettings(env: CollectorEnv): { settings: Settings; problems: readonly string[] } {
  const problems: string[] = [];
  const report: Report = (sentence) => void problems.push(sentence);
  const ingestUrl = readIngestUrl(env, report);
  const attributionId = readAttributionId(env, report);
  const botlistUrl = readBotlistUrl(env, report);
  const apiKey = readApiKey(env, report);
  const sampleRate = readSampleRate(env, report);
  const manifest = readManifestSource(env, attributionId, report);
  const complete = ingestUrl !== null && attributionId !== null && apiKey !== null;
  if (!complete) report('Nothing is forwarded until then; the site itself is served as usual.');
  const forwarding = complete ? { ingestUrl, apiKey, attributionId, botlistUrl, sampleRate } : null;
  const ownHosts = new Set<string>();
  for (const url of [ingestUrl, botlistUrl, manifest?.url]) {
    if (url !== null && url !== undefined) ownHosts.add(new URL(url).host);
  }
  return { settings: { forwarding, manifest, ownHosts }, problems };
}

function readIngestUrl(env: CollectorEnv, report: Report): string | null {
  const url = readUrl('SERVICE_INGEST_URL', textOf(env.SERVICE_INGEST_URL), report);
  if (url === null) return null;
  const mended = url.replace(/\/+$/, '');
  if (mended !== url) report('SERVICE_INGEST_URL ends in a slash, which is left out; remove it.');
  // Only said: a gateway may well have paths of its own.
  if (!new URL(mended).pathname.endsWith(INGEST_PATH)) {
    report(
      `SERVICE_INGEST_URL does not end in ${INGEST_PATH}; hits may not arrive. Look it up on the setup page.`,
    );
  }
  return mended;
}

function readAttributionId(env: CollectorEnv, report: Report): string | null {
  const id = textOf(env.SERVICE_ATTRIBUTION_ID).trim().toLowerCase();
  if (UUID.test(id)) return id;
  if (id === '') {
    report('SERVICE_ATTRIBUTION_ID is missing: hits count for the default property of the ingest key.');
    return '';
  }
  report(
    'SERVICE_ATTRIBUTION_ID is not a UUID. Copy the attribution ID of your property from the setup page.',
  );
  return null;
}

function readBotlistUrl(env: CollectorEnv, report: Report): string | null {
  const url = readUrl('SERVICE_BOTLIST_URL', textOf(env.SERVICE_BOTLIST_URL), report);
  if (url === null) {
    report('Until SERVICE_BOTLIST_URL is set the lists of this build are used, so new crawlers are missed.');
  }
  return url;
}

function readApiKey(env: CollectorEnv, report: Report): string | null {
  const given = textOf(env.SERVICE_API_KEY);
  const key = given.trim();
  const refuse = (sentence: string): null => {
    report(`SERVICE_API_KEY ${sentence}`);
    return null;
  };
  if (key === '') return refuse('is missing. Set it as a secret to an ingest key (svc_cf_…).');
  if (/^bearer\s/i.test(key)) return refuse('begins with "Bearer". Set it to the key alone.');
  if (key.startsWith('svc_wh_')) return refuse('is a webhook key. Set it to an ingest key (svc_cf_…).');
  if (isPlaceholder(key) || !/^svc_cf_[!-~]{1,249}$/.test(key)) {
    return refuse('is no ingest key. Set it to the key (svc_cf_…) that was shown when it was issued.');
  }
  if (key !== given)
    report('SERVICE_API_KEY has blanks around it, which are left out; set it again without them.');
  return key;
}

function readSampleRate(env: CollectorEnv, report: Report): number {
  const text = textOf(env.SERVICE_SAMPLE_RATE).trim();
  if (text === '') return DEFAULT_SAMPLE_RATE;
  const rate = Number(text);
  if (Number.isNaN(rate) || rate < 0) {
    report(`SERVICE_SAMPLE_RATE is not a number between 0 and 1; ${DEFAULT_SAMPLE_RATE} is used.`);
    return DEFAULT_SAMPLE_RATE;
  }
  if (rate > 0 && rate < MIN_SAMPLE_RATE) {
    report(
      `SERVICE_SAMPLE_RATE is below ${MIN_SAMPLE_RATE}, which is too low to estimate traffic; no samples are sent.`,
    );
    return 0;
  }
  if (rate > 1) report('SERVICE_SAMPLE_RATE is above 1; 1 is used, which forwards every request.');
  return Math.min(rate, 1);
}

function readManifestSource(
  env: CollectorEnv,
  attributionId: string | null,
  report: Report,
): ManifestSource | null {
  const text = textOf(env.SERVICE_MANIFEST_URL).trim();
  if (text === '' || attributionId === null) return null;
  if (attributionId === '') {
    report('The manifest is not served: SERVICE_ATTRIBUTION_ID, the property’s id, is missing.');
    return null;
  }
  const named = text.replaceAll(ATTRIBUTION_PLACEHOLDER, attributionId);
  const isTemplate = named !== text;
  const url = readUrl('SERVICE_MANIFEST_URL', named, report);
  if (url === null) return null;
  return { url: isTemplate ? url : `${url.replace(/\/+$/, '')}/${attributionId}/manifest/`, attributionId };
}
