import {
  type BotLists,
  checkRanges,
  compileLists,
  compileRanges,
  embeddedLists,
  parseIp,
  rangesContain,
} from '@ghostlight/core';
import userAgents from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forCloudflare, prefixesOf } from './prefixes.ts';
import { blockingRule, rangeStateOf } from './rule.ts';
import { CLOUDFLARE_LIST, MOST_EXPRESSION, RENDER, TARGETS } from './targets.ts';
import { READ } from './testing.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const TODAY = '2026-11-22';
const LISTS: BotLists = {
  ...embeddedLists(),
  ip_ranges: embeddedLists().ip_ranges.map((set) => ({ ...set, as_of: TODAY })),
};
const COMPILED = compileLists(LISTS);
const WRITTEN = TARGETS.filter((target) => target !== 'robots');
const RANGED = [
  ...new Set(LISTS.ip_ranges.filter(({ prefixes }) => prefixes.length > 0).flatMap(({ bots }) => bots)),
];
const tokenOf = (bot: string): string =>
  LISTS.bot_patterns.find(({ bot_name }) => bot_name === bot)?.pattern ?? bot;

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const v4 = octets.map((parts) => parts.join('.'));
/** An address of a prefix, IPv4 or IPv6. */
const within = (prefix: string) =>
  fc.bigInt(0n, (1n << 128n) - 1n).map((luck) => {
    const { version, first, last } = rangeOf(prefix);
    const value = BigInt(first) + (luck % (BigInt(last) - BigInt(first) + 1n));
    return version === 4
      ? [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
      : Array.from({ length: 8 }, (_, group) =>
          ((value >> BigInt(112 - group * 16)) & 0xffffn).toString(16),
        ).join(':');
  });
function rangeOf(prefix: string) {
  const { v4: four, v6: six } = compileRanges([prefix]);
  return four.length > 0
    ? { version: 4, first: four[0] ?? 0, last: four[1] ?? 0 }
    : { version: 6, first: six[0] ?? 0n, last: six[1] ?? 0n };
}
const covered = fc.subarray(RANGED, { minLength: 1 });
const mixedCase = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.infiniteStream(fc.boolean()))
    .map(([word, luck]) => [...word].map((sign) => (luck.next().value ? sign.toUpperCase() : sign)).join(''));
/** Names one listed bot or several, in real user agents and in made ones. */
const claiming = fc.oneof(
  fc.constantFrom(...userAgents.cases.map(({ user_agent: text }) => text)),
  fc
    .array(
      mixedCase(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...RANGED.map(tokenOf)) },
          fc.constantFrom(...LISTS.bot_patterns.map(({ pattern }) => pattern)),
        ),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map(
      (tokens) =>
        `Mozilla/5.0 (compatible; ${tokens.map((token) => `${token}/1.0`).join('; ')}; +https://x.example)`,
    ),
);

