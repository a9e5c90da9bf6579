import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { readBody } from './body.ts';
import { isOwnHost, originHost } from './origin.ts';
import { createRateLimit } from './rate-limit.ts';
import { loadScript } from './script.ts';
import { issue, readMaster, sharedDomain } from './visitor-cookie.ts';

it('a body is read without the byte order mark that some clients write', async () => {
  const request = new Request('http://x/api/events', { method: 'POST', body: '\ufeff[{}]' });
  expect(await readBody(request)).toBe('[{}]');
});

describe('the origin of an event', () => {
  test.each([
    [null, ''],
    ['', ''],
    ['https://Shop.Example', 'shop.example'],
    ['https://shop.example:8443', 'shop.example'],
    ['null', 'null'],
    ['nonsense', 'null'],
    ['app://', 'null'],
  ])('%s is read as "%s"', (header, host) => expect(originHost(header)).toBe(host));

  test.each([
    ['shop.example', true],
    ['www.shop.example', true],
    ['a.b.shop.example', true],
    ['checkout.example', true],
    ['sub.checkout.example', false],
    ['notshop.example', false],
    ['shop.example.thief.example', false],
    ['null', false],
  ])('%s is one of the property’s own: %s', (host, own) => {
    expect(isOwnHost(host, { domain: 'www.shop.example', allowedOrigins: ['checkout.example'] })).toBe(own);
  });

  it('below a name without a dot there is nothing of one’s own', () => {
    expect(isOwnHost('thief.localhost', { domain: 'localhost', allowedOrigins: [] })).toBe(false);
  });
});

describe('the limit', () => {
  it('lets a minute’s worth through at once, then one at a time, and refuses without counting', () => {
    let now = 0;
    const limit = createRateLimit(60, () => now);
    expect(limit.take('a', 60)).toBe(0);
    expect(limit.take('a', 1)).toBe(1_000);
    expect(limit.take('a', 2)).toBe(2_000);
    now = 1_000;
    expect(limit.take('a', 2)).toBe(1_000);
    expect(limit.take('a', 1)).toBe(0);
    expect(limit.take('b', 1)).toBe(0);
    now = 10 * 60_000;
    expect(limit.take('a', 1_000)).toBe(0);
    expect(limit.take('a', 1)).toBeGreaterThan(0);
  });

  it('never lets more than twice a minute’s worth through within a minute', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 30 })), { maxLength: 200 }),
        (perMinute, steps) => {
          let now = 0;
          const limit = createRateLimit(perMinute, () => now);
          const passed: { at: number; count: number }[] = [];
          for (const [wait, count] of steps) {
            now += wait;
            const asked = Math.min(count, perMinute);
            if (limit.take('key', asked) === 0) passed.push({ at: now, count: asked });
            const lately = passed.filter(({ at }) => at > now - 60_000);
            expect(lately.reduce((sum, entry) => sum + entry.count, 0)).toBeLessThanOrEqual(2 * perMinute);
          }
        },
      ),
    );
  });
});

describe('the visitor’s cookie', () => {
  it('is read back as it was issued, twice: out of scripts’ reach, and for the SDK', () => {
    const cookies = issue({ visitorId: 'a-b.c_1', firstSeen: 1_700_000_000 }, 'shop.example');
    expect(cookies).toEqual([
      '_ghl_id=v1.a-b.c_1.1700000000; Path=/; Max-Age=31536000; Secure; SameSite=Lax; Domain=shop.example; HttpOnly',
      '_ghl_vid=v1.a-b.c_1.1700000000; Path=/; Max-Age=31536000; Secure; SameSite=Lax; Domain=shop.example',
    ]);
    const header = `theirs=1; ${cookies.map((cookie) => cookie.split(';')[0]).join('; ')}`;
    expect(readMaster(header)).toEqual({ visitorId: 'a-b.c_1', firstSeen: 1_700_000_000 });
    for (const other of [null, '', '_ghl_vid=v1.x.1', '_ghl_id=v2.x.1', '_ghl_id=v1.<x>.1', '_ghl_id'])
      expect(readMaster(other)).toBeNull();
  });

  it('names a visitor whose UUID it has in capitals as every other part does, in lower case', () => {
    const header = '_ghl_id=v1.0B9F2C64-3C5E-4D0A-9B7B-6F1E2D3C4B5A.1700000000';
    expect(readMaster(header)?.visitorId).toBe('0b9f2c64-3c5e-4d0a-9b7b-6f1e2d3c4b5a');
    expect(readMaster('_ghl_id=v1.Shop-User_1.1700000000')?.visitorId).toBe('Shop-User_1');
  });

  test.each([
    ['t.shop.example', 'shop.example', 'shop.example'],
    ['t.shop.example', 'www.shop.example', 'shop.example'],
    ['t.shop.example', 'app.shop.example', 'shop.example'],
    ['shop.example', 'shop.example', 'shop.example'],
    ['t.shop.co.uk', 'shop.co.uk', 'shop.co.uk'],
    ['t.shop.co.uk', 'www.shop.co.uk', 'shop.co.uk'],
    ['t.other.co.uk', 'shop.co.uk', null],
    ['t.other.example', 'shop.example', null],
    ['t.example', 'example', null],
  ])('at %s of the property %s it is for %s', (host, property, domain) => {
    expect(sharedDomain(host, property)).toBe(domain);
  });
});

describe('the script', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-script-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('is served compressed, with a validator for each form, to every page', async () => {
    const file = join(directory, 'sdk.js');
    expect(await loadScript(file)).toBeNull();
    writeFileSync(file, 'console.log("ü")');
    const script = await loadScript(file);
    const ask = async (headers: Record<string, string>) =>
      script?.respond(new Request('http://localhost/sdk.js', { headers })) ??
      new Response('', { status: 500 });
    const plain = await ask({});
    expect(await plain.text()).toBe('console.log("ü")');
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
    });
    const smallest = await ask({ 'Accept-Encoding': 'gzip, deflate, br, zstd' });
    expect(smallest.headers.get('content-encoding')).toBe('br');
    const brotli = await smallest.arrayBuffer();
    expect(smallest.headers.get('content-length')).toBe(String(brotli.byteLength));
    expect(brotliDecompressSync(brotli).toString()).toBe('console.log("ü")');
    const small = await ask({ 'Accept-Encoding': 'br;q=0, gzip' });
    expect(small.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await small.arrayBuffer()).toString()).toBe('console.log("ü")');
    const forms = [plain, small, smallest];
    expect(new Set(forms.map(({ headers }) => headers.get('etag'))).size).toBe(3);
    for (const response of forms)
      expect((await ask({ 'If-None-Match': `W/${response.headers.get('etag')}` })).status).toBe(304);
    expect((await ask({ 'If-None-Match': '"old"' })).status).toBe(200);
  });

  it.each([
    ['', null],
    ['identity', null],
    ['gzip;q=0', null],
    ['gzip; q=0.000, *', 'br'],
    ['*;q=0', null],
    ['*', 'br'],
    ['BR', 'br'],
    ['x-brotli, gzip;q=0.5', 'gzip'],
    ['br;q=0.1', 'br'],
  ])('is sent to a client that accepts "%s" as %s', async (accepted, encoding) => {
    const file = join(directory, 'accepted.js');
    writeFileSync(file, 'go()');
    const script = await loadScript(file);
    const request = new Request('http://localhost/sdk.js', { headers: { 'Accept-Encoding': accepted } });
    expect(script?.respond(request).headers.get('content-encoding')).toBe(encoding);
  });
});
