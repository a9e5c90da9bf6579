import {
  type BotLists,
  checkRanges,
  compileLists,
  compileRanges,
  compileTokens,
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
const naming = (tokens: readonly string[]): string =>
  `Mozilla/5.0 (compatible; ${tokens.map((token) => `${token}/1.0`).join('; ')}; +https://x.example)`;
const engineOf = (bot: string): string =>
  LISTS.bot_patterns.find(({ bot_name }) => bot_name === bot)?.engine ?? '';
const tokensOf = (engine: string): string[] =>
  LISTS.bot_patterns.filter((one) => one.engine === engine).map(({ pattern }) => pattern);
const names = (tokens: readonly string[]) =>
  fc.array(mixedCase(fc.constantFrom(...tokens)), { minLength: 1, maxLength: 3 }).map(naming);
/** Names one listed bot or several of one vendor, in real user agents and in made ones. */
const claiming = fc.oneof(
  fc.constantFrom(...userAgents.cases.map(({ user_agent: text }) => text)),
  fc
    .oneof(
      { weight: 4, arbitrary: fc.constantFrom(...RANGED).map(engineOf) },
      fc.constantFrom(...LISTS.bot_patterns.map(({ engine }) => engine)),
    )
    .chain((engine) => names(tokensOf(engine))),
);
/** As the service reads them: which listed bots a user agent names. */
const namedIn = (userAgent: string) =>
  LISTS.bot_patterns.filter(({ pattern }) => compileTokens([{ pattern }]).match(userAgent) !== null);

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

  it('can rely on that no known crawler names one of another vendor', () => {
    for (const { user_agent: userAgent } of userAgents.cases)
      expect(new Set(namedIn(userAgent).map(({ engine }) => engine)).size, userAgent).toBeLessThan(2);
  });

  it.each(WRITTEN)('of %s lets no impersonator pass that adds the name of another vendor’s bot', (target) => {
    const all = compileRanges(LISTS.ip_ranges.flatMap(({ prefixes }) => prefixes));
    const cases = covered.chain((bots) =>
      fc.record({
        bots: fc.constant(bots),
        bot: fc.constantFrom(...bots),
        ip: v4,
        others: fc.array(fc.constantFrom(...LISTS.bot_patterns), { minLength: 1, maxLength: 2 }),
        isFirst: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(cases, ({ bots, bot, ip, others, isFirst }) => {
        const address = parseIp(ip);
        fc.pre(address !== null && !rangesContain(all, address));
        fc.pre(others.every(({ engine }) => engine !== engineOf(bot)));
        const added = others.map(({ pattern }) => pattern);
        const userAgent = naming(isFirst ? [tokenOf(bot), ...added] : [...added, tokenOf(bot)]);
        const refuses = READ[target](RENDER[target](blockingRule(LISTS, bots), []));
        expect(refuses({ userAgent, ip }), userAgent).toBe(true);
        // Nor the mark of a tool on a developer's machine, beside a name that is not this tool's.
        if (engineOf(bot) !== 'anthropic')
          expect(refuses({ userAgent: `${tokenOf(bot)} (claude-code/2.1)`, ip })).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('spares only the pairs that genuine crawlers name together', () => {
    const google = blockingRule(LISTS, ['GoogleOther', 'GoogleOther-Video', 'GPTBot']);
    expect(google.claims).toEqual([
      { names: ['googleother-video', 'gptbot'], spares: [] },
      { names: ['googleother'], spares: ['googleother-image'] },
    ]);
    const claude = blockingRule(LISTS, ['ClaudeBot']);
    expect(claude.claims).toEqual([{ names: ['claudebot'], spares: ['(claude-code/', 'claude-searchbot'] }]);
    for (const target of WRITTEN) {
      const refuses = READ[target](RENDER[target](google, []));
      const ip = '192.0.2.1';
      expect(refuses({ userAgent: 'GoogleOther-Image/1.0', ip }), target).toBe(false);
      expect(refuses({ userAgent: 'GoogleOther/1.0', ip }), target).toBe(true);
      expect(refuses({ userAgent: 'GoogleOther-Image/1.0 GPTBot/1.0', ip }), target).toBe(true);
    }
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
