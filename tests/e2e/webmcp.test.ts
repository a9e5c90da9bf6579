/** The signed manifest from the editor's call to an agent's verification, on the real service, with a library that is not ours. */

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { base64url, compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN_TOKEN, TestService, workerHit } from '../harness/service.ts';

const FIRST_SECRET = 'a first secret of at least thirty-two characters';
const SECOND_SECRET = 'a second secret of at least thirty-two characters';
const TOOLS = [
  {
    name: 'search_products',
    description: 'Full-text search in the catalogue.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words', pattern: '^[^<>]{1,200}$' } },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    page: 'https://shop.example/search',
  },
  {
    name: 'add_to_cart',
    description: 'Puts a product into the cart. Größe „M“ 👕',
    inputSchema: { sku: 'string', quantity: 'number' },
    page: 'https://www.shop.example/cart',
  },
];
const DECLARATION = { hosts: ['shop.example', 'WWW.shop.example'], tools: TOOLS };

/** As §2.4 of every JOSE book has it: nothing of ours in the way. @throws when it does not verify */
async function verifyWithJose(text: string, jwks: JSONWebKeySet): Promise<Record<string, unknown>> {
  const { signature, ...body } = JSON.parse(text) as { signature: string };
  const payload = canonicalize(body) ?? '';
  const jws = signature.replace('..', `.${base64url.encode(payload)}.`);
  await compactVerify(jws, createLocalJWKSet(jwks), { algorithms: ['EdDSA', 'Ed25519'] });
  return body;
}

