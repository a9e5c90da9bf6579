import { describe, expect, it } from 'vitest';
import { compileLists } from './classify.ts';
import { embeddedLists, rangeSources } from './embedded.ts';
import type { BotLists, IpRangeSet } from './lists.ts';
import { mergeLists } from './merge.ts';
import { checkRanges } from './verify.ts';

const update = { version: 7, generated_at: '2026-11-22T00:00:00Z' };
const whole = {
  engine: 'anthropic',
  bots: ['ClaudeBot', 'Claude-User', 'Claude-SearchBot'],
  prefixes: ['192.0.2.0/24'],
  as_of: '2026-11-22',
};

/** What the ranges say about an address on the day of the update. */
const verdict = (lists: BotLists, bot: string, ip: string) =>
  checkRanges(compileLists(lists), bot, ip, Date.parse('2026-11-22T12:00:00Z')).verdict;

/** The embedded lists with ranges of our own: the real ones change with every renewal. */
function standing(): BotLists {
  const ip_ranges: IpRangeSet[] = [
    { ...whole, prefixes: ['192.0.2.0/25'], complete: false },
    { engine: 'openai', bots: ['GPTBot'], prefixes: ['20.171.206.0/24'] },
    { engine: 'openai', bots: ['OAI-SearchBot'], prefixes: ['104.210.140.128/28'] },
  ];
  return { ...embeddedLists(), ip_ranges };
}

describe('mergeLists', () => {
  it('lets a set refute once it was read whole, and names the same engines to collectors in the field', () => {
    const before = standing();
    const after = mergeLists(before, { ...update, ip_ranges: [whole] });
    expect(after.verifiable_engines).toEqual(['google', 'openai', 'perplexity']);
    expect(after).toMatchObject(update);
    expect(verdict(before, 'ClaudeBot', '198.51.100.1')).toBe(null);
    expect(verdict(after, 'ClaudeBot', '198.51.100.1')).toBe(false);
    expect(verdict(after, 'ClaudeBot', '192.0.2.9')).toBe(true);
  });

  it('replaces the sets of the same bots alone, and nothing by an empty set', () => {
    const before = standing();
    const after = mergeLists(before, {
      ...update,
      ip_ranges: [{ engine: 'openai', bots: ['GPTBot'], prefixes: [] }],
    });
    expect(after.ip_ranges).toEqual(before.ip_ranges);
    const gptbot = mergeLists(before, {
      ...update,
      ip_ranges: [{ engine: 'openai', bots: ['GPTBot'], prefixes: ['192.0.2.0/24'], as_of: '2026-11-22' }],
    });
    expect(gptbot.ip_ranges).toHaveLength(before.ip_ranges.length);
    expect(verdict(gptbot, 'OAI-SearchBot', '104.210.140.129')).toBe(true);
    expect(verdict(gptbot, 'GPTBot', '20.171.206.9')).toBe(false);
  });

  it('keeps the other bots of a set that is replaced in part', () => {
    const after = mergeLists(standing(), { ...update, ip_ranges: [{ ...whole, bots: ['ClaudeBot'] }] });
    expect(after.ip_ranges.filter(({ engine }) => engine === 'anthropic').map(({ bots }) => bots)).toEqual([
      ['Claude-User', 'Claude-SearchBot'],
      ['ClaudeBot'],
    ]);
  });

  it("puts in an agent's new keys, and takes the old ones of a directory that is empty now", () => {
    const url = 'https://chatgpt.com/.well-known/http-message-signatures-directory';
    const before = standing();
    const after = mergeLists(before, {
      ...update,
      agent_keys: new Map([
        [url, { keys: [], as_of: '2026-11-22' }],
        ['https://stranger.example/', { keys: [], as_of: '2026-11-22' }],
      ]),
    });
    const agentIn = (lists: typeof before) => lists.signature_agents.find((agent) => agent.url === url);
    expect(agentIn(before)?.keys).toHaveLength(1);
    expect(agentIn(after)).toMatchObject({ keys: [], as_of: '2026-11-22' });
    expect(after.signature_agents).toHaveLength(before.signature_agents.length);
  });
});

describe('the embedded lists', () => {
  it('are consistent: every set and source proves bots that are in the list, under their engine', () => {
    const lists = embeddedLists();
    const engineOf = new Map(lists.bot_patterns.map(({ bot_name, engine }) => [bot_name, engine]));
    for (const { bots, engine } of [...lists.ip_ranges, ...rangeSources()]) {
      for (const bot of bots) expect([bot, engineOf.get(bot)]).toEqual([bot, engine]);
    }
    for (const { engine } of lists.signature_agents) expect([...engineOf.values()]).toContain(engine);
  });

  it('hold every token, bot, domain and range source once', () => {
    const lists = embeddedLists();
    const once = (values: string[]) => expect(new Set(values).size).toBe(values.length);
    once(lists.bot_patterns.map(({ pattern }) => pattern));
    once(lists.bot_patterns.map(({ bot_name }) => bot_name));
    once(lists.ai_referrer_domains);
    once(rangeSources().map(({ id }) => id));
    once(rangeSources().flatMap(({ bots }) => [...bots]));
  });

  it('hold no prefix that cannot be read', () => {
    for (const { bots } of embeddedLists().ip_ranges) {
      for (const bot of bots) expect(compileLists(embeddedLists()).ranges.get(bot)?.set.skipped).toBe(0);
    }
  });

  it('name a product for every domain and app', () => {
    const { ai_referrer_domains, ai_referrer_apps, ai_referrer_names } = embeddedLists();
    for (const entry of [...ai_referrer_domains, ...ai_referrer_apps])
      expect(ai_referrer_names).toHaveProperty([entry]);
  });

  it('are a fresh copy for every caller', () => {
    embeddedLists().bot_patterns.length = 0;
    expect(embeddedLists().bot_patterns.length).toBeGreaterThan(100);
  });
});
