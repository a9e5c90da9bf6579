import { directoryUrl } from '@ghostlight/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import b26 from '../../vectors/rfc9421-b26-ed25519.json' with { type: 'json' };
import fields from '../../vectors/web-bot-auth-signature-agent-v1.json' with { type: 'json' };
import { type ProfileRules, readSignatures } from './signed-request.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const RULES: ProfileRules = { maxLifetime: 86_400, clockSkew: 60 };
const read = (headers: Record<string, string>, url = 'https://shop.example/') =>
  readSignatures({ method: 'GET', url, headers: new Headers(headers) }, NOW, RULES);

const parameters = `created=${NOW / 1000};expires=${NOW / 1000 + 60};keyid="k";tag="web-bot-auth"`;
const signed = (input: string, agent: string) => ({
  signature: 'sig1=:AAAA:',
  'signature-input': input,
  'signature-agent': agent,
});

describe('the claims of a signed request', () => {
  it.each(fields.vectors)('name the directory of the official field "$name"', ({ header, entries }) => {
    const input = `sig1=("@authority" "signature-agent";key="sig1");${parameters}`;
    expect(read(signed(input, header))).toEqual([
      {
        label: 'sig1',
        keyid: 'k',
        fields: ['signature-agent'],
        directory: entries[0]?.type === 'directory' ? directoryUrl(entries[0].uri) : entries[0]?.uri,
        type: entries[0]?.type,
      },
    ]);
  });

  it.each([
    ['"https://a.example/keys"', 'no bare origin'],
    ['"https://a.example/.well-known/http-message-signatures-directory"', 'no bare origin'],
    ['"https://a.example/?x=1";type=directory', 'no bare origin'],
    ['"https://a.example/jwks.json";type=another', 'of an unknown type'],
    ['"https://a.example";type', 'of an unknown type'],
  ])('of a member %s tell nothing, whatever its path looks like', (member, why) => {
    const input = `sig1=("@authority" "signature-agent";key="sig1");${parameters}`;
    expect(read(signed(input, `sig1=${member}`))).toEqual([
      { outcome: 'unverified', reason: `Signature-Agent is ${why}` },
    ]);
  });

  it("of RFC 9421's own example are another scheme's", () => {
    expect(read(b26.request.headers, b26.request.url)).toEqual([
      { outcome: 'absent', reason: 'another tag' },
    ]);
  });

  it.each([
    ['("@authority" "signature-agent");created=1', 'invalid', 'Signature-Input is malformed'],
    ['sig1="text"', 'invalid', 'no list of components'],
    [`sig1=("@authority" "signature-agent" token);${parameters}`, 'invalid', 'a component without a name'],
    [
      `sig1=("@authority" "signature-agent";key="other");${parameters}`,
      'unverified',
      'Signature-Agent is malformed',
    ],
    [
      `sig1=("@authority" "signature-agent";key="list");${parameters}`,
      'unverified',
      'Signature-Agent is malformed',
    ],
    [
      `sig1=("@authority" "signature-agent";key="g" "signature-agent";key="list");${parameters}`,
      'unverified',
      'covers several agents',
    ],
    [
      `sig1=("@authority" "signature-agent");${parameters};nonce="${'n'.repeat(5_000)}"`,
      'unverified',
      'a field is too long',
    ],
  ])('%.60s are refused', (input, outcome, reason) => {
    const agent = 'g="https://agent.example", list=("https://agent.example")';
    expect(read(signed(input, agent))).toEqual([{ outcome, reason }]);
  });

  it('that cover an agent who is not there are wrong', () => {
    const { 'signature-agent': _, ...headers } = signed(
      `sig1=("@authority" "signature-agent");${parameters}`,
      '',
    );
    expect(read(headers)).toEqual([
      { outcome: 'invalid', reason: 'covers a Signature-Agent that is not there' },
    ]);
  });

  it('never throw, and never name a directory that is not https, whatever the fields hold', () => {
    const piece = fc.constantFrom(
      'sig1=',
      '(',
      ')',
      '"@authority"',
      '"signature-agent"',
      ';key="g"',
      ';',
      ',',
      parameters,
      'g=',
      '"https://a.example"',
      '"http://a"',
      ':AA==:',
      '?1',
      '@1',
      '%"x"',
      '"',
      '\\',
      ' ',
    );
    const field = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme-ascii' }),
    );
    fc.assert(
      fc.property(field, field, field, (signature, input, agent) => {
        for (const claim of read({ signature, 'signature-input': input, 'signature-agent': agent })) {
          if ('directory' in claim) expect(claim.directory).toMatch(/^https:\/\/[^/:@]+\//);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
