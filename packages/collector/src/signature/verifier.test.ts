import { compileLists, embeddedLists, PUBLISHED_TEST_KEYS, parseKeyDirectory } from '@ghostlight/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import response from '../../vectors/directory-response-signed.json' with { type: 'json' };
import { createSignatureVerifier, namesListedAgent } from './index.ts';
import { createSigner, listedAgent } from './testing.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SITE = 'https://shop.example';
const signer = await createSigner(NOW);
const lists = compileLists({
  ...embeddedLists(),
  signature_agents: [listedAgent('https://agent.example', signer.key)],
});
const verifier = createSignatureVerifier({
  fetch: () => Promise.reject(new Error('nothing is fetched here')),
  openCache: async () => null,
  now: () => NOW,
  log: () => {},
});
const good = await signer.sign();

it('nothing but the signed request itself is verified: not one changed, cut or added character passes', async () => {
  const verify = (headers: Record<string, string>) =>
    verifier.verify({ ...good, headers: new Headers(headers) }, lists, SITE);
  expect(await verify(good.headers)).toMatchObject({ outcome: 'verified' });
  const name = fc.constantFrom('signature', 'signature-input', 'signature-agent');
  const character = fc.string({ unit: 'grapheme-ascii', minLength: 0, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(
      name,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(3),
      character,
      async (field, where, cut, put) => {
        const value = good.headers[field] ?? '';
        const at = Math.floor(where * value.length);
        const changed = value.slice(0, at) + put + value.slice(at + cut);
        const { outcome } = await verify({ ...good.headers, [field]: changed });
        if (outcome === 'verified') expect(meaning(field, changed)).toBe(meaning(field, value));
      },
    ),
    { numRuns: 1_500 },
  );
});

/** Structured fields have spellings that mean the same: blanks, and padding of base64. Of the agent, every character is signed. */
const meaning = (field: string, value: string): string =>
  field === 'signature-agent' ? value.trim() : value.replace(/[\s=]/g, '');

it('header garbage never throws and never verifies', async () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(text, text, text, fc.webUrl(), async (signature, input, agent, url) => {
      const headers = new Headers({ signature, 'signature-input': input, 'signature-agent': agent });
      namesListedAgent({ method: 'GET', url, headers }, lists);
      const { outcome } = await verifier.verify({ method: 'GET', url, headers }, lists, SITE);
      expect(outcome).not.toBe('verified');
    }),
    { numRuns: 1_000 },
  );
});

it('the signed directory of the drafts holds a key, and that key is refused', async () => {
  const { body } = response.response;
  expect(await parseKeyDirectory(body, NOW, new Set())).toMatchObject({ keys: [{ x: response.key.x }] });
  expect(await parseKeyDirectory(body, NOW)).toEqual({ keys: [], skipped: 1 });
  expect(PUBLISHED_TEST_KEYS.size).toBe(2);
});

const TAGGED = 'sig1=("@authority" "signature-agent");tag="web-bot-auth"';
it.each<[boolean, string, Record<string, string>, string]>([
  [true, 'a string', { 'signature-agent': '"https://agent.example"', 'signature-input': TAGGED }, SITE],
  [
    true,
    'a dictionary',
    {
      'signature-agent': 'a="https://x.example", b="https://agent.example";type=directory',
      'signature-input': TAGGED,
    },
    SITE,
  ],
  [true, 'an agent that signs', good.headers, SITE],
  [false, 'an unlisted agent', { 'signature-agent': '"https://x.example"', 'signature-input': TAGGED }, SITE],
  [
    false,
    'another tag',
    { 'signature-agent': '"https://agent.example"', 'signature-input': 'sig1=();tag="tap"' },
    SITE,
  ],
  [false, 'no signature', { 'signature-agent': '"https://agent.example"' }, SITE],
  [false, 'no agent', { 'signature-input': TAGGED }, SITE],
  [
    false,
    'plain http',
    { 'signature-agent': '"https://agent.example"', 'signature-input': TAGGED },
    'http://shop.example',
  ],
  [
    false,
    'a crowd of names',
    {
      'signature-agent': `${'"https://x.example",'.repeat(4)}"https://agent.example"`,
      'signature-input': TAGGED,
    },
    SITE,
  ],
])('%s: %s is a candidate', (expected, _, headers, url) => {
  expect(namesListedAgent({ method: 'GET', url, headers: new Headers(headers) }, lists)).toBe(expected);
});
