/** The manifest's host in workerd, with a real key-value store and a real cache; only its clock is ours. */
import { randomUUID } from 'node:crypto';
import { Response as EdgeResponse, Miniflare } from 'miniflare';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundle } from '../testing/bundle.ts';
import { type Edge, startEdge } from '../testing/edge.ts';
import { SERVICE_HOST, type Site } from '../testing/internet.ts';

/** Each data centre is a cache of its own, each isolate a host with a memory of its own. Headers of a request say where it arrives, and when. */
const ENTRY = `
import { createManifestHost } from './manifest/index.ts';
const hosts = new Map();
const snapshots = new Map();
let now = 0;
const openCache = {
  real: (name) => () => caches.open(name),
  none: () => async () => null,
  throwing: () => async () => ({ match: async () => { throw new Error('match') }, put: async () => { throw new Error('put') } }),
};
const namespaces = {
  real: (kv) => kv,
  none: () => undefined,
  'get throws': (kv) => ({ getWithMetadata: async () => { throw new Error('get') }, put: (...a) => kv.put(...a), delete: (k) => kv.delete(k) }),
  'writes throw': (kv) => ({ getWithMetadata: (...a) => kv.getWithMetadata(...a), put: () => { throw new Error('429') }, delete: () => { throw new Error('429') } }),
  // What cacheTtl and replication do at worst: an entry once read is read for ever.
  lagging: (kv, place) => ({
    async getWithMetadata(key, options) {
      const name = place + ' ' + key;
      if (!snapshots.has(name)) {
        const read = await kv.getWithMetadata(key, options);
        if (read.value === null) return read;
        snapshots.set(name, read);
      }
      return snapshots.get(name);
    },
    put: (...a) => kv.put(...a),
    delete: (k) => kv.delete(k),
  }),
};
export default { async fetch(request, env, ctx) {
  const given = JSON.parse(request.headers.get('x-test'));
  now = given.now;
  const name = [given.dataCentre, given.isolate, given.property].join(' ');
  if (!hosts.has(name)) hosts.set(name, createManifestHost({
    fetch,
    openCache: openCache[given.cache](given.dataCentre),
    now: () => now,
    log: (sentence) => console.log('ghostlight: ' + sentence),
  }));
  const source = { url: 'https://${SERVICE_HOST}/api/v1/webmcp/' + given.property + '/manifest/', attributionId: given.property };
  const context = given.context === 'broken' ? { waitUntil() { throw new Error('waitUntil') } } : ctx;
  const response = await hosts.get(name).respond(request, source, namespaces[given.kv](env.WEBMCP_CACHE, given.dataCentre), context);
  return response ?? new Response('the origin', { status: 418 });
} };`;

const HOUR = 3_600_000;
const URL_OF_SHOP = 'https://shop.example/.well-known/webmcp.json';

let edge: Edge;
/** A property of its own for each test, so that all can share one runtime. */
let property: string;
let now: number;
/** What the service answers: a manifest, or whatever a test puts here. */
let answer: Site;

beforeAll(async () => {
  edge = await startEdge({ entry: ENTRY, kv: true });
  edge.internet.on(SERVICE_HOST, (request) => answer(request));
  // A redirect that were followed would find what it needs.
  edge.internet.on('elsewhere.example', () => new Response(manifest()));
});
afterAll(() => edge.close());
beforeEach(() => {
  property = randomUUID();
  now = Date.parse('2026-11-21T12:00:00Z');
  answer = serves(manifest());
});

interface Where {
  dataCentre?: string;
  isolate?: string;
  kv?: 'real' | 'none' | 'get throws' | 'writes throw' | 'lagging';
  cache?: 'real' | 'none' | 'throwing';
  context?: 'broken';
}

const visit = (
  where: Where = {},
  headers: Record<string, string> = {},
  { method = 'GET', url = URL_OF_SHOP } = {},
) =>
  edge.visit(url, {
    method,
    headers: {
      ...headers,
      'x-test': JSON.stringify({
        property,
        now,
        dataCentre: `fra-${property}`,
        isolate: 'one',
        kv: 'real',
        cache: 'real',
        ...where,
      }),
    },
  });

/** Status, how it came to be, and body, of which tests compare what they are about. */
async function seen(...request: Parameters<typeof visit>) {
  const response = await visit(...request);
  return {
    status: response.status,
    state: response.headers.get('X-WebMCP-Cache'),
    body: await response.text(),
  };
}
/** Of its own accord `fetch` sends `no-cache` with a condition. */
const ORDINARY = { 'Cache-Control': 'max-age=0' };
const ORIGIN = { status: 418, state: null, body: 'the origin' };

