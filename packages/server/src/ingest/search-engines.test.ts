/** Search crawlers through both endpoints: stored for the property that tells them apart, dropped as ever for all others. */
import type { StoredHit } from '@ghostlight/core';
import { afterEach, expect, it } from 'vitest';
import {
  BARE_KEY,
  CHROME,
  GPTBOT,
  type Harness,
  ndjson,
  PROPERTY,
  pushLine,
  SECOND_PROPERTY,
  startIngest,
  workerHit,
} from './testing/harness.ts';

let ingest: Harness;
afterEach(() => ingest.close());

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const classes = (hits: readonly StoredHit[]) =>
  hits.map((hit) => `${hit.attribution_id === PROPERTY ? 'on' : 'off'} ${hit.class} ${hit.bot_name}`);

it('a log push tells them apart by its property, whichever came before', async () => {
  ingest = await startIngest({ searchEngines: new Set([PROPERTY]) });
  const body = (path: string) =>
    ndjson(
      ...[GPTBOT, GOOGLEBOT, CHROME, GOOGLEBOT].map((agent) =>
        pushLine({ ClientRequestUserAgent: agent, ClientRequestURI: path }),
      ),
    );
  // In turn, so that what one remembers of user agents must not serve the other.
  for (const [turn, id] of [SECOND_PROPERTY, PROPERTY, SECOND_PROPERTY, PROPERTY].entries()) {
    const query = `?attribution_id=${id}`;
    expect((await ingest.post('edge_logpush', body(`/${turn}`), { key: BARE_KEY, query })).status).toBe(204);
  }
  const on = ['on ai_bot GPTBot', 'on search_engine Googlebot', 'on search_engine Googlebot'];
  expect(classes(ingest.spool.hits)).toEqual(['off ai_bot GPTBot', ...on, 'off ai_bot GPTBot', ...on]);
  expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 3 + 1 + 3 + 1 });
  expect(JSON.stringify(ingest.spool.entries)).not.toContain('192.0.2.10');
});

it('a collector’s post may name several properties: each by its own setting', async () => {
  ingest = await startIngest({ searchEngines: new Set([PROPERTY]) });
  const hits = [PROPERTY, SECOND_PROPERTY].flatMap((attribution_id) =>
    [GPTBOT, GOOGLEBOT].map((user_agent) => workerHit({ attribution_id, user_agent })),
  );
  // Sampled by a collector that doesn't know them.
  const sampled = [PROPERTY, SECOND_PROPERTY].map((attribution_id) =>
    workerHit({
      attribution_id,
      user_agent: GOOGLEBOT,
      verified: undefined,
      verified_by: undefined,
      sample_rate: 0.02,
    }),
  );
  expect((await ingest.post('edge_worker', JSON.stringify([...hits, ...sampled]))).status).toBe(204);
  expect(classes(ingest.spool.hits)).toEqual([
    'on ai_bot GPTBot',
    'on search_engine Googlebot',
    'off ai_bot GPTBot',
    'on search_engine Googlebot',
    'off sample ',
  ]);
  expect(ingest.spool.hits.filter((hit) => hit.class === 'search_engine')).toMatchObject([
    { verified: true, verified_by: 'edge_cidr', weight: 1 },
    { verified: null, weight: 50, sample_ip: '' },
  ]);
  expect(ingest.spool.sum('dropped')).toEqual({ not_ai: 1 });
});

it('what its sender calls a test is stored as one, whatever it would have been', async () => {
  ingest = await startIngest({});
  const tests = [GPTBOT, CHROME].map((user_agent) => workerHit({ user_agent, test: true }));
  const others = [workerHit({ test: 'yes' }), workerHit({ user_agent: CHROME, test: false })];
  expect((await ingest.post('edge_worker', JSON.stringify([...tests, ...others]))).status).toBe(204);
  expect(classes(ingest.spool.hits)).toEqual(['on test GPTBot', 'on test ', 'on ai_bot GPTBot']);
  expect(ingest.spool.hits[0]).toMatchObject({ verified: true, verified_by: 'edge_cidr', sample_ip: '' });
  expect(ingest.spool.hits[1]).toMatchObject({ verified: null, verdict_reason: '', sample_ip: '' });
});
