/** What the hosts of a manifest really serve: fetched from outside as an agent would, and verified against the keys of now. */
import {
  canonicalize,
  issuerRecordName,
  issuersOfTxt,
  MANIFEST_ERRORS,
  MANIFEST_LIMITS,
  type ManifestError,
  verifyManifest,
} from '@ghostlight/core';
import type { Clock } from '../common/index.ts';
import { type Download, DownloadError, type Downloaded } from '../outbound/index.ts';
import type { ManifestRow } from './current.ts';

export const HOST_STATES = [
  ...(['current', 'outdated', 'invalid', 'not_served', 'not_json', 'unreachable'] as const),
  'private_address',
] as const;
export type HostState = (typeof HOST_STATES)[number];

/** Whether the host's TXT record names our issuer; `not_checked`: the name servers gave no answer. */
export const RECORD_STATES = ['found', 'not_found', 'not_checked'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** All TXT records at a name, each joined; none is an empty array. @throws Error when the name servers could not be asked */
export type RecordLookup = (name: string) => Promise<readonly string[]>;

export interface HostStatus {
  readonly host: string;
  readonly url: string;
  readonly state: HostState;
  /** A sentence. */
  readonly detail: string;
  readonly kid: string | null;
  /** What the edge says about where it has the document from; null when it says nothing. */
  readonly cache: string | null;
  readonly record: RecordState;
  /** Epoch milliseconds. */
  readonly checkedAt: number;
}

export const MAX_HOSTS = 10;
const AT_ONCE = 4;
const TIMEOUT_MS = 5_000;
const MAX_CACHE_WORDS = 100;

export interface HostStatusDeps {
  readonly download: Download;
  readonly lookup: RecordLookup;
  readonly clock: Clock;
}

/** What the hosts ought to serve. */
export interface Expected {
  /** null: nothing is published. */
  readonly manifest: Pick<ManifestRow, 'hosts' | 'tools'> | null;
  /** The key set as it is published; null: there is none. */
  readonly jwks: string | null;
  readonly jwksUrl: string;
  readonly issuer: string;
}

/** At most ten hosts, four at a time, five seconds each. Never throws. */
export async function hostStatuses(
  hosts: readonly string[],
  expected: Expected,
  deps: HostStatusDeps,
): Promise<HostStatus[]> {
  const asked = hosts.slice(0, MAX_HOSTS);
  const found: HostStatus[] = [];
  const waiting = asked.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, host] of waiting) {
        const [status, record] = await Promise.all([
          hostStatus(host, expected, deps),
          recordState(host, expected.issuer, deps.lookup),
        ]);
        found[index] = { ...status, record };
      }
    }),
  );
  return found;
}

async function recordState(host: string, issuer: string, lookup: RecordLookup): Promise<RecordState> {
  try {
    return issuersOfTxt(await lookup(issuerRecordName(host))).includes(issuer) ? 'found' : 'not_found';
  } catch {
    return 'not_checked';
  }
}

async function hostStatus(
  host: string,
  expected: Expected,
  { download, clock }: HostStatusDeps,
): Promise<Omit<HostStatus, 'record'>> {
  const url = `https://${host}/.well-known/webmcp.json`;
  const answer = (state: HostState, detail: string, more: { kid?: string; cache?: string | null } = {}) => ({
    host,
    url,
    state,
    detail,
    kid: more.kid ?? null,
    cache: more.cache ?? null,
    checkedAt: clock(),
  });
  let downloaded: Downloaded;
  try {
    downloaded = await download({
      url,
      maxBytes: MANIFEST_LIMITS.bytes,
      redirects: 0,
      accept: 'application/json',
      purpose: 'check of a published WebMCP manifest',
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    const word = error instanceof DownloadError ? error.word : 'unreachable';
    return answer(...unread(word));
  }
  const cache = cacheWords(downloaded);
  const verified = await verifyManifest(downloaded.text, {
    host,
    trust: [expected.issuer],
    fetchJwks: async (asked) => {
      if (asked !== expected.jwksUrl) throw new Error('they are those of another property');
      return JSON.parse(expected.jwks ?? '{"keys":[]}');
    },
    now: clock(),
  });
  if (!verified.ok) return answer(...refused(verified.error, verified.detail), { cache });
  const { kid, manifest } = verified;
  const { manifest: published } = expected;
  if (published === null)
    return answer('outdated', 'Nothing is published now, but the host still serves a copy.', {
      kid,
      cache,
    });
  const sameContent =
    canonicalize(manifest.hosts) === canonicalize(JSON.parse(published.hosts)) &&
    canonicalize(manifest.tools) === canonicalize(JSON.parse(published.tools));
  return sameContent
    ? answer('current', `Served and verified; signed at ${manifest.issued_at}.`, { kid, cache })
    : answer(
        'outdated',
        `The host serves an earlier version, signed at ${manifest.issued_at}. Collectors fetch the new one within about two minutes.`,
        { kid, cache },
      );
}

function unread(word: string): [HostState, string] {
  if (word === 'private_address')
    return [
      'private_address',
      'The name resolves to a private address, which agents can’t reach. It was not checked.',
    ];
  if (word === 'redirected')
    return ['not_served', 'The host redirects. Serve the manifest on this host itself, or remove the host.'];
  if (word === 'too_large') return ['invalid', MANIFEST_ERRORS.too_large];
  const [, status] = /^http_(\d+)$/.exec(word) ?? [];
  if (status !== undefined)
    return [
      'not_served',
      `The host returns ${status}. Check that the collector has a route for it and that SERVICE_MANIFEST_URL is set.`,
    ];
  return [
    'unreachable',
    word === 'timeout'
      ? `The host did not answer within ${TIMEOUT_MS / 1_000} s.`
      : 'No https connection to the host could be made.',
  ];
}

function refused(error: ManifestError, detail: string): [HostState, string] {
  if (error === 'not_json') return ['not_json', 'The host’s response is not JSON.'];
  if (error === 'unknown_key')
    return [
      'outdated',
      'The host serves a copy from before the last rotation of keys. Collectors fetch the new one within about two minutes.',
    ];
  if (error === 'expired') return ['outdated', `The host serves an old copy: it ${detail}.`];
  return ['invalid', `${MANIFEST_ERRORS[error]} (${detail})`];
}

/** From our collector and from Cloudflare; untrusted text, so bounded. */
function cacheWords({ headers }: Downloaded): string | null {
  const words = [headers['x-webmcp-cache'], headers['cf-cache-status']]
    .flat()
    .filter((word) => word !== undefined);
  return words.length === 0 ? null : words.join(', ').slice(0, MAX_CACHE_WORDS);
}
