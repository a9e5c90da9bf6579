import { VERDICT_REASONS } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { learnNetworks } from '../../format/networks.ts';
import { type JudgedVisit, whyOf } from './why.ts';

const VISIT: JudgedVisit = {
  at: '2026-11-22T10:00:00.000Z',
  class: 'ai_bot',
  bot_name: 'GPTBot',
  vendor: 'OpenAI',
  verified: true,
  verdict_reason: 'edge_ranges',
  ranges_as_of: '2026-11-20',
  signature_agent: '',
  asn: 8_075,
  country: 'US',
  list_version: 7,
};
const step = (visit: Partial<JudgedVisit>, title: string) =>
  whyOf({ ...VISIT, ...visit })?.steps.find((one) => one.title === title);

describe('the steps to a verdict', () => {
  it('name the method, the list with its date, the network and the verdict', () => {
    expect(whyOf(VISIT)?.steps.map(({ title, outcome }) => [title, outcome])).toEqual([
      ['Address', 'proof'],
      ['Signature', 'none'],
      ['Network', 'none'],
      ['Name', 'none'],
    ]);
    expect(step({}, 'Address')?.detail).toBe(
      'The address is within the ranges that OpenAI publishes for GPTBot. Checked by the collector against the list of 20 Nov 2026, 2 days before the visit.',
    );
    expect(step({ asn: 8_076 }, 'Network')?.detail).toContain('AS8076, United States');
    learnNetworks([{ asn: 8_075, name: 'Microsoft' }]);
    expect(step({}, 'Network')?.detail).toContain('AS8075 Microsoft, United States');
  });

  it('name the signer, whether its signature counts or not', () => {
    const signed = { signature_agent: 'https://chatgpt.com', ranges_as_of: '' };
    expect(step({ ...signed, verdict_reason: 'signature' }, 'Signature')).toMatchObject({
      outcome: 'proof',
      detail: expect.stringContaining('https://chatgpt.com'),
    });
    expect(
      step({ ...signed, verdict_reason: 'signature_of_another', verified: null }, 'Signature'),
    ).toMatchObject({ outcome: 'none', detail: expect.stringContaining('does not sign for GPTBot') });
  });

  it('come after what decided', () => {
    const answer = (visit: Partial<JudgedVisit>) => whyOf({ ...VISIT, ...visit })?.conclusion;
    expect(answer({})).toBe('Verified: its address is one that OpenAI publishes.');
    expect(answer({ verdict_reason: 'signature' })).toBe('Verified: its signature is one of GPTBot.');
    expect(answer({ verified: false, verdict_reason: 'edge_says_no', vendor: '' })).toBe(
      'Spoofed: its address is not one that the vendor publishes.',
    );
    expect(answer({ verified: null, verdict_reason: 'no_address' })).toMatch(/^Unknown: nothing proves/);
  });

  it('come after the verdict that is stored, whatever the reason', () => {
    for (const reason of ['', 'a_new_reason', ...Object.keys(VERDICT_REASONS)])
      for (const [verified, title] of [
        [true, 'Verified: '],
        [false, 'Spoofed: '],
        [null, 'Unknown: '],
      ] as const) {
        const why = whyOf({ ...VISIT, verdict_reason: reason, verified, asn: 0, country: '' });
        expect(why?.conclusion.startsWith(title)).toBe(true);
        for (const { detail } of why?.steps ?? []) expect(detail).toMatch(/^[A-Z].+\.$/);
      }
  });

  it('are none for people, who have no verdict', () => {
    for (const hitClass of ['ai_referral', 'sample', 'event'] as const)
      expect(whyOf({ ...VISIT, class: hitClass, verified: null })).toBeNull();
  });
});
