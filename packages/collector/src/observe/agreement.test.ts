/**
 * The edge and the service can't disagree: whatever a visit looks like, the service's own decoder and judgement make of the log object
 * what the edge made of the visit. Otherwise hits would be forwarded to be dropped, or lose their weight on the way.
 */
import { bareHost, type CompiledLists, classify, compileLists, toStoredHit } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import referrers from '@ghostlight/core/vectors/referrers.json' with { type: 'json' };
import fc from 'fast-check';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import { decodeElement, isRejection } from '../../../server/src/ingest/edge-worker.ts';
import type { LogObject } from '../forward/index.ts';
import { publishedLists } from '../testing/lists.ts';
import { ATTRIBUTION_ID, CHROME } from '../testing/values.ts';
import { createObserver } from './index.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const lists: CompiledLists = compileLists(publishedLists());

interface Described {
  readonly path: string;
  readonly search: string;
  readonly headers: Record<string, string>;
  readonly sampleRate: number;
}

/** What the collector would post for a visit; null where it posts nothing. */
async function reportOf({ path, search, headers, sampleRate }: Described): Promise<LogObject | null> {
  const posted: LogObject[] = [];
  const background: Promise<unknown>[] = [];
  const inUse = { compiled: lists, origin: 'served' } as const;
  const observer = createObserver({
    lists: { current: () => inUse, renewed: async () => inUse },
    signatures: { verify: async () => ({ outcome: 'absent', reason: 'none' }) },
    forwarder: { forward: async (hit) => void posted.push(hit) },
    isBot: isbot,
    now: () => NOW,
    random: () => 0.5,
    sleep: async () => {},
  });
  const ctx = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException: () => {},
  };
  const to = { ingestUrl: '', apiKey: '', attributionId: ATTRIBUTION_ID, botlistUrl: '', sampleRate };
  const url = new URL(`https://shop.example${path}${search}`);
  const sighting = observer.look(new Request(url, { headers }), url, to, ctx);
  if (sighting !== null) observer.report(sighting, new Response('hello'), ctx);
  await Promise.all(background);
  return posted[0] ?? null;
}

function asTheServiceStores(report: LogObject) {
  const decoded = decodeElement(JSON.parse(JSON.stringify(report)), NOW);
  if (isRejection(decoded)) throw new Error(`rejected: ${decoded.field} ${decoded.reason}`);
  const verdict = classify(decoded.hit, lists, isbot);
  if (verdict.class === 'dropped') return null;
  const context = { id: '', organizationId: '', attributionId: ATTRIBUTION_ID, receivedAt: NOW };
  return toStoredHit(decoded.hit, verdict, lists, context);
}

const classOf = (report: LogObject): string =>
  report.verified !== undefined ? 'ai_bot' : report.sample_rate === undefined ? 'ai_referral' : 'sample';

/** Without sites that are called like an app, and apps like a site, of which there are none: a sample's bare host does not tell the two apart. */
const knownReferrers = referrers.cases
  .map(({ referrer }) => referrer)
  .filter((referrer) => {
    const bare = lists.referrers.matchHost(bareHost(referrer));
    return bare === null || lists.referrers.match(referrer, undefined) !== null;
  });

/** Header values are bytes: what is no Latin-1 can't be sent. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
});
const visits: fc.Arbitrary<Described> = fc.record({
  path: fc.webPath({ size: 'small' }).map((path) => `/${path.replace(/^\/+/, '')}`),
  search: fc.oneof(
    fc.constantFrom(
      '',
      '?utm_source=chatgpt.com',
      '?utm_source=x&utm_source=perplexity.ai',
      '?UTM_SOURCE=chatgpt.com',
    ),
    fc.webQueryParameters().map((query) => `?${query}`),
  ),
  headers: fc.record({
    'user-agent': fc.oneof(
      fc.constantFrom(CHROME, ...userAgents.cases.map(({ user_agent: userAgent }) => userAgent)),
      headerText,
      headerText.map((text) => `${text.repeat(80)} GPTBot/1.3`),
    ),
    referer: fc.oneof(
      fc.constantFrom('', 'chatgpt.com', ...knownReferrers),
      fc.webUrl({ withQueryParameters: true }),
      headerText,
      headerText.map((text) => `https://chatgpt.com/${text.repeat(200)}`),
    ),
    'cf-connecting-ip': fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('203.0.113.9', '', 'unknown')),
  }),
  sampleRate: fc.constantFrom(0, 0.75),
});

it('a visit is stored as the class that the edge forwarded it as, with its verdict and its weight', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(visits, async (visit) => {
      const report = await reportOf(visit);
      if (report === null) return;
      const stored = asTheServiceStores(report);
      expect(stored?.class).toBe(classOf(report));
      expect(stored?.weight).toBe(report.sample_rate === undefined ? 1 : 1 / report.sample_rate);
      expect(stored?.sample_ip).toBe(report.sample_rate === undefined ? '' : (report.ip ?? ''));
      if (report.verified === true) expect(stored?.verified_by).toBe(report.verified_by);
      if (report.unchecked === true) expect(stored?.verified).toBeNull();
      seen.add(classOf(report));
    }),
    { numRuns: 1_500 },
  );
  expect([...seen].sort()).toEqual(['ai_bot', 'ai_referral', 'sample']);
});

it('nothing of a person’s visit leaves the zone that the service would not keep', async () => {
  await fc.assert(
    fc.asyncProperty(visits, async (visit) => {
      const report = await reportOf(visit);
      if (report === null || classOf(report) === 'ai_bot') return;
      const stored = asTheServiceStores(report);
      expect(report.query_params).toEqual(stored?.query_params);
      expect(report.ip).toBe(stored?.sample_ip === '' ? null : stored?.sample_ip);
      expect(bareHost(report.referer)).toBe(stored?.referrer);
      expect(report.referer).toMatch(/^([a-z-]+:\/\/[^/?#@]+\/|[^/?#@]*)$/);
    }),
    { numRuns: 1_500 },
  );
});
