/** Search crawlers on both sides of the wire: a collector that asks for them forwards each visit, and the service stores it as its property says. */
import { compileLists, embeddedSearchEngines, withSearchEngines } from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/search-engines.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { INSIDE, OUTSIDE, publishedLists } from '../../packages/collector/src/testing/lists.ts';
import { arrive, reportedBy, storedFrom, TODAY } from '../harness/both-sides.ts';

const published = publishedLists({}, TODAY);
const plain = compileLists(published);
const bingbot = { engine: 'microsoft', bots: ['Bingbot'], prefixes: ['203.0.113.0/28'], as_of: TODAY };
/** As `GET /v1/config/ai-bots?search_engines=1` sends them. */
const wide = compileLists(withSearchEngines(published, { ...embeddedSearchEngines(), ip_ranges: [bingbot] }));
const BINGBOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';
const visit = (userAgent: string, headers = {}) =>
  arrive({
    url: 'https://shop.example/a?b=c',
    headers: { 'user-agent': userAgent, ...headers },
    sampleRate: 0.75,
  });

describe.each(userAgents.cases.filter(({ crawler }) => crawler !== null))(
  '$crawler',
  ({ user_agent, crawler }) => {
    it('is forwarded whole, and stored where the property tells it apart', async () => {
      const report = await reportedBy(visit(user_agent), wide);
      expect(report).toMatchObject({ user_agent, ip: null, verified: expect.any(Boolean) });
      expect(report).not.toHaveProperty('sample_rate');
      expect(storedFrom(report ?? {}, plain, wide)).toMatchObject({
        class: 'search_engine',
        bot_name: crawler,
        weight: 1,
        query_params: { b: 'c' },
      });
      expect(storedFrom(report ?? {}, plain)).toBeNull();
    });

    it('is a sample of a collector that does not ask for it, and keeps its weight', async () => {
      const report = await reportedBy(visit(user_agent), plain);
      expect(report).toMatchObject({ sample_rate: 0.75 });
      expect(storedFrom(report ?? {}, plain, wide)).toMatchObject({
        class: 'search_engine',
        bot_name: crawler,
        weight: 1 / 0.75,
        verified: null,
      });
      expect(storedFrom(report ?? {}, plain)).toMatchObject({ class: 'sample', other_bot: true });
    });
  },
);

it('is verified by the ranges that the collector was given, and refuted by them', async () => {
  const judged = async (ip: string) => {
    const report = await reportedBy(visit(BINGBOT, { 'cf-connecting-ip': ip }), wide);
    return storedFrom(report ?? {}, plain, wide);
  };
  expect(await judged(INSIDE)).toMatchObject({ verified: true, verified_by: 'edge_cidr' });
  const refused = await judged(OUTSIDE);
  expect(refused?.verified).not.toBe(true);
});
