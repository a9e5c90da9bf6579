import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedLists } from './embedded.ts';
import { compileTokens } from './tokens.ts';

const entries = (patterns: string[]): { pattern: string }[] => patterns.map((pattern) => ({ pattern }));
const find = (patterns: string[], userAgent: string): string | null =>
  compileTokens(entries(patterns)).match(userAgent)?.pattern ?? null;

/** The rule as one would write it down, in quadratic time. */
function naive(patterns: readonly string[], userAgent: string): string | null {
  const text = userAgent.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const isWord = (character: string | undefined): boolean =>
    character !== undefined && /[a-z0-9_-]/.test(character);
  let best: { pattern: string; at: number } | null = null;
  for (const pattern of patterns) {
    for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
      if (isWord(text[at - 1]) || isWord(text[at + pattern.length])) continue;
      const isOfHost = /^\.[a-z]/.test(text.slice(at + pattern.length));
      if (isOfHost && !pattern.includes('.')) continue;
      const longer = best === null || pattern.length > best.pattern.length;
      if (longer || (pattern.length === best?.pattern.length && at < best.at)) best = { pattern, at };
    }
  }
  return best?.pattern ?? null;
}

describe('compileTokens', () => {
  it('agrees with the naive rule for every mix of near-matches', () => {
    const patterns = ['bot', 'gptbot', 'gpt bot', 'gpt', 'a-b', 'a', 'bot.ai', 'bot/1', 'b_t'];
    const piece = fc.constantFrom(
      ...patterns,
      ' ',
      '-',
      '_',
      '/',
      '.',
      '1',
      'G',
      'BOT',
      'é',
      '\u212a',
      '(',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const userAgent = pieces.join('');
        expect(find(patterns, userAgent)).toBe(naive(patterns, userAgent));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with the naive rule on the embedded list', () => {
    const patterns = embeddedLists().bot_patterns.map(({ pattern }) => pattern);
    const matcher = compileTokens(entries(patterns));
    const piece = fc.oneof(
      fc.constantFrom(...patterns),
      fc.constantFrom(' ', '-', '/', '; ', '_', '('),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const userAgent = pieces.join('');
        expect(matcher.match(userAgent)?.pattern ?? null).toBe(naive(patterns, userAgent));
      }),
    );
  });

  it('takes the first of two tokens of one length', () => {
    expect(find(['aaa', 'bbb'], 'x bbb aaa')).toBe('bbb');
  });

  it('takes a token with blanks, dots and slashes as it is written', () => {
    expect(find(['kangaroo bot', 'bigsur.ai', 'spider/2.0'], 'Kangaroo Bot/1')).toBe('kangaroo bot');
    expect(find(['spider/2.0', 'spider'], 'SPIDER/2.0')).toBe('spider/2.0');
    expect(find(['bigsur.ai'], '+https://bigsur.ai/bot')).toBe('bigsur.ai');
  });

  it('folds ASCII alone: the Kelvin sign is no k, and its neighbour is no word', () => {
    expect(find(['kimi'], '\u212aimi')).toBe(null);
    expect(find(['kimi'], '\u212akimi')).toBe('kimi');
  });

  it('leaves out tokens that it cannot match, and keeps the others', () => {
    expect(find(['', 'é', 'x'.repeat(65), 'gptbot'], 'GPTBot')).toBe('gptbot');
    expect(find([], 'GPTBot')).toBe(null);
  });

  it('finds each of as many and as long tokens as a list may carry', () => {
    const patterns = Array.from({ length: 1_000 }, (_, i) => String(i).padStart(4, '0').repeat(16));
    const matcher = compileTokens(entries(patterns));
    expect(patterns.filter((pattern) => matcher.match(`x/${pattern};`)?.pattern !== pattern)).toEqual([]);
  });
});
