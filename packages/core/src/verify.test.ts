import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { observedHit } from '../vectors/run.ts';
import { classify, compileLists } from './classify.ts';
import { embeddedLists, embeddedListsReadAt } from './embedded.ts';
import { VERDICT_REASONS } from './hit.ts';
import { VERIFIABLE_ENGINES } from './lists.ts';
import { DAY_MS } from './time.ts';
import { checkRanges, judge } from './verify.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const CHATGPT_USER =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot';

function verdictOf(members: Parameters<typeof observedHit>[0], lists = embeddedListsReadAt(NOW)) {
  const compiled = compileLists(lists);
  const hit = observedHit({ at: NOW, ...members });
  const bot = classify(hit, compiled, () => false);
  if (bot.class !== 'ai_bot') throw new Error('no bot');
  return judge(hit, bot, compiled);
}

describe('the copy that travels with the code', () => {
  it('is old on the day of the release, so no visit is spoofed by it, from the edge or from a log', () => {
    for (const { bot_name: bot, pattern } of embeddedLists().bot_patterns) {
      const lists = compileLists(embeddedLists());
      expect([bot, checkRanges(lists, bot, '192.0.2.1', NOW).verdict]).toEqual([bot, null]);
      for (const hit of [{ edgeVerified: false }, { source: 'edge_logpush', ip: '192.0.2.1' }] as const)
        expect([bot, verdictOf({ userAgent: pattern, ...hit }, embeddedLists()).verified]).toEqual([
          bot,
          null,
        ]);
    }
  });

  it('still proves whom it knows', () => {
    const [prefix = ''] =
      embeddedLists().ip_ranges.find(({ bots }) => bots[0] === 'ChatGPT-User')?.prefixes ?? [];
    const hit = { userAgent: CHATGPT_USER, ip: prefix.split('/')[0] ?? '' };
    expect(verdictOf(hit, embeddedLists())).toMatchObject({ verified: true, verdict_reason: 'ranges' });
  });
});

describe('a collector of the field', () => {
  /** As it verifies: every engine that is named to it, by the files in its code, which hold other vendors' bots in none of them. */
  const fieldVerdict = (engine: string, named: readonly string[]): boolean | null =>
    named.includes(engine) ? false : null;

  it('is asked to verify three vendors, and none whose files it does not have', () => {
    const { verifiable_engines: named, bot_patterns: patterns } = embeddedListsReadAt(NOW);
    expect(named).toEqual(['google', 'openai', 'perplexity']);
    expect(named).toEqual([...VERIFIABLE_ENGINES]);
    for (const engine of ['apple', 'commoncrawl', 'duckduckgo', 'anthropic', 'amazon', 'mistral']) {
      expect(patterns.some((pattern) => pattern.engine === engine)).toBe(true);
      expect(fieldVerdict(engine, named)).toBe(null);
    }
  });

  it('that says false of any bot makes it spoofed only where its own eight files hold that bot', () => {
    const lists = embeddedListsReadAt(NOW);
    const spoofed = lists.bot_patterns
      .filter(
        ({ pattern }) => verdictOf({ userAgent: pattern, edgeVerified: false }, lists).verified === false,
      )
      .map(({ bot_name }) => bot_name);
    expect(spoofed.sort()).toEqual(
      [
        ...['ChatGPT-User', 'GPTBot', 'Google-CloudVertexBot', 'GoogleOther', 'GoogleOther-Image'],
        ...['GoogleOther-Video', 'OAI-SearchBot', 'Perplexity-User', 'PerplexityBot'],
      ].sort(),
    );
  });
});

it('a verdict is spoofed only by ranges of within a week of the visit, whatever the edge says', () => {
  fc.assert(
    fc.property(
      fc.record({
        at: fc.integer({ min: NOW - 400 * DAY_MS, max: NOW + 400 * DAY_MS }),
        edgeVerified: fc.constantFrom(true, false, null),
        edgeVerifiedBy: fc.constantFrom('signature', 'edge_cidr', null),
        edgeUnchecked: fc.boolean(),
        edgeRangesAsOf: fc.constantFrom('', '2026-11-22', '2025-01-01', '2026-02-31'),
        ip: fc.constantFrom(null, '192.0.2.1', 'nonsense'),
        source: fc.constantFrom('edge_worker', 'edge_logpush'),
        signatureAgent: fc.constantFrom('', 'https://chatgpt.com', 'https://x.example'),
        sampleRate: fc.constantFrom(null, 0.1),
        userAgent: fc.constantFrom(CHATGPT_USER, 'CCBot/2.0', 'Bytespider', 'Claude-User (claude-code/2)'),
      }),
      (members) => {
        const verdict = verdictOf(members);
        expect(VERDICT_REASONS).toHaveProperty(verdict.verdict_reason);
        expect(verdict.verified_by !== '').toBe(verdict.verified === true);
        if (verdict.verified !== false) return;
        expect(['outside_ranges', 'edge_says_no']).toContain(verdict.verdict_reason);
        expect(Math.abs(members.at - Date.parse(verdict.ranges_as_of))).toBeLessThanOrEqual(8 * DAY_MS);
      },
    ),
  );
});

it('every reason is in the documentation, and no other', () => {
  const page = readFileSync(new URL('../../../docs/sending-data.md', import.meta.url), 'utf8');
  const told = [...page.matchAll(/^\| (?:verified|spoofed|unknown) \| `(\w+)` \|/gm)].map(
    ([, reason]) => reason,
  );
  expect(told.sort()).toEqual(Object.keys(VERDICT_REASONS).sort());
});
