/** A Node application and the edge report a visit alike: held against each other over the shared vectors, and over what the service makes of both. */
import { compileLists, parseIp, type SignatureAgent } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import referrers from '@ghostlight/core/vectors/referrers.json' with { type: 'json' };
import searchEngines from '@ghostlight/core/vectors/search-engines.json' with { type: 'json' };
import { expect, it } from 'vitest';
import type { LogObject } from '../../packages/collector/src/forward/index.ts';
import { INSIDE, listedAgent, OUTSIDE, publishedLists } from '../../packages/collector/src/testing/lists.ts';
import { CHROME } from '../../packages/collector/src/testing/values.ts';
import { ofRequest } from '../../packages/node/src/incoming.ts';
import { startWatching } from '../../packages/node/src/testing/watching.ts';
import { arrive, type DescribedVisit, reportedBy, TODAY } from '../harness/both-sides.ts';
import { visitMaker } from '../harness/generated-visits.ts';
import { seededRandom } from '../harness/random.ts';

const published = publishedLists({}, TODAY);
const lists = compileLists(published);

/** What both say, in the words of the edge; what only one of them can know is left out. */
function edgeSays(report: LogObject | null, isAddressed = true): object | null {
  if (report === null) return null;
  const { worker_version: _, attribution_id: __, timestamp: ___, country, asn, ip, ...said } = report;
  if (isAddressed || said.verified !== false) return { ...said, ip: ip ?? '' };
  // The edge always has an address; an application that has none doesn't mention its check.
  const { verified, unchecked, ranges_as_of: day, ...unjudged } = said;
  expect([verified, unchecked]).toEqual([false, true]);
  return { ...unjudged, ip: '' };
}

async function applicationSays(visit: DescribedVisit): Promise<object | null> {
  const { signer } = visit;
  const { reportOf } = startWatching(
    published,
    { trustProxy: 'cf-connecting-ip', sampleRate: visit.sampleRate },
    {
      verify: async () =>
        signer === undefined ? { outcome: 'absent', reason: 'none' } : { outcome: 'verified', ...signer },
    },
  );
  const line = await reportOf(ofRequest(arrive(visit).request), { status: 200, bytes: 0 });
  if (line === null) return null;
  const {
    worker_version: _,
    timestamp: __,
    pathname,
    request_id: ray_id,
    ip = '',
    referer = '',
    ...said
  } = line;
  const [path, search = ''] = String(pathname).split(/\?(.*)/s);
  return {
    ...said,
    ...{ pathname: path, query_params: Object.fromEntries(new URLSearchParams(search)), ray_id, ip, referer },
    user_agent: said['user_agent'] ?? '',
  };
}

async function expectAlike(visit: DescribedVisit): Promise<object | null> {
  const isAddressed = parseIp(visit.headers['cf-connecting-ip'] ?? '') !== null;
  const edge = edgeSays(await reportedBy(arrive(visit), lists), isAddressed);
  expect(await applicationSays(visit), JSON.stringify(visit)).toEqual(edge);
  return edge;
}

const visitOf = (headers: Record<string, string>, more: Partial<DescribedVisit> = {}): DescribedVisit => ({
  ...{ url: 'https://shop.example/page', sampleRate: 0, ...more },
  headers: { 'cf-connecting-ip': OUTSIDE, ...headers },
});

it('for every user agent of the vectors, inside of ranges and outside of them', async () => {
  const seen = new Set<unknown>();
  for (const { user_agent: agent } of [...userAgents.cases, ...searchEngines.cases])
    for (const address of [INSIDE, OUTSIDE]) {
      const edge = await expectAlike(visitOf({ 'user-agent': agent, 'cf-connecting-ip': address }));
      seen.add(edge === null ? null : (edge as LogObject).verified);
    }
  expect(seen).toEqual(new Set([true, false, null]));
});

it('for every referrer of the vectors', async () => {
  const seen = new Set<boolean>();
  for (const { referrer, utm_source: tag, host = 'shop.example' } of referrers.cases) {
    if (/[^\t\x20-\xff]/.test(referrer)) continue;
    const url = `https://${host}/page?a=b${tag === undefined ? '' : `&utm_source=${encodeURIComponent(tag)}`}`;
    for (const sampleRate of [0, 0.75]) {
      const headers = { 'user-agent': CHROME, referer: referrer };
      seen.add((await expectAlike(visitOf(headers, { url, sampleRate }))) === null);
    }
  }
  expect(seen.size).toBe(2);
});

it('for a signed agent behind a browser’s user agent, and for one that signs for a bot', async () => {
  const agent: SignatureAgent = listedAgent([]);
  const identity = agent.url ?? '';
  const known = { ...published, signature_agents: [...published.signature_agents, agent] };
  for (const userAgent of [CHROME, userAgents.cases[0]?.user_agent ?? '']) {
    const visit = visitOf({ 'user-agent': userAgent }, { signer: { agent, identity } });
    const edge = edgeSays(await reportedBy(arrive(visit), compileLists(known)));
    expect(edge).toMatchObject({ verified: true, verified_by: 'signature', signature_agent: identity });
    const { reportOf } = startWatching(
      known,
      { trustProxy: 'cf-connecting-ip' },
      { verify: async () => ({ outcome: 'verified', agent, identity }) },
    );
    const line = await reportOf(ofRequest(arrive(visit).request));
    expect(line).toMatchObject({ verified: true, verified_by: 'signature', signature_agent: identity });
  }
});

const SEED = 20_261_122;

it(`for 2,000 made-up visits (seed ${SEED})`, async () => {
  const next = visitMaker(published, seededRandom(SEED));
  const seen = new Map<string, number>();
  for (let number = 0; number < 2_000; number += 1) {
    const edge = await expectAlike(next());
    const of =
      edge === null ? 'nothing' : 'verified' in edge ? 'bot' : 'sample_rate' in edge ? 'sample' : 'referral';
    seen.set(of, (seen.get(of) ?? 0) + 1);
  }
  expect([...seen.keys()].sort()).toEqual(['bot', 'nothing', 'referral', 'sample']);
});
