import reference from 'canonicalize';
import fc from 'fast-check';
import {
  CompactSign,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import official from '../../vectors/eddsa-jws.json' with { type: 'json' };
import golden from '../../vectors/manifest.json' with { type: 'json' };
import { decodeBase64url, encodeBase64url } from '../base64url.ts';
import type { JsonObject } from '../json.ts';
import { canonicalize } from './canonical.ts';
import { MANIFEST_ERRORS } from './errors.ts';
import { signingInput } from './jws.ts';
import type { ManifestBody } from './manifest.ts';
import { checkManifestBody } from './shape.ts';
import {
  generateSigningKey,
  InvalidManifest,
  importSigningKey,
  type PrivateJwk,
  signManifest,
} from './sign.ts';
import { type VerifyOptions, verifyManifest } from './verify.ts';

const body = golden.body as JsonObject & ManifestBody;
const privateJwk = golden.private_jwk as PrivateJwk;
const jwksOf = (...keys: object[]) => ({ keys });

/** What was fetched; nothing may be for most refusals. */
let fetched: string[];
const serving =
  (jwks: unknown): VerifyOptions['fetchJwks'] =>
  async (url) => {
    fetched.push(url);
    return jwks;
  };

function verify(document: string | Uint8Array, members: Partial<VerifyOptions> = {}) {
  fetched = [];
  const fetchJwks = serving(golden.jwks);
  const now = Date.parse(golden.now);
  return verifyManifest(document, { host: golden.host, trust: [golden.issuer], fetchJwks, now, ...members });
}

async function refusal(document: string | Uint8Array, members: Partial<VerifyOptions> = {}): Promise<string> {
  const answer = await verify(document, members);
  if (answer.ok) return 'accepted';
  expect(answer.detail.length).toBeLessThan(300);
  expect(Object.keys(MANIFEST_ERRORS)).toContain(answer.error);
  return answer.error;
}

let key: { privateKey: CryptoKey; kid: string; jku: string };
beforeAll(async () => {
  key = { privateKey: await importSigningKey(privateJwk), kid: golden.kid, jku: golden.jku };
});

/** Signs as an attacker would, by no rule of ours: any header over any body. */
async function forge(
  header: object,
  manifest: unknown = body,
  signer: PrivateJwk = privateJwk,
): Promise<string> {
  const protectedHeader = {
    alg: 'EdDSA',
    typ: 'webmcp-manifest+jws',
    kid: golden.kid,
    jku: golden.jku,
    ...header,
  };
  const encoded = encodeBase64url(new TextEncoder().encode(JSON.stringify(protectedHeader)));
  const input = signingInput(encoded, canonicalize(manifest));
  const signature = await crypto.subtle.sign('Ed25519', await importSigningKey(signer), input);
  return withSignature(manifest, `${encoded}..${encodeBase64url(new Uint8Array(signature))}`);
}
const withSignature = (manifest: unknown, signature: unknown): string =>
  JSON.stringify({ ...(manifest as object), signature });

describe('a signed manifest', () => {
  it('is the golden document, and is accepted', async () => {
    expect(await signManifest(body, key)).toBe(golden.document);
    expect(await verify(golden.document)).toEqual({
      ok: true,
      manifest: body,
      issuer: golden.issuer,
      kid: golden.kid,
    });
    expect(fetched).toEqual([golden.jku]);
  });

  it('is accepted as bytes, reformatted, by either name of the algorithm and in any case of the host', async () => {
    expect(await refusal(new TextEncoder().encode(golden.document))).toBe('accepted');
    expect(await refusal(JSON.stringify(JSON.parse(golden.document), null, 2))).toBe('accepted');
    expect(await refusal(await forge({ alg: 'Ed25519' }))).toBe('accepted');
    expect(await refusal(golden.document, { host: 'SHOP.example.' })).toBe('accepted');
  });

  it('agrees with the RFC’s own signature', async () => {
    const [encoded = '', , signature = ''] = official.jws.split('.');
    const rfcKey = await importSigningKey(official.private_jwk as PrivateJwk);
    const made = await crypto.subtle.sign('Ed25519', rfcKey, signingInput(encoded, official.payload));
    expect(encodeBase64url(new Uint8Array(made))).toBe(signature);
  });

  const text = (maxLength: number) =>
    fc
      .string({ unit: 'binary', minLength: 1, maxLength })
      .filter((value) => value.trim() !== '' && value.length <= maxLength && !value.includes('\u007f'));
  const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/);
  const schema = fc
    .dictionary(name, fc.constantFrom('string', 'number', 'integer', 'boolean'), { maxKeys: 4 })
    .map((types) => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(types).map(([param, type]) => [param, { type }])),
    }));
  const tool = fc.record(
    {
      name,
      description: text(60),
      inputSchema: schema,
      title: text(20),
      annotations: fc.record({ readOnlyHint: fc.boolean(), title: text(9) }, { requiredKeys: [] }),
      page: fc.webPath().map((path) => `https://shop.example${path}`),
      rank: fc.maxSafeInteger(),
    },
    { requiredKeys: ['name', 'description', 'inputSchema', 'page'] },
  );
  const bodies = fc.record({
    version: fc.constantFrom('1.0', '1.3'),
    attribution_id: fc.uuid(),
    hosts: fc.constant(['shop.example']),
    issued_at: fc.constant(body.issued_at),
    expires_at: fc.constant(body.expires_at),
    tools: fc.uniqueArray(tool, { maxLength: 4, selector: (one) => one.name }),
    note: fc.dictionary(name, fc.oneof(fc.maxSafeInteger(), text(8), fc.constant(null))),
  });

  it('verifies with other libraries too, whatever its body is', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (manifest) => {
        expect(checkManifestBody(manifest)).toEqual([]);
        const document = await signManifest(manifest, key);
        const { signature, ...unsigned } = JSON.parse(document) as { signature: string };
        expect(document).toBe(reference({ ...unsigned, signature }));
        const payload = reference(unsigned) ?? '';
        const jws = signature.replace('..', `.${encodeBase64url(new TextEncoder().encode(payload))}.`);
        const keys = createLocalJWKSet(golden.jwks as { keys: JWK[] });
        const verified = await compactVerify(jws, keys, { algorithms: ['EdDSA'] });
        expect(new TextDecoder().decode(verified.payload)).toBe(payload);
        expect(await verify(document)).toMatchObject({
          ok: true,
          manifest: JSON.parse(JSON.stringify(manifest)),
        });
      }),
    );
  });

  it('names in its header what a verifier needs, and nothing else', () => {
    expect(decodeProtectedHeader((JSON.parse(golden.document) as { signature: string }).signature)).toEqual({
      alg: 'EdDSA',
      typ: 'webmcp-manifest+jws',
      kid: golden.kid,
      jku: golden.jku,
    });
  });

  it('accepts no document in which one byte was changed', async () => {
    const bytes = new TextEncoder().encode(golden.document);
    const place = fc.nat({ max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect((await verify(changed)).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('signManifest', () => {
  it('refuses a body that no verifier would accept, and says what is wrong', async () => {
    const tools = [{ ...body.tools[0], description: '' }] as unknown as ManifestBody['tools'];
    const refused = signManifest({ ...body, tools }, key);
    await expect(refused).rejects.toThrow(InvalidManifest);
    await expect(refused).rejects.toThrow('/tools/0/description');
  });

  it.each([
    'http://app.example/jwks.json',
    'https://u@app.example/',
    'jwks.json',
    `https://app.example/${'x'.repeat(400)}`,
  ])('refuses a jku that no verifier follows: %s', async (jku) => {
    await expect(signManifest(body, { ...key, jku })).rejects.toThrow(TypeError);
  });

  it('keeps the largest body that it takes within the limit of a document', async () => {
    const room = 255 * 1024 - canonicalize({ ...body, note: '' }).length;
    const utf8 = (value: string) => new TextEncoder().encode(value).length;
    const excess = utf8(canonicalize(body)) - canonicalize(body).length;
    const full: ManifestBody & { note: string } = { ...body, note: 'x'.repeat(room - excess) };
    const longest = { ...key, jku: `https://app.example/${'x'.repeat(380)}` };
    const document = await signManifest(full, longest);
    expect(utf8(document)).toBeGreaterThan(255 * 1024);
    expect(await refusal(document)).toBe('accepted');
    const over: typeof full = { ...full, note: `${full.note}x` };
    await expect(signManifest(over, key)).rejects.toThrow(InvalidManifest);
  });
});

describe('verifyManifest refuses', () => {
  it('a tampered body', async () => {
    expect(await refusal(golden.document.replace('Finds products', 'Sends cards'))).toBe('bad_signature');
    expect(await refusal(golden.document.replace('"tools":', '"added":1,"tools":'))).toBe('bad_signature');
    expect(await refusal(golden.document.replace('"maximum":50', '"maximum":51'))).toBe('bad_signature');
  });

  it('a swapped tool', async () => {
    const other = { ...body, tools: [{ ...body.tools[1], endpoint: 'https://evil.example/mcp' }] };
    const { signature } = JSON.parse(golden.document) as { signature: string };
    expect(await refusal(withSignature(other, signature))).toBe('bad_signature');
  });

  it('a tampered header', async () => {
    const { signature } = JSON.parse(golden.document) as { signature: string };
    const header = { ...decodeProtectedHeader(signature), note: 1 };
    const encoded = encodeBase64url(new TextEncoder().encode(JSON.stringify(header)));
    expect(await refusal(withSignature(body, `${encoded}..${signature.split('..')[1]}`))).toBe(
      'bad_signature',
    );
  });

  it('a manifest of another host, of the future, and of the past', async () => {
    const at = (time: string) => Date.parse(time);
    expect(await refusal(golden.document, { host: 'evil.example' })).toBe('wrong_host');
    expect(await refusal(golden.document, { host: 'sub.shop.example' })).toBe('wrong_host');
    expect(await refusal(golden.document, { now: at(body.issued_at) - 60_001 })).toBe('not_yet_valid');
    expect(await refusal(golden.document, { now: at(body.issued_at) - 60_000 })).toBe('accepted');
    expect(await refusal(golden.document, { now: at(body.expires_at) - 1 })).toBe('accepted');
    expect(await refusal(golden.document, { now: at(body.expires_at) })).toBe('expired');
  });

  it('a manifest of a key that was rotated away, however well it is signed', async () => {
    const next = await generateSigningKey();
    const rotated = { fetchJwks: serving(jwksOf(next.publicJwk)) };
    expect(await refusal(golden.document, rotated)).toBe('unknown_key');
    const fresh = await signManifest(body, {
      ...key,
      privateKey: await importSigningKey(next.privateJwk),
      kid: next.kid,
    });
    expect(await refusal(fresh, rotated)).toBe('accepted');
    expect(await refusal(fresh)).toBe('unknown_key');
  });

  it('alg none, in any spelling', async () => {
    for (const alg of ['none', 'None', 'NONE', '', null, undefined, ['EdDSA']]) {
      const encoded = encodeBase64url(
        new TextEncoder().encode(
          JSON.stringify({ alg, typ: 'webmcp-manifest+jws', kid: golden.kid, jku: golden.jku }),
        ),
      );
      expect(await refusal(withSignature(body, `${encoded}..`))).toBe('algorithm_not_allowed');
    }
    expect(fetched).toEqual([]);
  });

  it('HS256 with the public key as the secret, and every other algorithm', async () => {
    const header = { typ: 'webmcp-manifest+jws', kid: golden.kid, jku: golden.jku } as JWTHeaderParameters;
    const secret = decodeBase64url(golden.private_jwk.x) ?? new Uint8Array();
    const es256 = await generateKeyPair('ES256');
    const signers: [string, Uint8Array | CryptoKey][] = [
      ['HS256', secret],
      ['ES256', es256.privateKey],
    ];
    for (const [alg, signer] of signers) {
      const payload = new TextEncoder().encode(canonicalize(body));
      const jws = await new CompactSign(payload).setProtectedHeader({ ...header, alg }).sign(signer);
      const [encoded, , signature] = jws.split('.');
      expect(await refusal(withSignature(body, `${encoded}..${signature}`)), alg).toBe(
        'algorithm_not_allowed',
      );
    }
  });

  it('a key in the header, by whatever name', async () => {
    const forger = await generateSigningKey();
    for (const member of ['jwk', 'x5c', 'x5u', 'x5t', 'x5t#S256']) {
      const header = { [member]: forger.publicJwk, kid: forger.kid };
      expect(await refusal(await forge(header, body, forger.privateJwk)), member).toBe('embedded_key');
    }
    expect(fetched).toEqual([]);
  });

  it('a self-consistent forgery that brings its own key in the body and its own key set', async () => {
    const forger = await generateSigningKey();
    const jku = 'https://evil.example/jwks.json';
    const own = { ...body, public_key: forger.publicJwk, jwks: jwksOf(forger.publicJwk) };
    const forged = await forge({ kid: forger.kid, jku }, own, forger.privateJwk);
    const theirs = { fetchJwks: serving(jwksOf(forger.publicJwk)) };
    expect(await refusal(forged, theirs)).toBe('untrusted_issuer');
    expect(fetched).toEqual([]);
    // It is well signed: only trust tells it from a good one.
    expect(await refusal(forged, { ...theirs, trust: ['https://evil.example'] })).toBe('accepted');
  });

  it('a key from another jku than the trusted one, whatever its address pretends', async () => {
    const forger = await generateSigningKey();
    for (const jku of [
      'https://evil.example/jwks.json',
      'https://app.example.evil.example/jwks.json',
      'https://app.example@evil.example/jwks.json',
      'https://user@app.example/jwks.json',
      'https://app.example:8443/jwks.json',
      'http://app.example/jwks.json',
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'jwks.json',
      '',
      `https://app.example/${'x'.repeat(2_100)}`,
    ]) {
      const forged = await forge({ kid: forger.kid, jku }, body, forger.privateJwk);
      const answer = await refusal(forged, {
        trust: [golden.issuer, 'http://app.example', 'not an origin'],
        fetchJwks: serving(jwksOf(forger.publicJwk)),
      });
      expect(answer, jku).toBe('untrusted_issuer');
      expect(fetched).toEqual([]);
    }
    expect(await refusal(golden.document, { trust: [] })).toBe('untrusted_issuer');
  });

  it('a forged key that borrows the name of the right one', async () => {
    const forger = await generateSigningKey();
    expect(await refusal(await forge({}, body, forger.privateJwk))).toBe('bad_signature');
  });

  it.each<[string, (document: string) => string | Uint8Array, string]>([
    [
      'a member twice',
      (text) => text.replace('"version":', '"version":"2.0","version":'),
      'duplicate_member',
    ],
    ['a lone surrogate', (text) => text.replace('Puts', '\\ud800'), 'lone_surrogate'],
    ['an unsafe number', (text) => text.replace('"maximum":50', '"maximum":50.5'), 'unsafe_number'],
    ['a member name beyond ASCII', (text) => text.replace('"quantity":', '"Größe":'), 'non_ascii_member'],
    ['half a document', (text) => text.slice(0, -1), 'not_json'],
    ['bytes that are no UTF-8', () => Uint8Array.of(0xff), 'not_json'],
    ['an error page', () => '<!doctype html>', 'not_json'],
    ['a document over 256 KiB', (text) => text + ' '.repeat(256 * 1024), 'too_large'],
    ['a depth bomb', () => '['.repeat(100_000), 'too_deep'],
    ['a text', () => '"manifest"', 'invalid_shape'],
    ['another version', (text) => text.replace('"1.0"', '"2.0"'), 'unsupported_version'],
    ['no version', (text) => text.replace('"version":"1.0"', '"v":1'), 'invalid_shape'],
    ['no tools', (text) => text.replace('"tools"', '"tool"'), 'invalid_shape'],
    ['no signature', (text) => text.replace('"signature"', '"signed"'), 'missing_signature'],
    ['a signature that is no text', () => withSignature(body, 7), 'malformed_signature'],
    ['an empty signature', () => withSignature(body, ''), 'malformed_signature'],
    ['a payload inside the signature', (text) => text.replace('..', '.e30.'), 'malformed_signature'],
    ['a signature of five parts', (text) => text.replace('..', '....'), 'malformed_signature'],
    ['padding', (text) => text.replace('..', '=..'), 'malformed_signature'],
    ['a short signature', (text) => text.replace(/\.\.[\w-]{86}/, '..AAAA'), 'malformed_signature'],
    ['a header of megabytes', () => withSignature(body, `${'e'.repeat(200_000)}..AA`), 'malformed_signature'],
    ['a header that is no object', () => withSignature(body, 'W10..AA'), 'malformed_signature'],
  ])('%s', async (_, change, error) => {
    expect(await refusal(change(golden.document))).toBe(error);
    expect(fetched.length).toBeLessThanOrEqual(1);
  });

  it('a header that names one thing twice', async () => {
    const header = `{"alg":"none","alg":"EdDSA","typ":"webmcp-manifest+jws","kid":"${golden.kid}","jku":"${golden.jku}"}`;
    const encoded = encodeBase64url(new TextEncoder().encode(header));
    const signature = await crypto.subtle.sign(
      'Ed25519',
      key.privateKey,
      signingInput(encoded, canonicalize(body)),
    );
    const document = withSignature(body, `${encoded}..${encodeBase64url(new Uint8Array(signature))}`);
    expect(await refusal(document)).toBe('malformed_signature');
  });

  it('a second spelling of the same signature', async () => {
    // The last character of 64 bytes carries four bits that mean nothing; set, they must not pass.
    const { signature } = JSON.parse(golden.document) as { signature: string };
    expect(signature.endsWith('g')).toBe(true);
    expect(await refusal(withSignature(body, `${signature.slice(0, -1)}h`))).toBe('malformed_signature');
  });

  it('other uses of the same key, demands for extensions, and headers without key', async () => {
    expect(await refusal(await forge({ typ: 'JWT' }))).toBe('wrong_type');
    expect(await refusal(await forge({ typ: undefined }))).toBe('wrong_type');
    expect(await refusal(await forge({ crit: ['b64'], b64: false }))).toBe('critical_header');
    expect(await refusal(await forge({ kid: undefined }))).toBe('malformed_signature');
    expect(await refusal(await forge({ jku: undefined }))).toBe('malformed_signature');
    expect(await refusal(await forge({ kid: 7 }))).toBe('malformed_signature');
  });

  it('key sets that are none, too long, gone, or of another kind of key', async () => {
    const [publicJwk] = golden.jwks.keys;
    const filler = Array.from({ length: 20 }, () => ({ ...publicJwk, kid: 'x' }));
    for (const jwks of [
      null,
      [],
      'keys',
      { keys: {} },
      jwksOf(...filler, { ...publicJwk }),
      jwksOf({ ...publicJwk, kty: 'oct' }),
      jwksOf({ ...publicJwk, crv: 'X25519' }),
      jwksOf({ ...publicJwk, x: 'AA' }),
      jwksOf({ ...publicJwk, x: 7 }),
    ])
      expect(await refusal(golden.document, { fetchJwks: serving(jwks) })).toBe('keys_unavailable');
    for (const problem of [new Error('no route'), 'nothing', null]) {
      const fetchJwks = () => Promise.reject(problem);
      expect(await refusal(golden.document, { fetchJwks })).toBe('keys_unavailable');
    }
    expect(await refusal(golden.document, { fetchJwks: serving(jwksOf()) })).toBe('unknown_key');
    expect(await refusal(golden.document, { fetchJwks: serving({ keys: [null, 'x', []] }) })).toBe(
      'unknown_key',
    );
  });

  it('a well-signed manifest that breaks the rules', async () => {
    const tools = [{ ...body.tools[0], page: 'https://evil.example/' }];
    expect(await refusal(await forge({}, { ...body, tools }))).toBe('invalid_shape');
  });

  it('anything at all, without throwing', async () => {
    const anything = fc.oneof(fc.json(), fc.string(), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(anything, async (document) => {
        expect((await verify(document)).ok).toBe(false);
      }),
    );
    const forgedHeader = fc.dictionary(fc.constantFrom('alg', 'typ', 'kid', 'jku', 'crit'), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(forgedHeader, async (header) => {
        const encoded = encodeBase64url(new TextEncoder().encode(JSON.stringify(header)));
        expect((await verify(withSignature(body, `${encoded}..${'A'.repeat(86)}`))).ok).toBe(false);
      }),
    );
  });
});

it('a key that was imported for signing can’t be read out again', async () => {
  expect(key.privateKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('jwk', key.privateKey)).rejects.toThrow();
});
