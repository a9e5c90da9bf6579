/**
 * The edge and the service can't disagree: whatever a visit looks like, the service's own decoder and judgement make of the log object
 * what the edge made of the visit. Otherwise hits would be forwarded to be dropped, or lose their weight on the way.
 */
import { bareHost, type CompiledLists, compileLists, type StoredHit } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import referrers from '@ghostlight/core/vectors/referrers.json' with { type: 'json' };
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogObject } from '../../packages/collector/src/forward/index.ts';
import { publishedLists } from '../../packages/collector/src/testing/lists.ts';
import { CHROME } from '../../packages/collector/src/testing/values.ts';
import {
  arrive,
  type DescribedVisit,
  judgedAtTheEdge,
  reportedBy,
  storedFrom,
  storedWhole,
  TODAY,
} from '../harness/both-sides.ts';
import { visitMaker } from '../harness/generated-visits.ts';
import { seededRandom } from '../harness/random.ts';

const published = publishedLists({}, TODAY);
const lists: CompiledLists = compileLists(published);

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
const visits: fc.Arbitrary<DescribedVisit> = fc.record({
  url: fc
    .tuple(
      fc.webPath({ size: 'small' }).map((path) => path.replace(/^\/+/, '')),
      fc.oneof(
        fc.constantFrom(
          '',
          '?utm_source=chatgpt.com',
          '?utm_source=x&utm_source=perplexity.ai',
          '?UTM_SOURCE=chatgpt.com',
        ),
        fc.webQueryParameters().map((query) => `?${query}`),
      ),
    )
    .map(([path, search]) => `https://shop.example/${path}${search}`),
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
      const report = await reportedBy(arrive(visit), lists);
      if (report === null) return;
      const stored = storedFrom(report, lists);
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
      const report = await reportedBy(arrive(visit), lists);
      if (report === null || classOf(report) === 'ai_bot') return;
      const stored = storedFrom(report, lists);
      expect(report.query_params).toEqual(stored?.query_params);
      expect(report.ip).toBe(stored?.sample_ip === '' ? null : stored?.sample_ip);
      expect(bareHost(report.referer)).toBe(stored?.referrer);
      expect(report.referer).toMatch(/^([a-z-]+:\/\/[^/?#@]+\/|[^/?#@]*)$/);
    }),
    { numRuns: 1_500 },
  );
});

/** 13 s on a busy core. */
const VISITS = 100_000;
const SEED = 20_261_121;

/** Class and name: what of a verdict is shown to people. */
type Judged = readonly [string, string];

it(`${VISITS} made-up visits are classified alike at the edge and by the service, sent or not (seed ${SEED})`, async () => {
  const next = visitMaker(published, seededRandom(SEED));
  const seen = new Map<string, number>();
  for (let number = 0; number < VISITS; number += 1) {
    const visit = next();
    const differs = (as: string) =>
      expect.fail(`${as}: visit ${number} of seed ${SEED}: ${JSON.stringify(visit)}`);
    const arrival = arrive(visit);
    const verdict = judgedAtTheEdge(arrival, lists);
    const judged: Judged = [
      verdict.class,
      verdict.class === 'ai_bot' ? verdict.bot_name : verdict.class === 'ai_referral' ? verdict.engine : '',
    ];
    const report = await reportedBy(arrival, lists);
    if (`${judged}` !== `${judgedByService(storedWhole(arrival, lists))}`) differs('whole');
    if (report === null) {
      if (judged[0] !== 'dropped') differs('kept back');
    } else {
      const expected = judged[0] === 'dropped' ? ['sample', ''] : judged;
      if (`${expected}` !== `${judgedByService(storedFrom(report, lists))}`) differs('as sent');
      const { sample_rate: rate, ...unsampled } = report;
      if (rate !== undefined && `${judged}` !== `${judgedByService(storedFrom(unsampled, lists))}`)
        differs('unsampled');
    }
    const kind = report !== null && judged[0] === 'dropped' ? 'sample' : judged[0];
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  for (const kind of ['ai_bot', 'ai_referral', 'sample', 'dropped']) {
    expect(seen.get(kind), kind).toBeGreaterThan(VISITS / 20);
  }
});

function judgedByService(row: StoredHit | null): Judged {
  return row === null ? ['dropped', ''] : [row.class, row.bot_name || row.referrer_engine];
}
