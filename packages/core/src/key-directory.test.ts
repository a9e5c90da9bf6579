import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import cards from '../vectors/web-bot-auth-signature-agent-card-v1.json' with { type: 'json' };
import { keyThumbprint, PUBLISHED_TEST_KEYS, parseAgentCard, parseKeyDirectory } from './key-directory.ts';
import { jwkThumbprint } from './manifest/thumbprint.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const x = randomBytes(32).toString('base64url');
const jwk = { kty: 'OKP', crv: 'Ed25519', x };

describe('a key directory', () => {
  it('has the thumbprint of RFC 8037, appendix A.3', async () => {
    expect(await keyThumbprint('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    );
    expect(await keyThumbprint(x)).toBe(await jwkThumbprint(jwk));
  });

  it('is read as a key set and as one bare key, with unknown members', async () => {
    const keys = [{ ...jwk, kid: await keyThumbprint(x) }];
    const set = { keys: [jwk], signature_agent: 'https://a.example', purpose: 'ai' };
    expect(await parseKeyDirectory(JSON.stringify(set), NOW)).toEqual({ keys, skipped: 0 });
    expect(await parseKeyDirectory(`\ufeff${JSON.stringify({ ...jwk, use: 'sig' })}`, NOW)).toEqual({
      keys,
      skipped: 0,
    });
  });

  it("keeps a vendor's short kid, but no thumbprint that is another key's", async () => {
    const set = { keys: [{ ...jwk, kid: 'key-1' }] };
    expect(await parseKeyDirectory(JSON.stringify(set), NOW)).toMatchObject({ keys: [{ kid: 'key-1' }] });
    const lying = { keys: [{ ...jwk, kid: 'A'.repeat(43) }] };
    expect(await parseKeyDirectory(JSON.stringify(lying), NOW)).toMatchObject({
      keys: [{ kid: await keyThumbprint(x) }],
    });
  });

  it('leaves out what is expired, not yet valid, of another kind, or spelled twice', async () => {
    const seconds = NOW / 1000;
    const entries = [
      { ...jwk, exp: seconds },
      { ...jwk, exp: NOW },
      { ...jwk, nbf: seconds + 60 },
      { kty: 'RSA', n: 'x', e: 'AQAB' },
      { ...jwk, x: `${x.slice(0, 42)}B` },
      { ...jwk, x: `${x}=` },
      null,
      { ...jwk, exp: seconds + 60, nbf: seconds },
    ];
    expect(await parseKeyDirectory(JSON.stringify({ keys: entries }), NOW)).toMatchObject({
      keys: [{ x }],
      skipped: 7,
    });
  });

  it("refuses the drafts' published test keys", async () => {
    const published = { ...jwk, x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
    expect(PUBLISHED_TEST_KEYS.has(await keyThumbprint(published.x))).toBe(true);
    expect(await parseKeyDirectory(JSON.stringify({ keys: [published] }), NOW)).toEqual({
      keys: [],
      skipped: 1,
    });
  });

  it.each([
    ['<html>', 'unparsable'],
    ['[]', 'unparsable'],
    ['{"keys":[]}', 'no_keys'],
    [JSON.stringify({ keys: new Array(21).fill(jwk) }), 'too_many_keys'],
  ])('%s is refused', async (text, error) => {
    expect(await parseKeyDirectory(text, NOW)).toEqual({ error });
  });

  it('never throws, whatever it is given', async () => {
    const entry = fc.oneof(
      fc.anything(),
      fc.record({ kty: fc.constant('OKP'), crv: fc.constant('Ed25519'), x: fc.string() }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(entry).map((keys) => JSON.stringify({ keys }) ?? ''),
        ),
        async (text) => {
          const directory = await parseKeyDirectory(text, NOW);
          expect('error' in directory || directory.keys.length <= 20).toBe(true);
        },
      ),
    );
  });
});

describe('an agent card', () => {
  it.each(cards.vectors)('of the official vector "$name"', ({ url, card, valid }) => {
    expect('error' in parseAgentCard(JSON.stringify(card), url)).toBe(!valid);
  });

  it.each([
    ['[]', 'unparsable'],
    ['{', 'unparsable'],
    ['{"client_id":"https://a.example/bot","jwks_uri":"http://a.example/keys"}', 'no_keys'],
    ['{"client_id":"https://a.example/bot","jwks":[]}', 'no_keys'],
    ['{"client_id":"https://a.example/bot"}', 'no_keys'],
  ])('%s is none', (text, error) => {
    expect(parseAgentCard(text, 'https://a.example/bot')).toEqual({ error });
  });
});
