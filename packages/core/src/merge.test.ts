import { describe, expect, it } from 'vitest';
import { compileLists } from './classify.ts';
import { embeddedLists, rangeSources } from './embedded.ts';
import type { BotLists, IpRangeSet } from './lists.ts';
import { mergeLists, verifiableEngines } from './merge.ts';
import { rangeVerdict } from './verify.ts';

const update = { version: 7, generated_at: '2026-11-22T00:00:00Z' };
const whole = {
  engine: 'anthropic',
  bots: ['ClaudeBot', 'Claude-User', 'Claude-SearchBot'],
  prefixes: ['192.0.2.0/24'],
};

/** The embedded lists with ranges of our own: the real ones change with every renewal. */
function standing(): BotLists {
  const ip_ranges: IpRangeSet[] = [
    { ...whole, prefixes: ['192.0.2.0/25'], complete: false },
    { engine: 'openai', bots: ['GPTBot'], prefixes: ['20.171.206.0/24'] },
    { engine: 'openai', bots: ['OAI-SearchBot'], prefixes: ['104.210.140.128/28'] },
  ];
  return { ...embeddedLists(), ip_ranges, verifiable_engines: verifiableEngines(ip_ranges) };
}

describe('mergeLists', () => {
  it('makes an engine verifiable once its set was read whole', () => {
    const before = standing();
    expect(before.verifiable_engines).not.toContain('anthropic');
    const after = mergeLists(before, { ...update, ip_ranges: [whole] });
    expect(after.verifiable_engines).toContain('anthropic');
    expect(after).toMatchObject(update);
    expect(rangeVerdict(compileLists(before), 'ClaudeBot', '198.51.100.1')).toBe(null);
    expect(rangeVerdict(compileLists(after), 'ClaudeBot', '198.51.100.1')).toBe(false);
    expect(rangeVerdict(compileLists(after), 'ClaudeBot', '192.0.2.9')).toBe(true);
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
      ip_ranges: [{ engine: 'openai', bots: ['GPTBot'], prefixes: ['192.0.2.0/24'] }],
    });
    expect(gptbot.ip_ranges).toHaveLength(before.ip_ranges.length);
    expect(rangeVerdict(compileLists(gptbot), 'OAI-SearchBot', '104.210.140.129')).toBe(true);
    expect(rangeVerdict(compileLists(gptbot), 'GPTBot', '20.171.206.9')).toBe(false);
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
        [url, []],
        ['https://stranger.example/', []],
      ]),
    });
    const keysOf = (lists: typeof before) => lists.signature_agents.find((agent) => agent.url === url)?.keys;
    expect(keysOf(before)).toHaveLength(1);
    expect(keysOf(after)).toEqual([]);
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