/** @param change members that differ; `edition` is told apart by the tests */
function manifest(change: Record<string, unknown> = {}): string {
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'thumbprint' })).toString('base64url');
  return JSON.stringify({
    attribution_id: property,
    edition: 'first — ünïcode',
    expires_at: new Date(now + 24 * HOUR).toISOString(),
    hosts: ['shop.example', 'www.shop.example'],
    signature: `${header}..c2lnbmF0dXJl`,
    ...change,
  });
}

/** A service that knows its ETag, as ours does. */
function serves(
  text: string,
  etag = `"${text.length}-${Buffer.from(text).toString('hex').slice(-40)}"`,
): Site {
  return ({ headers }) =>
    headers.get('if-none-match') === etag
      ? new Response(null, { status: 304, headers: { ETag: etag } })
      : new Response(text, { headers: { ETag: etag } });
}
const fails: Site = () => new Response('down', { status: 503 });
const gone: Site = () => new Response('{}', { status: 404 });

const asked = () =>
  edge.internet
    .requestsTo(SERVICE_HOST)
    .filter(({ path }) => path === `/api/v1/webmcp/${property}/manifest/`);
const key = () => `webmcp:v1:${property}`;
const entry = async (name = key()) => {
  const { value, metadata } = await (await edge.kv()).getWithMetadata(name, 'text');
  return { value, metadata };
};
const put = async (name: string, text: string, metadata?: object) =>
  (await edge.kv()).put(name, text, metadata === undefined ? {} : { metadata });
/** Background work has come so far that the check holds. */
const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const stored = (text: string) => soon(async () => expect((await entry(`${key()}:stale`)).value).toBe(text));

/** A manifest that lies in KV and in this data centre. @returns its text */
async function cached(where: Where = {}): Promise<string> {
  const text = manifest();
  answer = serves(text);
  expect(await seen(where)).toEqual({ status: 200, state: 'MISS', body: text });
  await stored(text);
  return text;
}

describe('a request that is not for the manifest', () => {
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'goes to the origin when it is a %s',
    async (method) => {
      expect(await seen({}, {}, { method })).toEqual(ORIGIN);
      expect(asked()).toEqual([]);
    },
  );

  it.each(['/', '/.well-known/webmcp.json/', '/shop/.well-known/webmcp.json', '/.well-known/WEBMCP.json'])(
    'goes to the origin when its path is %s',
    async (path) => {
      expect(await seen({}, {}, { url: `https://shop.example${path}` })).toEqual(ORIGIN);
      expect(asked()).toEqual([]);
    },
  );
});

