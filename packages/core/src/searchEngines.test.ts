import { isbot } from 'isbot';
import { describe, expect, it } from 'vitest';
import bots from '../data/bots.json' with { type: 'json' };
import searchEngines from '../data/search-engines.json' with { type: 'json' };
import aiUserAgents from '../vectors/classify.json' with { type: 'json' };
import { observedHit } from '../vectors/run.ts';
import userAgents from '../vectors/search-engines.json' with { type: 'json' };
import {
  classify,
  compileLists,
  embeddedLists,
  embeddedSearchEngines,
  findSearchEngine,
  judge,
  validateLists,
  withSearchEngines,
} from './index.ts';

const plain = compileLists(embeddedLists());
const union = withSearchEngines(embeddedLists(), embeddedSearchEngines());
const compiled = compileLists(union);

/** As the service asks. */
function judged(userAgent: string) {
  const verdict = classify(observedHit({ userAgent }), plain, isbot);
  return verdict.class === 'ai_bot' ? verdict : (findSearchEngine(userAgent, compiled, isbot) ?? verdict);
}

describe('search crawlers', () => {
  it.each(userAgents.cases)('$user_agent', ({ user_agent, crawler, ...rest }) => {
    const verdict = judged(user_agent);
    const bot = 'ai_bot' in rest ? rest.ai_bot : null;
    const expected = crawler !== null ? 'search_engine' : bot !== null ? 'ai_bot' : 'dropped';
    expect(verdict.class).toBe(expected);
    if ('bot_name' in verdict) expect(verdict.bot_name).toBe(crawler ?? bot);
  });

  it('have a vector each', () => {
    const covered = new Set(userAgents.cases.map(({ crawler }) => crawler));
    expect(searchEngines.crawlers.filter(({ name }) => !covered.has(name))).toEqual([]);
  });

  it('are none of the AI bots, by token or by name, and no token of theirs stands twice', () => {
    const tokens = searchEngines.crawlers.map(({ token }) => token);
    const names = new Set(bots.bots.map(({ name }) => name.toLowerCase()));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(bots.bots.filter(({ token }) => tokens.includes(token))).toEqual([]);
    expect(searchEngines.crawlers.filter(({ name }) => names.has(name.toLowerCase()))).toEqual([]);
  });

  it('take no person for one, and leave every AI bot of the vectors what it is', () => {
    for (const { user_agent, bot } of aiUserAgents.cases) {
      const verdict = judged(user_agent);
      if (bot !== null) expect(verdict).toMatchObject({ class: 'ai_bot', bot_name: bot });
      else if (!isbot(user_agent)) expect(verdict).toMatchObject({ class: 'dropped' });
    }
  });

  it('make a list that collectors take, with nothing of the bot list changed or doubled', () => {
    const lists = embeddedLists();
    expect(validateLists(JSON.parse(JSON.stringify(union)))).toHaveProperty('lists');
    expect(union.bot_patterns.slice(0, lists.bot_patterns.length)).toEqual(lists.bot_patterns);
    expect(union.bot_patterns.length).toBe(lists.bot_patterns.length + searchEngines.crawlers.length);
    expect({ ...union, bot_patterns: [], ip_ranges: [] }).toEqual({
      ...lists,
      bot_patterns: [],
      ip_ranges: [],
    });
    expect(withSearchEngines(union, embeddedSearchEngines()).bot_patterns).toEqual(union.bot_patterns);
    expect(lists).toEqual(embeddedLists());
  });

  it('share the ranges of an AI bot where their vendor publishes one file for both', () => {
    const shared = searchEngines.crawlers.filter((row) => 'ranges_of' in row).map(({ name }) => name);
    expect(shared).toContain('Googlebot');
    for (const name of shared)
      expect(compiled.ranges.get(name)?.set).toEqual(plain.ranges.get('GoogleOther')?.set);
    expect(plain.ranges.get('Googlebot')).toBeUndefined();
  });
});

describe('the verdict on a search crawler', () => {
  const NEAR = Date.parse('2026-08-24T00:00:00Z');
  const FAR = Date.parse('2026-11-22T00:00:00Z');
  const verdictOf = (userAgent: string, ip: string, at = NEAR) => {
    const crawler = findSearchEngine(userAgent, compiled, isbot);
    if (crawler === null) throw new Error('no search crawler');
    return judge(observedHit({ userAgent, ip, at, source: 'edge_logpush' }), crawler, compiled).verified;
  };

  it.each([
    ['bingbot/2.0 (compatible)', '157.55.39.7', '203.0.113.9'],
    ['Googlebot/2.1 (+http://www.google.com/bot.html)', '66.249.66.1', '203.0.113.9'],
    ['DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)', '57.152.72.128', '203.0.113.9'],
  ])('of %s follows its own published ranges', (userAgent, inside, outside) => {
    expect(verdictOf(userAgent, inside)).toBe(true);
    expect(verdictOf(userAgent, outside)).toBe(false);
    // Old ranges prove, and refute no visitor.
    expect(verdictOf(userAgent, inside, FAR)).toBe(true);
    expect(verdictOf(userAgent, outside, FAR)).toBeNull();
  });

  it('is unknown where the vendor publishes nothing, and one crawler’s addresses prove no other', () => {
    expect(
      verdictOf('Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', '5.255.253.1'),
    ).toBeNull();
    expect(verdictOf('msnbot/2.0b (+http://search.msn.com/msnbot.htm)', '157.55.39.7')).toBeNull();
    expect(verdictOf('Googlebot/2.1 (+http://www.google.com/bot.html)', '157.55.39.7')).toBe(false);
  });
});
