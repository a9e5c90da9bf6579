import { compileLists, embeddedLists, type StoredHit } from '@ghostlight/core';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import { decodeElement, isRejection } from './edge-worker.ts';
import { process } from './pipeline.ts';
import { CHROME, NOW, ORGANIZATION, PROPERTY } from './testing/harness.ts';

const lists = compileLists(embeddedLists());

function classOf(members: Record<string, unknown>): string {
  const element = { timestamp: NOW, host: 'www.shop.example', pathname: '/', user_agent: CHROME, ...members };
  const decoded = decodeElement(element, NOW);
  if (isRejection(decoded)) throw new Error(decoded.reason);
  let row: StoredHit | null = null;
  const outcome = process(decoded, {
    key: { id: 'k', organizationId: ORGANIZATION, attributionId: PROPERTY, prefix: 'svc_cf_aaaaa' },
    owners: new Map([[PROPERTY, ORGANIZATION]]),
    domainsOf: (id) => (id === PROPERTY ? ['shop.example', 'go.track.example'] : []),
    lists,
    isBot: isbot,
    toRow: (hit) => {
      row = hit;
      return '';
    },
    receivedAt: NOW,
  });
  return outcome.kind === 'kept' ? String((row as StoredHit | null)?.class) : outcome.kind;
}

it.each([
  ['from ChatGPT itself', { referer: 'https://chatgpt.com/' }, 'ai_referral'],
  ['tagged, without a referrer', { query_params: { utm_source: 'chatgpt.com' } }, 'ai_referral'],
  ['tagged, from its own host', { referer: 'https://www.shop.example/a', tagged: true }, 'dropped'],
  ['tagged, from a sister host', { referer: 'https://blog.shop.example/', tagged: true }, 'dropped'],
  ['tagged, from a tracking domain', { referer: 'https://go.track.example/', tagged: true }, 'dropped'],
  ['tagged, from another site', { referer: 'https://track.example/', tagged: true }, 'ai_referral'],
  [
    'tagged, from its own host, as a sample',
    { referer: 'shop.example', sample_rate: 0.5, tagged: true },
    'sample',
  ],
])('a visit %s', (_, { tagged, ...members }: Record<string, unknown>, expected) => {
  const query = tagged === true ? { query_params: { utm_source: 'chatgpt.com' } } : {};
  expect(classOf({ ...members, ...query })).toBe(expected);
});