describe('a manifest that the edge does not have', () => {
  it('is fetched, and passed on byte for byte with the headers of the contract', async () => {
    const text = ` ${manifest()}\n`;
    answer = serves(text, '"tag"');
    const response = await visit({}, { 'Accept-Encoding': 'identity' });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(text));
    const {
      'content-length': _length,
      'transfer-encoding': _encoding,
      ...headers
    } = Object.fromEntries(response.headers);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: '"tag"',
      'x-webmcp-cache': 'MISS',
    });
    expect(asked()).toHaveLength(1);
    expect(asked()[0]?.headers.has('if-none-match')).toBe(false);
  });

  it('is fetched past whatever caches stand before the service', async () => {
    await visit();
    expect(asked()[0]?.headers.get('cache-control')).toBe('no-cache');
  });

  it('is fetched by a Worker of 2022 too, whose platform knew less', async () => {
    const old = new Miniflare({
      modules: true,
      script: await bundle(ENTRY),
      compatibilityDate: '2022-11-30',
      outboundService: () => new EdgeResponse(manifest()),
    });
    const told = { property, now, dataCentre: 'fra', isolate: 'one', kv: 'none', cache: 'real' };
    const response = await old.dispatchFetch(URL_OF_SHOP, { headers: { 'x-test': JSON.stringify(told) } });
    expect(await response.text()).toBe(manifest());
    await old.dispose();
  });

  it('is cached for an hour, with a second copy for a day, and what is known of it beside it', async () => {
    const text = manifest();
    answer = serves(text, '"tag"');
    await visit();
    await stored(text);
    const metadata = { kid: 'thumbprint', etag: '"tag"', at: now };
    expect(await entry()).toEqual({ value: text, metadata });
    expect(await entry(`${key()}:stale`)).toEqual({ value: text, metadata });
    const { keys } = await (await edge.kv()).list({ prefix: key() });
    const lifetimes = keys.map(({ name, expiration = 0 }) => [name, expiration - Date.now() / 1000] as const);
    expect(lifetimes).toEqual([
      [key(), expect.closeTo(3600, -2)],
      [`${key()}:stale`, expect.closeTo(86_400, -2)],
    ]);
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: text });
    expect(asked()).toHaveLength(1);
  });

  it('is served on every host that it lists, and leaves the others to their origin, which the log says once', async () => {
    await cached();
    expect(await seen({}, {}, { url: URL_OF_SHOP.replace('shop', 'www.shop') })).toMatchObject({
      status: 200,
    });
    expect(await seen({}, {}, { url: URL_OF_SHOP.replace('shop', 'api.shop') })).toEqual(ORIGIN);
    await soon(() =>
      expect(edge.log).toContain(
        'ghostlight: the manifest is for shop.example, www.shop.example; requests for it on other hosts go to the origin',
      ),
    );
    // Asking the service at each such visit would be a way to flood it.
    expect(asked()).toHaveLength(1);
  });

  const huge = () => manifest({ tools: 'x'.repeat(256 * 1024) });
  it.each<[string, () => Response | undefined]>([
    ['is no JSON', () => new Response('<!doctype html>')],
    ['is a list', () => new Response(`[${manifest()}]`)],
    ['is for another property', () => new Response(manifest({ attribution_id: randomUUID() }))],
    ['has expired', () => new Response(manifest({ expires_at: '2026-11-21T11:59:59Z' }))],
    ['is not signed', () => new Response(manifest({ signature: undefined }))],
    ['lists no hosts', () => new Response(manifest({ hosts: undefined }))],
    ['is too large', () => new Response(huge())],
    ['is too large and says so late', () => new Response(ReadableStream.from([Buffer.from(huge())]))],
    ['is no UTF-8', () => new Response(Buffer.from(manifest({ edition: 'é' }), 'latin1'))],
    ['has a byte order mark', () => new Response(`\ufeff${manifest()}`)],
    ['is empty', () => new Response('')],
    ['lies elsewhere', () => Response.redirect('https://elsewhere.example/manifest.json', 302)],
    ['comes with 201', () => new Response(manifest(), { status: 201 })],
    ['comes with an unrequested 304', () => new Response(null, { status: 304 })],
    ['comes with 500', () => new Response(manifest(), { status: 500 })],
    ['does not come', () => undefined],
  ])('is left to the origin when what the service has %s', async (_, response) => {
    answer = response;
    expect(await seen()).toEqual(ORIGIN);
    expect(await entry()).toMatchObject({ value: null });
    answer = serves(manifest());
    expect(await seen()).toMatchObject({ state: 'MISS' });
  });

  it('gets an ETag of its bytes where the service names none', async () => {
    answer = () => new Response(manifest());
    const first = (await visit()).headers.get('etag');
    expect(first).toMatch(/^"[0-9a-f]{32}"$/);
    property = randomUUID();
    expect((await visit()).headers.get('etag')).not.toBe(first);
  });

  it('keeps at most eight requests of an isolate waiting for the service', async () => {
    const release = Promise.withResolvers<Response>();
    const text = manifest();
    answer = async () => (await release.promise).clone();
    const waiting = Array.from({ length: 8 }, () => seen());
    await soon(() => expect(asked()).toHaveLength(8));
    expect(await seen()).toEqual(ORIGIN);
    release.resolve(new Response(text));
    expect(await Promise.all(waiting)).toEqual(new Array(8).fill({ status: 200, state: 'MISS', body: text }));
    await stored(text);
    expect(await seen()).toMatchObject({ state: 'HIT' });
  });
});