describe('a manifest', () => {
  const environment: Record<string, string> = { SECRET_KEY: FIRST_SECRET };
  const service = new TestService(environment);
  let id = '';
  let path = '';
  let open = '';
  beforeAll(async () => {
    await service.start();
    ({ id } = await service.property());
    path = `/api/v1/properties/${id}/webmcp`;
    open = `/api/v1/webmcp/${id}`;
  });
  afterAll(() => service.dispose());
  const fetchText = async (where: string, init: RequestInit = {}) => {
    const response = await fetch(service.address + where, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const keys = async () => JSON.parse((await fetchText(`${open}/jwks.json`)).text) as JSONWebKeySet;

  it('is not there before it is published, and no key either', async () => {
    for (const where of [
      `${open}/manifest`,
      `${open}/manifest/`,
      `${open}/jwks.json`,
      '/api/v1/webmcp/x/manifest',
    ])
      expect(await service.call('GET', where)).toMatchObject({ status: 404, body: { status: 404 } });
    expect((await service.api('GET', path)).body).toMatchObject({
      state: 'unpublished',
      published: null,
      manifest_url: `${service.address}${open}/manifest`,
      issuer: service.address,
      issuer_problem: null,
    });
  });

  it('is published, and verifies with a library that is not ours', async () => {
    const published = await service.api('PUT', path, DECLARATION);
    expect(published).toMatchObject({ status: 200, body: { state: 'published', published: { version: 1 } } });
    const { status, headers, text } = await fetchText(`${open}/manifest/`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-length': String(Buffer.byteLength(text)),
    });
    expect(text).toBe(canonicalize(JSON.parse(text)));
    const body = await verifyWithJose(text, await keys());
    expect(body).toMatchObject({
      version: '1.0',
      attribution_id: id,
      hosts: ['shop.example', 'www.shop.example'],
    });
    expect(Date.parse(String(body['expires_at'])) - Date.parse(String(body['issued_at']))).toBe(86_400_000);
    expect(JSON.parse(text).tools[1].inputSchema).toEqual({
      type: 'object',
      properties: { sku: { type: 'string' }, quantity: { type: 'number' } },
      required: ['sku', 'quantity'],
      additionalProperties: false,
    });
    const header = decodeProtectedHeader(JSON.parse(text).signature);
    const jwks = await keys();
    expect(header).toEqual({
      alg: 'EdDSA',
      typ: 'webmcp-manifest+jws',
      kid: jwks.keys[0]?.kid,
      jku: `${service.address}${open}/jwks.json`,
    });
    expect(Object.keys(jwks.keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });

  it('answers HEAD, conditions, other methods and preflights as a public document', async () => {
    const { headers } = await fetchText(`${open}/manifest`);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{32}"$/);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
      expect((await fetchText(`${open}/manifest/`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expect((await fetchText(`${open}/manifest`, { headers: { 'If-None-Match': '"x"' } })).status).toBe(200);
    expect(await fetchText(`${open}/manifest/`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const key = await fetchText(`${open}/jwks.json`);
    expect(key.headers.get('cache-control')).toBe('no-cache');
    const keyTag = key.headers.get('etag') ?? '';
    expect((await fetchText(`${open}/jwks.json`, { headers: { 'If-None-Match': keyTag } })).status).toBe(304);
    expect((await fetchText(`${open}/manifest`, { method: 'POST' })).status).toBe(405);
    const preflight = await fetchText(`${open}/manifest/`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect((await fetchText(`/api/v1/webmcp/${id.toUpperCase()}/manifest`)).status).toBe(200);
  });

  it('fails after one changed letter, and after a rotation however well it verified before', async () => {
    const { text } = await fetchText(`${open}/manifest`);
    const before = await keys();
    await verifyWithJose(text, before);
    await expect(verifyWithJose(text.replace('catalogue', 'Catalogue'), before)).rejects.toThrow();
    const rotated = await service.api('POST', `${path}/rotate-keys`);
    expect(rotated.status).toBe(200);
    const after = await keys();
    expect(after.keys).toHaveLength(1);
    expect(after.keys[0]?.kid).not.toBe(before.keys[0]?.kid);
    await expect(verifyWithJose(text, after)).rejects.toThrow();
    const renewed = (await fetchText(`${open}/manifest`)).text;
    expect(await verifyWithJose(renewed, after)).toMatchObject({ attribution_id: id });
    expect(rotated.body).toMatchObject({ published: { version: 1, kid: after.keys[0]?.kid } });
    expect(service.log).not.toContain('"d":');
  });

  it('is verified from the command line, for whom the user trusts', async () => {
    const manifest = `${service.address}${open}/manifest`;
    const good = await service.run([
      'manifest',
      'verify',
      manifest,
      '--trust',
      service.address,
      '--host',
      'shop.example',
    ]);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('search_products');
    expect(good.stdout).toContain('https://www.shop.example/cart');
    expect(good.stdout).toContain(service.address);
    const unasked = await service.run(['manifest', 'verify', manifest, '--host', 'shop.example']);
    expect(unasked.code).toBe(1);
    expect(unasked.stderr).toContain('--trust');
    expect(unasked.stderr).toContain(service.address);
    const foreign = await service.run([
      'manifest',
      'verify',
      manifest,
      '--trust',
      'https://else.example',
      '--host',
      'shop.example',
      '--json',
    ]);
    expect(foreign.code).toBe(1);
    expect(JSON.parse(foreign.stdout)).toMatchObject({ ok: false, error: 'untrusted_issuer' });
    const elsewhere = await service.run([
      'manifest',
      'verify',
      '--json',
      manifest,
      '--trust',
      service.address,
    ]);
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ ok: false, error: 'wrong_host' });
  });

  it('is not another organization’s to see or to change', async () => {
    const other = '00000000-0000-4000-8000-0000000000ff';
    for (const [method, where] of [
      ['GET', path],
      ['DELETE', path],
      ['POST', `${path}/rotate-keys`],
      ['POST', `${path}/status`],
      ['GET', `${path}/versions`],
      ['GET', `${path}/versions/1`],
      ['GET', `${path}/fetches`],
      ['DELETE', `${path}/draft`],
    ] as const)
      expect((await service.api(method, `${where}?organization=${other}`)).status, `${method} ${where}`).toBe(
        404,
      );
    for (const [method, where] of [
      ['PUT', path],
      ['PUT', `${path}/draft`],
      ['POST', `${path}/check`],
    ] as const)
      expect((await service.api(method, `${where}?organization=${other}`, DECLARATION)).status).toBe(404);
    expect((await fetchText(`${open}/manifest`)).status).toBe(200);
  });

  it('is signed on after a change of SECRET_KEY, and withdrawn with a 404', async () => {
    await service.stop();
    environment['SECRET_KEY'] = SECOND_SECRET;
    environment['SECRET_KEY_PREVIOUS'] = FIRST_SECRET;
    await service.start();
    expect(await service.api('PUT', path, { ...DECLARATION, version: 1 })).toMatchObject({ status: 200 });
    await service.stop();
    environment['SECRET_KEY_PREVIOUS'] = '';
    await service.start();
    const again = await service.api('PUT', path, DECLARATION);
    expect(again).toMatchObject({ status: 200, body: { published: { version: 4 } } });
    await verifyWithJose((await fetchText(`${open}/manifest`)).text, await keys());

    expect((await service.api('DELETE', path)).status).toBe(204);
    expect((await fetchText(`${open}/manifest`)).status).toBe(404);
    expect(await service.api('PUT', path, { ...DECLARATION, version: 4 })).toMatchObject({ status: 409 });
    const { items } = (await service.api('GET', `${path}/versions`)).body as { items: { action: string }[] };
    expect(items.map(({ action }) => action)).toEqual([
      ...['unpublished', 'published', 'published', 'rotated', 'published'],
    ]);
    expect((await service.api('DELETE', `/api/v1/properties/${id}`)).status).toBe(204);
    expect((await fetchText(`${open}/jwks.json`)).status).toBe(404);
  });
});

describe('the editor', () => {
  let served = '';
  const zone = createServer((_request, response) => response.end(served));
  let service: TestService;
  let path = '';
  let key = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => zone.listen(0, '127.0.0.1', resolve));
    const target = `http://127.0.0.1:${(zone.address() as AddressInfo).port}`;
    const hosts = { 'shop.example': target, 'www.shop.example': target };
    service = await new TestService({ DESTINATION_HOSTS: JSON.stringify(hosts) }).start();
    const property = await service.property();
    key = property.key;
    path = `/api/v1/properties/${property.id}/webmcp`;
  });
  afterAll(async () => {
    zone.close();
    await service.dispose();
  });

  it('keeps a draft, checks it, tries a tool, and publishes nothing by any of it', async () => {
    const draft = { hosts: ['shop.example'], tools: [{ name: 'half', inputSchema: '{"type":' }] };
    expect((await service.api('PUT', `${path}/draft`, draft)).status).toBe(204);
    expect((await service.api('GET', path)).body).toMatchObject({ state: 'unpublished', draft });
    const checked = (await service.api('POST', `${path}/check`, draft)).body as { problems: unknown[] };
    expect(checked.problems).toContainEqual({
      pointer: '/tools/0/inputSchema',
      message: expect.any(String),
      severity: 'error',
    });
    const sound = (await service.api('POST', `${path}/check`, DECLARATION)).body as {
      document: string;
      bytes: number;
    };
    expect(sound).toMatchObject({ problems: [], bytes: Buffer.byteLength(sound.document) });
    expect(sound.document).toBe(canonicalize(JSON.parse(sound.document)));
    expect(sound.document).not.toContain('signature');
    const tool = TOOLS[1];
    expect(
      (await service.api('POST', `${path}/try`, { tool, arguments: { sku: 'a', quantity: 2 } })).body,
    ).toEqual({
      valid: true,
      errors: [],
    });
    expect((await service.api('POST', `${path}/try`, { tool, arguments: { sku: 'a' } })).body).toMatchObject({
      valid: false,
      errors: [{ pointer: '/quantity' }],
    });
    expect((await service.api('PUT', path, draft)).status).toBe(422);
    expect((await service.api('DELETE', `${path}/draft`)).status).toBe(204);
    expect((await service.api('GET', path)).body).toMatchObject({ state: 'unpublished', draft: null });
  });

  it('gets every error at once, and a body too deep or too large is refused before it is read', async () => {
    const tools = [
      { ...TOOLS[0], name: 'a b' },
      { ...TOOLS[1], page: 'https://evil.example/' },
    ];
    const { status, body } = await service.api('PUT', path, {
      hosts: ['shop.example', 'evil.example'],
      tools,
    });
    expect(status).toBe(422);
    const { errors } = body as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/tools/0/name', '/hosts/1']);
    const deep = `{"hosts":[],"tools":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    for (const [method, where] of [
      ['PUT', path],
      ['PUT', `${path}/draft`],
      ['POST', `${path}/check`],
    ] as const) {
      const sent = await service.call(method, where, {
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
        body: deep,
      });
      expect(sent.status, where).toBe(422);
      expect((await service.api(method, where, { hosts: [], tools: ['x'.repeat(600_000)] })).status).toBe(
        422,
      );
    }
    expect(service.alive).toBe(true);
  });

  it('sees what the hosts serve, who fetches it, and what was published before', async () => {
    expect((await service.api('PUT', path, DECLARATION)).status).toBe(200);
    served = JSON.stringify({ tools: [] });
    const asked = await service.api('POST', `${path}/status`);
    expect(asked).toMatchObject({
      status: 200,
      body: {
        items: [
          { host: 'shop.example', state: 'invalid' },
          { host: 'www.shop.example', state: 'invalid' },
        ],
      },
    });
    const early = await service.api('POST', `${path}/status`);
    expect(early.status).toBe(429);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    const hit = workerHit({ pathname: '/.well-known/webmcp.json' });
    expect((await service.hits(key, [hit, workerHit()])).status).toBe(204);
    await vi.waitFor(
      async () => {
        expect((await service.api('GET', `${path}/fetches?days=2`)).body).toMatchObject({
          items: [{ agent: 'GPTBot', class: 'ai_bot', fetches: 1 }],
          total: 1,
          by_day: [{}, { fetches: 1 }],
        });
      },
      { timeout: 30_000, interval: 200 },
    );
    expect((await service.api('GET', `${path}/versions/1`)).body).toMatchObject({
      version: 1,
      action: 'published',
      actor: 'root',
      tools: [{ name: 'search_products' }, { name: 'add_to_cart' }],
    });
    expect((await service.api('GET', `${path}/versions/2`)).status).toBe(404);
  });

  it('publishes and rotates from the command line', async () => {
    const file = join(service.dataDir, 'manifest.json');
    await writeFile(file, JSON.stringify({ ...DECLARATION, tools: [TOOLS[1]] }));
    const id = path.split('/')[4] ?? '';
    const published = await service.run(['manifest', 'publish', id, file]);
    expect(published).toMatchObject({ code: 0, stderr: '' });
    expect(published.stdout).toContain('Version 2');
    const rotated = await service.run(['manifest', 'rotate', id]);
    expect(rotated.code).toBe(0);
    expect(rotated.stdout).not.toBe(published.stdout);
    expect((await service.run(['manifest', 'show', id])).stdout).toBe(rotated.stdout);
    await writeFile(file, '{"hosts":["evil.example"],"tools":[]}');
    const refused = await service.run(['manifest', 'publish', id, file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('/hosts/0');
    expect((await service.run(['manifest', 'unpublish', id])).stdout).toBe('Nothing is published.\n');
  });
});

it('nothing is published under an issuer that no agent accepts', async () => {
  const service = await new TestService({ APP_BASE_URL: 'http://ghostlight.example' }).start();
  try {
    const { id } = await service.property();
    const path = `/api/v1/properties/${id}/webmcp`;
    const refused = await service.api('PUT', path, DECLARATION);
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('APP_BASE_URL') } });
    expect((await service.api('GET', path)).body).toMatchObject({
      state: 'unpublished',
      issuer_problem: expect.stringContaining('https'),
    });
  } finally {
    await service.dispose();
  }
});
