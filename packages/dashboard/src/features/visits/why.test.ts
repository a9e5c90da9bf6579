import { VERDICT_REASONS } from '@ghostlight/core';
import { describe, expect, it } from 'vitest';
import { learnNetworks } from '../../format/networks.ts';
import { type JudgedVisit, whySteps } from './why.ts';

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
  whySteps({ ...VISIT, ...visit }).find((one) => one.title.startsWith(title));

describe('the steps to a verdict', () => {
  it('name the method, the list with its date, the network and the verdict', () => {
    expect(whySteps(VISIT).map(({ title, outcome }) => [title, outcome])).toEqual([
      ['Name', 'fact'],
      ['Signature', 'none'],
      ['Address', 'proof'],
      ['Network', 'fact'],
      ['Identity: Verified', 'proof'],
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
    ).toMatchObject({ outcome: 'open', detail: expect.stringContaining('does not sign for GPTBot') });
  });

  it('end with the verdict that is stored, whatever the reason', () => {
    for (const reason of ['', 'a_new_reason', ...Object.keys(VERDICT_REASONS)])
      for (const [verified, title] of [
        [true, 'Identity: Verified'],
        [false, 'Identity: Spoofed'],
        [null, 'Identity: Unknown'],
      ] as const) {
        const steps = whySteps({ ...VISIT, verdict_reason: reason, verified, asn: 0, country: '' });
        expect(steps.at(-1)?.title).toBe(title);
        for (const { detail } of steps) expect(detail).toMatch(/^[A-Z].+\.$/);
      }
  });

  it('are none for people, who have no verdict', () => {
    for (const hitClass of ['ai_referral', 'sample', 'event'] as const)
      expect(whySteps({ ...VISIT, class: hitClass, verified: null })).toEqual([]);
  });
});