describe('a conditional request or a HEAD', () => {
  it.each(['"tag"', 'W/"tag"', '"other", "tag"', '*'])(
    'is answered 304 for If-None-Match: %s',
    async (condition) => {
      answer = serves(manifest(), '"tag"');
      for (const state of ['MISS', 'HIT']) {
        const response = await visit({}, { ...ORDINARY, 'If-None-Match': condition });
        expect([response.status, await response.text()]).toEqual([304, '']);
        expect(response.headers.get('etag')).toBe('"tag"');
        expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
        expect(response.headers.get('x-webmcp-cache')).toBe(state);
        await soon(async () => expect((await entry()).value).not.toBeNull());
      }
    },
  );

  it('is answered in full when the copy at hand is another', async () => {
    expect(await seen({}, { ...ORDINARY, 'If-None-Match': '"other"' })).toMatchObject({
      status: 200,
      body: manifest(),
    });
  });

  it('has the headers of a GET and no body when it is a HEAD', async () => {
    const text = await cached();
    const get = await visit();
    const head = await visit({}, {}, { method: 'HEAD' });
    expect([head.status, await head.text(), await get.text()]).toEqual([200, '', text]);
    for (const name of ['content-type', 'cache-control', 'etag', 'x-webmcp-cache']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});

describe('what lies in the namespace', () => {
  it('is served without a question when it is young', async () => {
    const text = manifest();
    await put(key(), text, { kid: null, etag: '"tag"', at: now - 59_000 });
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: text });
    expect((await visit()).headers.get('etag')).toBe('"tag"');
    expect(asked()).toEqual([]);
  });

  it.each([undefined, { etag: 'no tag\n', at: 'never' }, { at: Number.MAX_SAFE_INTEGER }])(
    'is served and checked when its metadata is %j',
    async (metadata) => {
      const old = manifest({ edition: 'by hand' });
      const text = manifest();
      answer = serves(text);
      await put(key(), old, metadata);
      expect(await seen()).toEqual({ status: 200, state: 'HIT', body: old });
      await stored(text);
      expect(asked()[0]?.headers.has('if-none-match')).toBe(false);
      expect(await entry()).toMatchObject({ metadata: { at: now } });
    },
  );

  it.each<[string, () => string]>([
    ['has expired', () => manifest({ expires_at: new Date(now - 1).toISOString() })],
    ['is damaged', () => manifest().slice(0, -1)],
    ['is for another property', () => manifest({ attribution_id: randomUUID() })],
  ])('is as good as absent when it %s', async (_, damaged) => {
    await put(key(), damaged(), { etag: '"tag"', at: now });
    expect(await seen()).toEqual({ status: 200, state: 'MISS', body: manifest() });
  });

  it('is as good as absent when it cannot be read', async () => {
    await cached();
    const where: Where = { kv: 'get throws', isolate: 'two' };
    expect(await seen(where)).toMatchObject({ status: 200, state: 'MISS' });
    expect(await seen(where)).toMatchObject({ status: 200, state: 'MISS' });
  });

  it('may refuse writes and deletions without any effect on answers', async () => {
    const where: Where = { kv: 'writes throw' };
    expect(await seen(where)).toMatchObject({ status: 200, state: 'MISS' });
    expect(await seen(where)).toMatchObject({ status: 200, state: 'MISS' });
    answer = gone;
    expect(await seen(where)).toEqual(ORIGIN);
    expect(await entry()).toMatchObject({ value: null });
  });
});

describe('without the namespace', () => {
  const where: Where = { kv: 'none' };

  it('each request is passed to the service, and nothing is kept', async () => {
    expect(await seen(where)).toMatchObject({ state: 'MISS' });
    expect(await seen(where, { 'Cache-Control': 'no-cache' })).toMatchObject({ state: 'MISS' });
    expect(asked()).toHaveLength(2);
    answer = fails;
    expect(await seen(where)).toEqual(ORIGIN);
  });

  it('the origin answers when nothing is published', async () => {
    answer = gone;
    expect(await seen(where)).toEqual(ORIGIN);
  });
});

describe('when nothing is published', () => {
  it('both copies are deleted, and the origin answers', async () => {
    const text = await cached();
    await (await edge.kv()).delete(key());
    answer = gone;
    expect(await seen()).toEqual(ORIGIN);
    await soon(async () => expect(await entry(`${key()}:stale`)).toMatchObject({ value: null }));
    // An outage does not bring it back.
    answer = fails;
    expect(await seen()).toEqual(ORIGIN);
    answer = serves(text);
    expect(await seen()).toEqual({ status: 200, state: 'MISS', body: text });
  });

  it('a namespace that still reads the deleted entry does not bring it back', async () => {
    const where: Where = { kv: 'lagging' };
    await cached(where);
    expect(await seen(where)).toMatchObject({ state: 'HIT' });
    answer = gone;
    now += 60_000;
    expect(await seen(where)).toMatchObject({ state: 'HIT' });
    await soon(async () => expect(await entry()).toMatchObject({ value: null }));
    expect(await seen(where)).toEqual(ORIGIN);
    expect(await seen({ ...where, isolate: 'two' })).toEqual(ORIGIN);
    answer = fails;
    expect(await seen(where)).toEqual(ORIGIN);
  });
});

describe('when the service is down', () => {
  it.each<[string, Site]>([
    ['fails', fails],
    ['cannot be reached', () => undefined],
    ['answers nonsense', () => new Response('[]')],
    ['never answers', () => new Promise(() => {})],
    [
      'never ends its answer',
      () =>
        new Response(
          ReadableStream.from(
            (async function* () {
              yield Buffer.from('{');
              await new Promise(() => {});
            })(),
          ),
        ),
    ],
  ])('and %s, the copy of the day is served', async (_, trouble) => {
    const text = await cached();
    await (await edge.kv()).delete(key());
    now += 2 * HOUR;
    answer = trouble;
    // Another isolate of another data centre: the namespace is all that it has.
    const elsewhere: Where = { dataCentre: `cdg-${property}` };
    expect(await seen(elsewhere)).toEqual({ status: 200, state: 'STALE', body: text });
    answer = serves(text);
    expect(await seen(elsewhere)).toEqual({ status: 200, state: 'MISS', body: text });
  });

  it('the copy is served no longer than it is valid', async () => {
    await cached();
    await (await edge.kv()).delete(key());
    now += 24 * HOUR;
    answer = fails;
    expect(await seen()).toEqual(ORIGIN);
  });

  it('the log says why, and no more than that', async () => {
    answer = () => new Response('secret', { status: 599 });
    await visit();
    await soon(() => expect(edge.log).toContain('ghostlight: no manifest from the service: it answered 599'));
    expect(edge.log.join('\n')).not.toContain('secret');
  });

  it('a hit stays a hit, and the service is asked again a minute later', async () => {
    const text = await cached();
    answer = fails;
    now += 60_000;
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: text });
    await soon(() => expect(asked()).toHaveLength(2));
    now += 59_000;
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: text });
    now += 1000;
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: text });
    await soon(() => expect(asked()).toHaveLength(3));
  });
});

