import {
  compileLists,
  embeddedLists,
  embeddedSearchEngines,
  type StoredHit,
  withSearchEngines,
} from '@ghostlight/core';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import { decodeElement } from '../sources/edge_worker/decode.ts';
import { isRejection } from '../sources/index.ts';
import { runPipeline } from './pipeline.ts';
import { CHROME, NOW, ORGANIZATION, PROPERTY } from './testing/harness.ts';

const lists = compileLists(embeddedLists());
const withSearch = compileLists(withSearchEngines(embeddedLists(), embeddedSearchEngines()));

function classOf(members: Record<string, unknown>): string {
  return stored(members)?.class ?? 'dropped';
}

function stored(members: Record<string, unknown>, tellsSearchEngines = false): StoredHit | null {
  const element = { timestamp: NOW, host: 'www.shop.example', pathname: '/', user_agent: CHROME, ...members };
  const decoded = decodeElement(element, NOW);
  if (isRejection(decoded)) throw new Error(decoded.reason);
  let row: StoredHit | null = null;
  const outcome = runPipeline(decoded, {
    key: { id: 'k', organizationId: ORGANIZATION, attributionId: PROPERTY, prefix: 'svc_cf_aaaaa' },
    owners: new Map([[PROPERTY, ORGANIZATION]]),
    domainsOf: (id) => (id === PROPERTY ? ['shop.example', 'go.track.example'] : []),
    lists,
    signatures: { check: (hit) => hit },
    searchEnginesOf: (id) => (tellsSearchEngines && id === PROPERTY ? withSearch : null),
    isBot: isbot,
    toRow: (hit) => {
      if (hit.class !== 'counted') row = hit;
      return '';
    },
    receivedAt: NOW,
  });
  if (outcome.kind === 'rejected') throw new Error(outcome.reason);
  return outcome.kind === 'kept' ? row : null;
}

it.each([
  ['from ChatGPT itself', { referer: 'https://chatgpt.com/' }, 'ai_referral'],
  ['tagged, without a referrer', { query_params: { utm_source: 'chatgpt.com' } }, 'ai_referral'],
  ['tagged, from its own host', { referer: 'https://www.shop.example/a', tagged: true }, 'dropped'],
  ['tagged, from a sister host', { referer: 'https://blog.shop.example/', tagged: true }, 'dropped'],
  ['tagged, from a tracking domain', { referer: 'https://go.track.example/', tagged: true }, 'dropped'],
  ['tagged, from another site', { referer: 'https://track.example/', tagged: true }, 'ai_referral'],
  [
    'tagged, from its own host, as a sample',
    { referer: 'shop.example', sample_rate: 0.5, tagged: true },
    'sample',
  ],
])('a visit %s', (_, { tagged, ...members }: Record<string, unknown>, expected) => {
  const query = tagged === true ? { query_params: { utm_source: 'chatgpt.com' } } : {};
  expect(classOf({ ...members, ...query })).toBe(expected);
});

const BINGBOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';

it.each([
  ['a search crawler', { user_agent: BINGBOT }, 'search_engine', null],
  ['one with a referrer', { user_agent: BINGBOT, referer: 'https://chatgpt.com/' }, 'search_engine', null],
  ['a sampled one', { user_agent: BINGBOT, sample_rate: 0.5 }, 'search_engine', 'sample'],
  ['an AI bot', { user_agent: 'GPTBot/1.3 like Googlebot-Image/1.0' }, 'ai_bot', 'ai_bot'],
  ['a person from an AI product', { referer: 'https://chatgpt.com/' }, 'ai_referral', 'ai_referral'],
  ['a person', {}, null, null],
  ['a sampled person', { sample_rate: 0.5 }, 'sample', 'sample'],
])('%s is told apart where the property asks for it, and as before elsewhere', (_, members, on, off) => {
  expect(stored(members, true)?.class ?? null).toBe(on);
  expect(stored(members, false)?.class ?? null).toBe(off);
});

it('stores a search crawler as it stores a bot: named, with its verdict, its weight and no address', () => {
  const hit = {
    user_agent: BINGBOT,
    ip: '157.55.39.7',
    query_params: { page: '2' },
    referer: 'https://a.example/b',
  };
  expect(stored(hit, true)).toMatchObject({
    class: 'search_engine',
    bot_name: 'Bingbot',
    vendor: 'Microsoft',
    engine: 'microsoft',
    intent: 'search',
    verified: true,
    verified_by: 'server_cidr',
    sample_ip: '',
    weight: 1,
    other_bot: false,
    query_params: { page: '2' },
    referrer: 'https://a.example/b',
  });
  expect(stored({ ...hit, sample_rate: 0.02 }, true)).toMatchObject({
    weight: 50,
    verified: null,
    sample_ip: '',
  });
  expect(stored({ ...hit, ip: null, verified: false }, true)).toMatchObject({ verified: null });
});