describe('the rule against impersonators', () => {
  it.each(WRITTEN)('of %s never matches an address that proves the bot it names', (target) => {
    const cases = fc.tuple(covered, claiming).chain(([bots, userAgent]) => {
      const bot = COMPILED.tokens.match(userAgent)?.bot_name ?? '';
      const prefixes = LISTS.ip_ranges.filter((set) => set.bots.includes(bot)).flatMap((set) => set.prefixes);
      return fc.record({
        bots: fc.constant(bots),
        userAgent: fc.constant(userAgent),
        ip: prefixes.length === 0 ? v4 : fc.constantFrom(...prefixes).chain(within),
      });
    });
    let proven = 0;
    fc.assert(
      fc.property(cases, ({ bots, userAgent, ip }) => {
        const bot = COMPILED.tokens.match(userAgent)?.bot_name;
        if (bot === undefined || checkRanges(COMPILED, bot, ip, NOW).verdict !== true) return;
        proven += 1;
        const refuses = READ[target](RENDER[target](blockingRule(LISTS, bots), []));
        expect(refuses({ userAgent, ip })).toBe(false);
      }),
      { numRuns: 300 },
    );
    expect(proven).toBeGreaterThan(50);
  });

  it.each(WRITTEN)('of %s matches each covered name from an address that no vendor publishes', (target) => {
    const all = compileRanges(LISTS.ip_ranges.flatMap(({ prefixes }) => prefixes));
    fc.assert(
      fc.property(covered, v4, fc.nat(), (bots, ip, luck) => {
        const address = parseIp(ip);
        fc.pre(address !== null && !rangesContain(all, address));
        const bot = bots[luck % bots.length] ?? '';
        const refuses = READ[target](RENDER[target](blockingRule(LISTS, bots), []));
        expect(refuses({ userAgent: `Mozilla/5.0 (compatible; ${tokenOf(bot)}/1.2)`, ip })).toBe(true);
        expect(refuses({ userAgent: tokenOf(bot).toUpperCase(), ip })).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each(WRITTEN)('of %s leaves browsers, search engines and Claude Code alone', (target) => {
    const refuses = READ[target](RENDER[target](blockingRule(LISTS, RANGED), []));
    for (const { user_agent: userAgent, bot } of userAgents.cases)
      if (bot === null && target !== 'cloudflare')
        expect(refuses({ userAgent, ip: '192.0.2.1' }), userAgent).toBe(false);
    for (const userAgent of [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)',
      '',
    ])
      expect(refuses({ userAgent, ip: '192.0.2.1' }), userAgent).toBe(false);
  });

  it('spares a user agent that names a crawler of another vendor, whose addresses it does not hold', () => {
    const rule = blockingRule(LISTS, ['GPTBot']);
    expect(rule.claims).toEqual(['gptbot']);
    expect(rule.spares).toContain('ccbot');
    expect(rule.spares).not.toContain('chatgpt-user');
    for (const target of WRITTEN)
      expect(
        READ[target](RENDER[target](rule, []))({ userAgent: 'CCBot/2.0 GPTBot/1.0', ip: '192.0.2.1' }),
      ).toBe(false);
  });

  it('fits into an expression of Cloudflare, or brings a list', () => {
    const small = RENDER.cloudflare(blockingRule(LISTS, ['PerplexityBot']), []);
    expect(small).toHaveLength(1);
    expect(small[0]?.text.length).toBeLessThanOrEqual(MOST_EXPRESSION);
    const large = RENDER.cloudflare(blockingRule(LISTS, RANGED), []);
    expect(large).toHaveLength(2);
    expect(large[0]?.text.length).toBeLessThanOrEqual(MOST_EXPRESSION);
    expect(large[0]?.text).toContain(`not ip.src in $${CLOUDFLARE_LIST}`);
  });

  it('has nothing to paste into robots.txt', () => {
    expect(RENDER.robots(blockingRule(LISTS, ['GPTBot']), [])).toEqual([]);
  });
});

describe('ranges that may refute', () => {
  const set = { engine: 'openai', bots: ['GPTBot'], prefixes: ['192.0.2.0/24'], as_of: TODAY };
  it.each([
    ['ok', [set]],
    ['no_ranges', []],
    ['not_loaded', [{ ...set, prefixes: [] }]],
    ['incomplete', [set, { ...set, complete: false }]],
    ['outdated', [set, { ...set, as_of: '2026-11-14' }]],
    ['ok', [set, { ...set, as_of: '2026-11-15' }]],
    ['outdated', [{ engine: 'openai', bots: ['GPTBot'], prefixes: ['192.0.2.0/24'] }]],
  ] as const)('are %s', (state, sets) => {
    const lists = {
      ip_ranges: sets.map((one) => ({ ...one, bots: [...one.bots], prefixes: [...one.prefixes] })),
    };
    expect(rangeStateOf(lists, 'GPTBot', NOW).state).toBe(state);
  });
});

describe('prefixes', () => {
  const prefix = fc.oneof(
    fc.tuple(v4, fc.integer({ min: 9, max: 32 })).map(([ip, bits]) => `${ip}/${bits}`),
    fc
      .tuple(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), fc.integer({ min: 12, max: 128 }))
      .map(([groups, bits]) => `${groups.map((group) => group.toString(16)).join(':')}/${bits}`),
  );

  it('hold the same addresses as the ranges that they were made of', () => {
    fc.assert(
      fc.property(fc.array(prefix, { minLength: 1, maxLength: 8 }), (prefixes) => {
        const set = compileRanges(prefixes);
        expect(compileRanges(prefixesOf(set))).toEqual(set);
      }),
    );
  });

  it('are as Cloudflare takes them, and hold no address less', () => {
    fc.assert(
      fc.property(fc.array(prefix, { minLength: 1, maxLength: 8 }), fc.nat(7), (prefixes, index) => {
        const taken = forCloudflare(prefixesOf(compileRanges(prefixes)));
        for (const one of taken)
          expect(Number(one.split('/')[1])).toBeLessThanOrEqual(one.includes(':') ? 64 : 32);
        const { first } = rangeOf(prefixes[index % prefixes.length] ?? '');
        const address =
          typeof first === 'bigint'
            ? { version: 6 as const, value: first }
            : { version: 4 as const, value: first };
        expect(rangesContain(compileRanges(taken), address)).toBe(true);
      }),
    );
    expect(forCloudflare(['16.0.0.0/6'])).toEqual(['16.0.0.0/8', '17.0.0.0/8', '18.0.0.0/8', '19.0.0.0/8']);
    expect(forCloudflare(['2001:db8::1:0:0:1/128', '2001:db8:0:0:8000::/65'])).toEqual(['2001:db8::/64']);
  });
});