describe('a rotation of keys', () => {
  /** The service signs again: other bytes, another ETag. */
  const rotate = (): string => {
    const text = manifest({ edition: 'rotated' });
    answer = serves(text);
    return text;
  };

  it('reaches the edge with the first hit a minute after the last question', async () => {
    const old = await cached();
    const renewed = rotate();
    now += 59_999;
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: old });
    now += 1;
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: old });
    await stored(renewed);
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: renewed });
    expect(asked()).toHaveLength(2);
    expect(asked()[1]?.headers.get('if-none-match')).toMatch(/^"/);
    expect(await entry()).toMatchObject({ value: renewed, metadata: { at: now } });
  });

  it('that did not happen costs one question a minute, whatever the number of hits and isolates', async () => {
    const text = await cached();
    const { metadata } = await entry();
    now += 60_000;
    await visit();
    await soon(() => expect(asked()).toHaveLength(2));
    now += 59_000;
    for (const isolate of ['one', 'two', 'one']) {
      expect(await seen({ isolate })).toEqual({ status: 200, state: 'HIT', body: text });
    }
    expect(asked()).toHaveLength(2);
    // The entry keeps its hour: it is not written again.
    expect(await entry()).toEqual({ value: text, metadata });
  });

  it.each<[string, Where]>([
    ['a cache', {}],
    ['no cache', { cache: 'none' }],
    ['a broken cache', { cache: 'throwing' }],
  ])('holds where the namespace still reads the old entry, with %s', async (_, where) => {
    const lagging: Where = { ...where, kv: 'lagging' };
    const old = await cached(lagging);
    const renewed = rotate();
    now += 60_000;
    expect(await seen(lagging)).toEqual({ status: 200, state: 'HIT', body: old });
    await stored(renewed);
    await soon(async () => expect((await seen(lagging)).body).toBe(renewed));
    now += 30_000;
    expect(await seen(lagging)).toEqual({ status: 200, state: 'HIT', body: renewed });
  });

  it('is not undone by an earlier answer that arrives after it', async () => {
    const late = Promise.withResolvers<Response>();
    const old = manifest();
    answer = () => late.promise;
    const first = seen();
    await soon(() => expect(asked()).toHaveLength(1));
    now += 1;
    const renewed = rotate();
    expect(await seen()).toEqual({ status: 200, state: 'MISS', body: renewed });
    await stored(renewed);
    late.resolve(new Response(old));
    expect(await first).toEqual({ status: 200, state: 'MISS', body: old });
    await stored(old);
    expect(await seen()).toEqual({ status: 200, state: 'HIT', body: renewed });
  });

  it('is seen by the other isolates of the data centre too, whatever the namespace still reads', async () => {
    const old = await cached({ kv: 'lagging' });
    expect(await seen({ kv: 'lagging', isolate: 'two' })).toMatchObject({ body: old });
    const renewed = rotate();
    now += 60_000;
    await visit({ kv: 'lagging' });
    await stored(renewed);
    await soon(async () => expect((await seen({ kv: 'lagging', isolate: 'two' })).body).toBe(renewed));
  });

  it('reaches a data centre whose namespace is behind by its own question', async () => {
    const old = await cached({ kv: 'lagging' });
    const elsewhere: Where = { kv: 'lagging', dataCentre: `cdg-${property}` };
    expect(await seen(elsewhere)).toMatchObject({ state: 'HIT', body: old });
    const renewed = rotate();
    now += 60_000;
    await visit(elsewhere);
    await soon(async () => expect((await seen(elsewhere)).body).toBe(renewed));
  });
});

