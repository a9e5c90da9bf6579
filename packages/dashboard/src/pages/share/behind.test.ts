import { describe, expect, it } from 'vitest';
import { behindSlice, partsOfOtherBots } from './behind.ts';

const SHARE = {
  ...{ denominator: 'estimated' as const, sources: ['edge_worker'], samples: 770, spoofed: 1_999 },
  other_bots: { hits: 40_499, exact: 1_999 },
};

describe('the visits behind a part of the traffic', () => {
  it('are pages of the sources that are counted, since logs that count nothing else are left out', () => {
    expect(behindSlice('ai_bots', SHARE, 'pages')?.narrow).toEqual({ kind: 'page', source: 'edge_worker' });
    expect(behindSlice('ai_bots', SHARE, 'requests')?.narrow).toEqual({ source: 'edge_worker' });
    expect(
      behindSlice('ai_referrals', { ...SHARE, sources: ['edge_worker', 'tail'] }, 'requests')?.narrow,
    ).toEqual({ class: 'ai_referral', source: 'edge_worker,tail' });
  });

  it('are not known where only a part of a source is counted', () => {
    expect(behindSlice('ai_bots', { ...SHARE, sources: null }, 'pages')).toBeNull();
    expect(partsOfOtherBots({ ...SHARE, sources: null }, 'pages')).toBeNull();
  });

  it('are samples and spoofed visits for other bots, each with its own figure', () => {
    expect(behindSlice('other_bots', SHARE, 'pages')).toBeNull();
    expect(partsOfOtherBots(SHARE, 'pages')?.map(({ hits, narrow }) => [hits, narrow])).toEqual([
      [38_500, { class: 'sample', other_bot: 'true', kind: 'page', source: 'edge_worker' }],
      [1_999, { verdict: 'spoofed', kind: 'page', source: 'edge_worker' }],
    ]);
    const alone = { ...SHARE, spoofed: 0, other_bots: { hits: 38_500, exact: 0 } };
    expect(partsOfOtherBots(alone, 'pages')).toBeNull();
    expect(behindSlice('other_bots', alone, 'pages')?.narrow).toMatchObject({ other_bot: 'true' });
  });

  it('are none for what logs count, and for programs that no filter tells apart', () => {
    const counted = { ...SHARE, denominator: 'counted' as const, samples: 0 };
    expect(behindSlice('people', counted, 'pages')).toBeNull();
    expect(partsOfOtherBots({ ...SHARE, denominator: 'mixed' }, 'pages')).toBeNull();
    expect(partsOfOtherBots({ ...SHARE, other_bots: { hits: 50_000, exact: 9_000 } }, 'pages')).toBeNull();
  });
});
