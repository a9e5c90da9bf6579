import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Message, mailOf, slackRequest, webhookRequest } from './message.ts';

const LINK = 'https://app.example/p/0a1b/bots?bot=GPTBot';
const message = (title: string, text: string, name = 'Shop'): Message => ({
  id: 'msg_1',
  phase: 'opened',
  property: { id: '0a1b', name, domain: 'shop.example', timeZone: 'UTC' },
  alert: {
    ...{ id: 'alt_1', kind: 'spike', subject: 'GPTBot', at: 0, resolvedAt: null, title, text },
    ...{ now: 1, usual: null, unit: 'visits', link: LINK },
  },
});
const shown = (of: Message): string => {
  const { body } = slackRequest({ type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' }, of);
  const { blocks } = JSON.parse(String(body)) as { blocks: { text: { text: string } }[] };
  return blocks[0]?.text.text ?? '';
};

it('is cut where Slack takes no more, and keeps its link', () => {
  const text = shown(message('T'.repeat(900), 'words & <more> '.repeat(900)));
  expect(text.length).toBeLessThanOrEqual(3_000);
  expect(text.endsWith(`<${LINK}|Open in Ghostlight>`)).toBe(true);
});

it('contains no markup from untrusted text, whatever the words and wherever they are cut', () => {
  const words = fc.string({
    unit: fc.constantFrom('<', '>', '&', '*', '_', 'é', '💥', '\n', 'a'),
    maxLength: 4_000,
    size: 'max',
  });
  fc.assert(
    fc.property(words, words, fc.string({ maxLength: 100 }), (title, text, name) => {
      const whole = shown(message(title, text, name));
      expect(whole.length).toBeLessThanOrEqual(3_000);
      expect(whole.isWellFormed()).toBe(true);
      const [link = '', ...others] = whole.match(/<[^>]*>/g) ?? [];
      expect([link, others]).toEqual([`<${LINK}|Open in Ghostlight>`, []]);
      expect(whole.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
    }),
    { numRuns: 50 },
  );
});

it('tells whose visits it counts, and no more digits of a share than mean something', () => {
  const told = (kind: Message['alert']['kind'], now: number, unit: string) => {
    const of = message('Many errors for AI bots', '57%.');
    const alert = { ...of.alert, kind, now, usual: 1 / 3, unit };
    const posted = { ...of, alert };
    const address = { type: 'webhook', url: 'https://ops.example/', secret: `whsec_${btoa('x'.repeat(24))}` };
    const { body } = webhookRequest(address as Parameters<typeof webhookRequest>[0], posted, 0);
    const { figures, population } = JSON.parse(String(body)).data;
    const mail = mailOf({ type: 'email', to: 'ops@shop.example' }, posted).text;
    return { figures, population, mail: mail.includes('Spoofed visits are not counted.') };
  };
  expect(told('bot_errors', 17 / 67, 'share')).toEqual({
    figures: { now: 0.2537313, usual: 0.3333333, unit: 'share' },
    population: 'verified_unknown',
    mail: true,
  });
  // A sum of weights.
  expect(told('spoof_surge', 1 / 0.03, 'visits')).toEqual({
    figures: { now: 33.333, usual: 0.333, unit: 'visits' },
    population: 'all',
    mail: false,
  });
  expect(told('forwarding_failing', 5, 'deliveries')).toMatchObject({ population: null, mail: false });
});