describe('a request that asks to go past the cache', () => {
  const NO_CACHE = { 'Cache-Control': 'no-cache' };

  it.each([NO_CACHE, { Pragma: 'no-cache' }, { 'Cache-Control': 'max-age=0, No-Cache' }])(
    'is served what the service has now: %j',
    async (headers) => {
      await cached();
      const renewed = manifest({ edition: 'renewed' });
      answer = serves(renewed);
      expect(await seen({}, headers)).toEqual({ status: 200, state: 'REVALIDATED', body: renewed });
      await stored(renewed);
      expect(await seen()).toEqual({ status: 200, state: 'HIT', body: renewed });
    },
  );

  it('is an ordinary hit when `Cache-Control` says otherwise than `Pragma`', async () => {
    await cached();
    expect(await seen({}, { ...ORDINARY, Pragma: 'no-cache' })).toMatchObject({ state: 'HIT' });
  });

  it('heals a copy that does not verify although its ETag is right', async () => {
    const text = manifest();
    answer = serves(text, '"tag"');
    await put(key(), manifest({ edition: 'forged' }), { etag: '"tag"', at: now });
    expect(await seen({}, NO_CACHE)).toEqual({ status: 200, state: 'REVALIDATED', body: text });
    await stored(text);
    expect((await entry()).value).toBe(text);
  });

  it('is an ordinary hit for the next 30 seconds, in every isolate of the data centre', async () => {
    await cached();
    expect(await seen({}, NO_CACHE)).toMatchObject({ state: 'REVALIDATED' });
    now += 29_000;
    expect(await seen({}, NO_CACHE)).toMatchObject({ state: 'HIT' });
    expect(await seen({ isolate: 'two' }, NO_CACHE)).toMatchObject({ state: 'HIT' });
    expect(asked()).toHaveLength(2);
    expect(await seen({ dataCentre: `cdg-${property}` }, NO_CACHE)).toMatchObject({ state: 'REVALIDATED' });
    now += 1000;
    expect(await seen({}, NO_CACHE)).toMatchObject({ state: 'REVALIDATED' });
    expect(asked()).toHaveLength(4);
  });

  it('is served the cached copy when the service is down', async () => {
    const text = await cached();
    answer = fails;
    expect(await seen({}, NO_CACHE)).toEqual({ status: 200, state: 'STALE', body: text });
    expect(await seen({}, NO_CACHE)).toEqual({ status: 200, state: 'HIT', body: text });
  });

  it('is left to the origin when nothing is published any more', async () => {
    await cached();
    answer = gone;
    expect(await seen({}, NO_CACHE)).toEqual(ORIGIN);
    await soon(async () => expect(await entry()).toMatchObject({ value: null }));
    expect(await seen()).toEqual(ORIGIN);
  });
});

it('is left to the origin when the collector itself fails', async () => {
  expect(await seen({ context: 'broken' })).toEqual(ORIGIN);
  await soon(() => expect(edge.log).toContain('ghostlight: the manifest could not be served (Error)'));
});
