import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embeddedLists } from './embedded.ts';
import type { BotLists } from './lists.ts';
import { validateLists } from './validate.ts';

const reasonsFor = (change: (lists: BotLists) => unknown): string[] => {
  const lists = embeddedLists();
  const validation = validateLists(change(lists) ?? lists);
  return 'reasons' in validation ? validation.reasons : [];
};

describe('validateLists', () => {
  it('takes the embedded lists, also after a journey as JSON', () => {
    expect(validateLists(JSON.parse(JSON.stringify(embeddedLists())))).toHaveProperty('lists');
  });

  it('takes lists of an older service, without the members that were added', () => {
    expect(reasonsFor(({ ai_referrer_names: _, ...lists }) => lists)).toEqual([]);
  });

  it('refuses lists that would blind the caller', () => {
    expect(reasonsFor((lists) => ({ ...lists, bot_patterns: [] }))).toEqual(['bot_patterns: is empty']);
    expect(reasonsFor((lists) => ({ ...lists, ai_referrer_domains: [] }))).toEqual([
      'ai_referrer_domains: is empty',
    ]);
    expect(reasonsFor(() => ({}))).not.toEqual([]);
  });

  it('refuses a token or a domain that would match everything', () => {
    for (const pattern of ['', 'a', 'ai', 'GPTBot', ' bot', 'bot-\n', 'x'.repeat(65), 7, null]) {
      const [first, ...rest] = embeddedLists().bot_patterns;
      expect(
        reasonsFor((lists) => ({ ...lists, bot_patterns: [{ ...first, pattern }, ...rest] })),
      ).toHaveLength(1);
    }
    for (const domain of ['com', '', '.', 'ChatGPT.com', 'https://chatgpt.com', 'a..b', 5]) {
      expect(reasonsFor((lists) => ({ ...lists, ai_referrer_domains: [domain] }))).toHaveLength(1);
    }
  });

  it('names the place of every error, the first twenty', () => {
    expect(
      reasonsFor((lists) => ({
        ...lists,
        signature_agents: [{ engine: 'x', bot_name: 'y', intent: 'z', url: 'http://a', keys: [{}] }],
      })),
    ).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^signature_agents\/0\/intent: /),
        expect.stringMatching(/^signature_agents\/0\/keys\/0: /),
      ]),
    );
    expect(reasonsFor((lists) => ({ ...lists, bot_patterns: new Array(100).fill({}) }))).toHaveLength(20);
  });

  it('never throws and never takes noise for lists', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(validateLists(hostile)).toEqual({ reasons: ['/: could not be read'] });
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(validateLists(value)).toHaveProperty('reasons');
      }),
    );
  });

  it('never throws for lists in which anything was replaced by anything', () => {
    const members = Object.keys(embeddedLists());
    fc.assert(
      fc.property(fc.constantFrom(...members), fc.anything(), (member, value) => {
        const validation = validateLists({ ...embeddedLists(), [member]: value });
        expect('lists' in validation || validation.reasons.length > 0).toBe(true);
      }),
    );
  });
});
