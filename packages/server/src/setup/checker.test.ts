import { describe, expect, it } from 'vitest';
import { type CountedSignal, diagnose, type Observations, unknownPathSignal } from './index.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const property = { id: 'p', domain: 'shop.example' };
const key = {
  name: 'Edge',
  prefix: 'svc_cf_abcde',
  provider: 'edge_worker',
  attributionId: null,
  lastUsedAt: NOW - 1_000,
  revokedAt: null,
};
const arrival = {
  source: 'edge_worker',
  last_received_at: NOW - 1_000,
  count_24h: 3,
  bot_name: 'GPTBot',
  class: 'ai_bot',
  host: 'shop.example',
  worker_version: '1.0.0',
};
const signal = (more: Partial<CountedSignal>): CountedSignal => ({
  kind: 'auth_error',
  endpoint: 'edge_worker',
  organizationId: 'o',
  attributionId: null,
  detail: '',
  count: 2,
  firstAt: NOW - 5_000,
  lastAt: NOW - 2_000,
  samples: [],
  ...more,
});
const seen = (more: Partial<Observations> = {}): Observations => ({
  now: NOW,
  property,
  arrivals: [arrival],
  testAt: null,
  hosts: new Map(),
  keys: [key],
  signals: [],
  quarantine: [],
  untrustedProxy: null,
  ...more,
});

describe('the setup checker', () => {
  it('has nothing to say where everything works', () => {
    expect(diagnose(seen())).toEqual({ state: 'active', sources: [arrival], findings: [] });
  });

  const old = { ...arrival, last_received_at: NOW - 3 * 86_400_000 };
  const push = { ...arrival, source: 'edge_logpush' };
  const rejected = { reason: 'too_old', field: 'timestamp', endpoint: 'edge_worker', at: NOW };
  it.each<[string, Partial<Observations>, string, string, RegExp]>([
    ['no key at all', { arrivals: [], keys: [] }, 'waiting', 'no_key', /Create an ingest key/],
    ['only a revoked key', { arrivals: [], keys: [{ ...key, revokedAt: 1 }] }, 'waiting', 'no_key', /Create/],
    [
      'a proxy that is not trusted',
      { untrustedProxy: { count: 3, lastAt: NOW } },
      'active',
      'untrusted_proxy',
      /Set TRUST_PROXY/,
    ],
    [
      'an unused key',
      { arrivals: [], keys: [{ ...key, lastUsedAt: null }] },
      'waiting',
      'key_never_used',
      /route/,
    ],
    [
      'an unused key of a program on a server',
      { arrivals: [], keys: [{ ...key, provider: 'tail', lastUsedAt: null }] },
      'waiting',
      'key_never_used',
      /^Check that ghostlight-tail is running, and that it can reach BASE_URL/,
    ],
    ['a test visit alone', { arrivals: [], testAt: NOW }, 'waiting', 'test_arrived', /Connect a source/],
    ['a used key, nothing kept', { arrivals: [] }, 'waiting', 'nothing_kept', /curl -A "GPTBot/],
    [
      'logs without an address',
      { signals: ['cloudfront', 'vercel'].map((endpoint) => signal({ kind: 'no_address', endpoint })) },
      'active',
      'no_address',
      /^Add the field .* c-ip \(Amazon CloudFront\) and proxy\.clientIp \(Vercel\)\.$/,
    ],
    ['silence, key in use', { arrivals: [old] }, 'stale', 'stale', /attribution ID/],
    [
      'silence of all',
      { arrivals: [old], keys: [{ ...key, lastUsedAt: 1 }] },
      'stale',
      'stale',
      /lost its route/,
    ],
    ['two sources for one host', { arrivals: [arrival, push] }, 'active', 'two_sources', /RayID/],
    [
      'another host',
      { arrivals: [{ ...arrival, host: 'blog.other' }] },
      'active',
      'foreign_host',
      /property/,
    ],
    [
      'a rejected time',
      { quarantine: [rejected] },
      'active',
      'rejected:too_old:timestamp',
      /rejected elements/,
    ],
    ...['missing', 'bearer_prefix', 'whitespace', 'two_keys', 'malformed', 'unknown', 'revoked'].map(
      (detail): [string, Partial<Observations>, string, string, RegExp] => [
        `a key that is ${detail}`,
        { signals: [signal({ detail })] },
        'active',
        `auth_error:${detail}`,
        /key|Bearer|printf/,
      ],
    ),
    ...['unknown_attribution_id', 'missing_attribution_id', 'wrong_path', 'trailing_slash'].map(
      (kind): [string, Partial<Observations>, string, string, RegExp] => [
        kind,
        { signals: [signal({ kind })] },
        'active',
        kind,
        /ID|edge_worker/,
      ],
    ),
    [
      'CSV',
      { signals: [signal({ kind: 'wrong_format', detail: 'csv' })] },
      'active',
      'wrong_format:csv',
      /ndjson/,
    ],
  ])('explains %s', (_name, more, state, code, action) => {
    const diagnosis = diagnose(seen(more));
    expect(diagnosis.state).toBe(state);
    const finding = diagnosis.findings.find((candidate) => candidate.code === code);
    expect(finding?.action).toMatch(action);
    for (const text of [finding?.title, finding?.detail, finding?.action]) expect(text).toMatch(/[.:]$/);
  });

  it('adds up what was counted under several endpoints, and puts errors first', () => {
    const { findings } = diagnose(
      seen({
        signals: [
          signal({ kind: 'validation_upload', lastAt: NOW }),
          signal({ detail: 'bearer_prefix' }),
          signal({ detail: 'bearer_prefix', endpoint: 'edge_logpush', count: 5, lastAt: NOW - 100 }),
        ],
      }),
    );
    expect(findings.map(({ code }) => code)).toEqual(['auth_error:bearer_prefix', 'validation_upload']);
    expect(findings[0]).toMatchObject({ count: 7, last_at: NOW - 100 });
  });

  it('calls another sender’s wrong key a warning, not the reader’s error', () => {
    const { findings } = diagnose(seen({ signals: [signal({ detail: 'unknown', organizationId: null })] }));
    expect(findings[0]).toMatchObject({
      severity: 'warning',
      detail: expect.stringContaining('another one'),
    });
  });
});

it('names the sources that send one host', () => {
  const arrivals = [
    { ...arrival, source: 'tail' },
    { ...arrival, source: 'node' },
  ];
  const [finding] = diagnose(seen({ arrivals })).findings;
  expect(finding).toMatchObject({
    code: 'two_sources',
    detail: expect.stringMatching(
      /^Visits of shop\.example come from @ghostlight\/node and ghostlight-tail\./,
    ),
  });
});

describe('a request that no route answers', () => {
  it.each([
    ['POST', '/v1/logs/edge_worker/', 'trailing_slash'],
    ['POST', '/v1/log/edge_logpush', 'wrong_path'],
    ['GET', '/v1/logs/edge_worker/', undefined],
    ['POST', '/wp-login.php', undefined],
  ])('%s %s is %s', (method, path, kind) => {
    expect(unknownPathSignal(method, path)?.kind).toBe(kind);
  });
});
