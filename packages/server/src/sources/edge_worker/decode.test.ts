import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOW, workerHit } from '../../ingest/testing/harness.ts';
import { parseElements } from '../../ingest/transports/elements.ts';
import { isRejection } from '../index.ts';
import { decodeElement } from './decode.ts';

const hit = (changes: Record<string, unknown>) => {
  const decoded = decodeElement(workerHit(changes), NOW);
  if (isRejection(decoded)) throw new Error(`${decoded.field}: ${decoded.reason}`);
  return decoded.hit;
};

describe('coercion', () => {
  it.each([
    [
      'numbers as decimal strings',
      { status: '404', bytes: '12', asn: '13335', timestamp: String(NOW) },
      { status: 404, bytes: 12, asn: 13335, at: NOW },
    ],
    [
      'absent and null members',
      {
        status: null,
        bytes: undefined,
        asn: null,
        user_agent: null,
        referer: undefined,
        query_params: null,
        method: null,
        country: null,
      },
      { status: 0, bytes: 0, asn: 0, userAgent: '', referrer: '', method: '', country: '' },
    ],
    ['a host in any case, with a trailing dot', { host: 'Shop.EXAMPLE.' }, { host: 'shop.example' }],
    ['a country in lower case', { country: 'de' }, { country: 'DE' }],
    ['a country that is none', { country: 'T1' }, { country: '' }],
    ['an address that is none', { ip: { a: 1 } }, { ip: null }],
    ['a sample rate out of its range', { sample_rate: 5 }, { sampleRate: null }],
    ['a sample rate whose weight would be infinite', { sample_rate: 5e-324 }, { sampleRate: null }],
    ['a sample rate of 1', { sample_rate: '1' }, { sampleRate: 1 }],
    [
      'false of an edge with nothing to check against',
      { verified: false, unchecked: true },
      { edgeUnchecked: true },
    ],
    ['false of an edge that checked', { verified: false }, { edgeVerified: false, edgeUnchecked: false }],
    ['an odd word for unchecked', { verified: false, unchecked: 'no' }, { edgeUnchecked: false }],
    [
      'the referrer in either spelling',
      { referrer: 'https://a.example/' },
      { referrer: 'https://a.example/' },
    ],
    [
      'HTTP’s spelling before the other',
      { referer: 'https://b.example/', referrer: 'https://a.example/' },
      { referrer: 'https://b.example/' },
    ],
    ['PHP’s empty object', { query_params: [] }, { query: new Map() }],
    [
      'lone surrogates',
      { pathname: '/\ud800', user_agent: '\udfffx' },
      { path: '/\ufffd', userAgent: '\ufffdx' },
    ],
    ['a ray id with its data centre', { ray_id: '8F2A3B4C5D6E7F80-FRA' }, { rayId: '8f2a3b4c5d6e7f80' }],
  ])('takes %s', (_, changes, expected) => {
    expect(hit(changes)).toMatchObject(expected);
  });

  it('cuts what is too long', () => {
    const long = 'é'.repeat(5_000);
    const query_params = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${i}${long}`, long]));
    const cut = hit({ user_agent: long, referer: long, pathname: long, query_params });
    expect([cut.userAgent.length, cut.referrer.length, cut.path.length, cut.query.size]).toEqual([
      1024, 2048, 4096, 64,
    ]);
    for (const [name, value] of cut.query) expect([name.length, value.length]).toEqual([256, 2048]);
  });

  it('never cuts a character in half', () => {
    expect(hit({ user_agent: `${'x'.repeat(1_023)}💥` }).userAgent.isWellFormed()).toBe(true);
  });

  it('takes __proto__ for an unknown name', () => {
    const [element] = parseElements(
      `{"__proto__":{"host":"evil.example"},"timestamp":${NOW},"host":"a","pathname":"/","query_params":{"__proto__":"x"}}`,
    );
    const decoded = decodeElement(element, NOW);
    expect(decoded).toMatchObject({ hit: { host: 'a', query: new Map([['__proto__', 'x']]) } });
    expect(({} as Record<string, unknown>)['host']).toBeUndefined();
  });
});

describe('rejection', () => {
  it.each([
    ['no timestamp', { timestamp: undefined }, 'timestamp', 'missing'],
    ['a timestamp that is text', { timestamp: 'now' }, 'timestamp', 'wrong_type'],
    ['a timestamp in seconds', { timestamp: NOW / 1000 }, 'timestamp', 'too_old'],
    ['a timestamp 32 days ago', { timestamp: NOW - 32 * 86_400_000 }, 'timestamp', 'too_old'],
    ['a timestamp 25 hours ahead', { timestamp: NOW + 25 * 3_600_000 }, 'timestamp', 'in_future'],
    ['no host', { host: '' }, 'host', 'missing'],
    ['no path', { pathname: null }, 'pathname', 'missing'],
    ['a path that is an object', { pathname: {} }, 'pathname', 'wrong_type'],
    ['a negative size', { bytes: -1 }, 'bytes', 'out_of_range'],
    ['a status that no column holds', { status: 65_536 }, 'status', 'out_of_range'],
    ['an asn that no column holds', { asn: '4294967296' }, 'asn', 'out_of_range'],
    ['a size that is text', { bytes: 'many' }, 'bytes', 'wrong_type'],
    ['an infinite number', { bytes: '1e999' }, 'bytes', 'out_of_range'],
    ['a query that is a number', { query_params: 7 }, 'query_params', 'wrong_type'],
  ])('names %s', (_, changes, field, reason) => {
    expect(decodeElement(workerHit(changes), NOW)).toEqual({ field, reason });
  });

  it('takes the last moment of both sides', () => {
    expect(hit({ timestamp: NOW + 86_400_000 }).at).toBe(NOW + 86_400_000);
    expect(hit({ timestamp: NOW - 31 * 86_400_000 }).at).toBe(NOW - 31 * 86_400_000);
  });
});

it('never throws, and makes nothing that the warehouse would refuse', () => {
  const names = fc.constantFrom(
    ...Object.keys(workerHit()),
    'ray_id',
    'sample_rate',
    'signature_agent',
    '__proto__',
  );
  const values = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.constant('\ud800'));
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values), { maxLength: 4 }), (changes) => {
      const decoded = decodeElement(workerHit(Object.fromEntries(changes)), NOW);
      if (isRejection(decoded)) return;
      const { query, ...plain } = decoded.hit;
      for (const value of [...Object.values(plain), ...query.keys(), ...query.values()]) {
        if (typeof value === 'string') expect(value.isWellFormed()).toBe(true);
        if (typeof value === 'number') expect(Number.isFinite(value) && value >= 0).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});
