import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MANIFEST_BYTES, readDocument } from './document.ts';

const ID = '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'thumbprint' })).toString('base64url');
const GOOD = {
  attribution_id: ID,
  expires_at: '2026-11-22T12:00:00Z',
  hosts: ['shop.example'],
  issued_at: '2026-11-21T12:00:00Z',
  signature: `${header}..c2lnbmF0dXJl`,
  tools: [],
  version: '1.0',
};
const read = (body: unknown) => readDocument(JSON.stringify(body), ID, NOW);

describe('readDocument', () => {
  it('reads the hosts and the key, and hands the text on as it came', () => {
    const text = ` ${JSON.stringify(GOOD, null, 2)}\n`;
    expect(readDocument(text, ID, NOW)).toEqual({ text, hosts: ['shop.example'], kid: 'thumbprint' });
  });

  it('takes an attribution ID in capitals for the same', () => {
    expect(readDocument(JSON.stringify(GOOD), ID.toUpperCase(), NOW)).toMatchObject({ kid: 'thumbprint' });
  });

  it.each([
    ['it is no JSON object', [GOOD]],
    ['it is no JSON object', null],
    ['it belongs to another attribution ID', { ...GOOD, attribution_id: 'another' }],
    ['it belongs to another attribution ID', { ...GOOD, attribution_id: undefined }],
    ['it is not signed', { ...GOOD, signature: { alg: 'EdDSA' } }],
    ['it lists no hosts', { ...GOOD, hosts: 'shop.example' }],
    ['it lists no hosts', { ...GOOD, hosts: ['shop.example', 7] }],
    ['it does not say when it expires', { ...GOOD, expires_at: NOW + 1 }],
    ['it does not say when it expires', { ...GOOD, expires_at: '22 November 2026' }],
    ['it has expired', { ...GOOD, expires_at: '2026-11-21T12:00:00Z' }],
    ['it has expired', { ...GOOD, expires_at: '2026-99-99T12:00:00Z' }],
  ])('says that %s', (problem, body) => {
    expect(read(body)).toBe(problem);
  });

  it('refuses a text that is no JSON, and one beyond the limit', () => {
    expect(readDocument('<!doctype html>', ID, NOW)).toBe('it is no JSON object');
    expect(read({ ...GOOD, tools: ['x'.repeat(MAX_MANIFEST_BYTES)] })).toBe('it is too large');
  });

  it.each(['', 'no header', '!!..x', `${Buffer.from('[1]').toString('base64url')}..x`])(
    'knows no key of the signature %j, and leaves it to the agent',
    (signature) => {
      expect(read({ ...GOOD, signature })).toMatchObject({ kid: null });
    },
  );

  it('accepts exactly what is signed, ours, current and for some list of hosts, whatever else it contains', () => {
    const member = <T>(right: T) =>
      fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(right) }, fc.jsonValue());
    const expiry = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') });
    const body = fc.record({
      attribution_id: member(ID),
      signature: member(GOOD.signature),
      hosts: fc.oneof(fc.array(fc.domain()), fc.jsonValue()),
      expires_at: fc.oneof(
        expiry.map((date) => date.toISOString()),
        member(GOOD.expires_at),
      ),
      tools: fc.jsonValue(),
    });
    fc.assert(
      fc.property(body, (candidate) => {
        const { attribution_id, signature, hosts, expires_at } = candidate;
        const right =
          attribution_id === ID &&
          typeof signature === 'string' &&
          Array.isArray(hosts) &&
          hosts.every((host) => typeof host === 'string') &&
          typeof expires_at === 'string' &&
          /^\d{4}-.*Z$/.test(expires_at) &&
          Date.parse(expires_at) > NOW;
        const text = JSON.stringify(candidate);
        const document = readDocument(text, ID, NOW);
        expect(typeof document === 'object').toBe(right);
        if (typeof document === 'object') expect(document).toMatchObject({ text, hosts });
      }),
    );
  });

  it('never throws, whatever text it is given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(typeof readDocument(text, ID, NOW)).toBe('string');
      }),
    );
  });
});
