import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62 } from './format.ts';
import {
  generateKey,
  hasKeyForm,
  KEY_CAUSES,
  keyDigest,
  presentedKey,
  queryKey,
  shownPrefix,
} from './index.ts';

const { key: KEY, prefix: PREFIX, digest: DIGEST } = generateKey('svc_cf_');
const { key: OTHER } = generateKey('svc_cf_');
const { key: WEBHOOK } = generateKey('svc_wh_');

describe('the form of a key', () => {
  test('is its prefix and 43 characters of base 62, whatever the random bytes', () => {
    expect(base62(new Uint8Array(32))).toBe('0'.repeat(43));
    expect(base62(new Uint8Array(32).fill(255))).toHaveLength(43);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const text = base62(bytes);
        let value = 0n;
        const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
        for (const digit of text) value = value * 62n + BigInt(digits.indexOf(digit));
        expect(value.toString(16).padStart(64, '0')).toBe(Buffer.from(bytes).toString('hex'));
        expect(hasKeyForm('svc_cf_', `svc_cf_${text}`)).toBe(true);
      }),
    );
  });

  test('shows twelve characters and stores the SHA-256', () => {
    expect(PREFIX).toBe(KEY.slice(0, 12));
    expect(shownPrefix(KEY)).toBe(PREFIX);
    expect([DIGEST, DIGEST.length]).toEqual([keyDigest(KEY), 64]);
  });
});

describe('a key as presented', () => {
  const wrong = (cause: string, candidate: string | null = null) => ({ ok: false, cause, candidate });
  test.each<[string, string | undefined, string | undefined, object]>([
    ['in the header', KEY, undefined, { ok: true, key: KEY }],
    ['in the query', undefined, KEY, { ok: true, key: KEY }],
    ['in the query beside an empty header', '', KEY, { ok: true, key: KEY }],
    ['the same in both places', KEY, KEY, { ok: true, key: KEY }],
    ['the same header twice', `${KEY}, ${KEY}`, undefined, { ok: true, key: KEY }],
    ['nowhere', undefined, undefined, wrong('missing')],
    ['empty', '', '', wrong('missing')],
    ['blank', undefined, '   ', wrong('missing')],
    ['different in header and query', KEY, OTHER, wrong('two_keys')],
    ['two headers', `${KEY}, ${OTHER}`, undefined, wrong('two_keys')],
    ['right in the query, wrong in the header', 'nonsense', KEY, wrong('two_keys')],
    ['with Bearer', `Bearer ${KEY}`, undefined, wrong('bearer_prefix', KEY)],
    ['with bearer and a colon', `bearer: ${KEY}`, undefined, wrong('bearer_prefix', KEY)],
    ['with Bearer and quotes', `Bearer "${KEY}"`, undefined, wrong('bearer_prefix', KEY)],
    ['with Bearer alone', 'Bearer', undefined, wrong('bearer_prefix')],
    ['with Bearer, encoded twice', undefined, `Bearer%20${KEY}`, wrong('bearer_prefix', KEY)],
    ['with a blank behind', undefined, `${KEY} `, wrong('whitespace', KEY)],
    ['with a line break', undefined, `${KEY}\n`, wrong('whitespace', KEY)],
    ['with a blank inside', `${KEY.slice(0, 20)} ${KEY.slice(20)}`, undefined, wrong('whitespace', KEY)],
    ['with a no-break space', `\u00a0${KEY}`, undefined, wrong('whitespace', KEY)],
    ['with a literal %20', undefined, `%20${KEY}`, wrong('whitespace', KEY)],
    ['in quotes', `"${KEY}"`, undefined, wrong('whitespace', KEY)],
    ['a blank in something else', 'hello world', undefined, wrong('whitespace')],
    ['cut short', KEY.slice(0, -1), undefined, wrong('malformed')],
    ['too long', `${KEY}A`, undefined, wrong('malformed')],
    ['of another kind', WEBHOOK, undefined, wrong('malformed')],
    ['in capitals', KEY.toUpperCase(), undefined, wrong('malformed')],
    ['with a character outside base 62', `${KEY.slice(0, -1)}_`, undefined, wrong('malformed')],
    ['far too long', 'x'.repeat(10_000), undefined, wrong('malformed')],
  ])('%s', (_name, header, query, expected) => {
    expect(presentedKey({ header, query })).toEqual(expected);
  });

  test('of any text at all gets a verdict of the closed set, and only the exact key is taken', () => {
    const text = fc.option(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string().map((s) => s + KEY),
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(text, text, (header, query) => {
        const presented = presentedKey({ header, query });
        if (presented.ok) expect(presented.key).toBe(KEY);
        else expect(KEY_CAUSES).toContain(presented.cause);
      }),
    );
  });

  test('a webhook key is read by the same rules under its own prefix', () => {
    expect(presentedKey({ header: WEBHOOK, query: undefined }, 'svc_wh_')).toEqual({
      ok: true,
      key: WEBHOOK,
    });
  });
});

test.each<[string, string | undefined]>([
  ['', undefined],
  ['attribution_id=1', undefined],
  [`header_X-API-Key=${KEY}`, KEY],
  [`a=1&HEADER_x-api-KEY=${KEY}&b=2`, KEY],
  [`header_X%2DAPI%2DKey=${KEY}`, KEY],
  [`header_X-API-Key=${KEY}+`, `${KEY} `],
  [`header_X-API-Key=${KEY}&header_x-api-key=${OTHER}`, `${KEY}, ${OTHER}`],
])('the key of the query "%s" is read whatever its letter case', (query, expected) => {
  expect(queryKey(query)).toBe(expected);
});
