import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  embeddedLists,
  embeddedSearchEngines,
  keyThumbprint,
  parseKeyDirectory,
  withSearchEngines,
} from '@ghostlight/core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog as log, openTestDatabases } from '../database/testing.ts';
import { createDownload } from '../outbound/index.ts';
import { createLists, type ListSource, listSources } from './index.ts';
import { listPublicationRoutes } from './routes.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const TODAY = '2026-11-21';
const clock = (): number => Date.parse(`${TODAY}T12:00:00Z`);

const DIRECTORY = 'https://chatgpt.com/.well-known/http-message-signatures-directory';
const SOURCES: ListSource[] = [
  {
    kind: 'ranges',
    id: 'anthropic',
    url: 'https://claude.com/bots.json',
    engine: 'anthropic',
    bots: ['ClaudeBot', 'Claude-User', 'Claude-SearchBot'],
    embedded: { entries: 21, as_of: '2026-08-22' },
  },
  {
    kind: 'keys',
    id: 'keys:chatgpt.com',
    url: DIRECTORY,
    bots: ['ChatGPT Agent'],
    embedded: { entries: 0, as_of: '' },
  },
];
const BINGBOT: ListSource = {
  kind: 'ranges',
  id: 'bingbot',
  url: 'https://www.bing.com/toolbox/bingbot.json',
  engine: 'microsoft',
  bots: ['Bingbot'],
  searchEngines: true,
  embedded: { entries: 28, as_of: '2026-08-22' },
};
const good =
  '{"creationTime":"x","prefixes":[{"ipv4Prefix":"8.8.8.0/24\u200b"},{"ipv6Prefix":"2606:4700::/32"},{"ipv4Prefix":"nonsense"}]}';
const x = randomBytes(32).toString('base64url');
const jwk = { kty: 'OKP', crv: 'Ed25519', x };

let server: Server;
let answer: RequestListener;
beforeEach(async () => {
  answer = (_request, response) => response.end(good);
  server = createServer((request, response) => {
    if (request.url?.includes('.well-known')) response.end(JSON.stringify({ keys: [jwk] }));
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const download = () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hosts = new Map([
    ['claude.com', base],
    ['chatgpt.com', base],
    ['www.bing.com', base],
  ]);
  return createDownload({ hosts });
};

describe.each(databases.backends)('lists on $name', (backend) => {
  const open = async () => {
    const test = await backend.fresh();
    const node = async (sources = SOURCES) => {
      const lists = createLists({
        database: await test.node(),
        download: download(),
        clock,
        log,
        sources,
        timeoutMs: 1_500,
      });
      await lists.start();
      return lists;
    };
    return { test, node };
  };

  it('take a whole set over the embedded part, with one version on every node, raised only by change', async () => {
    const { test, node } = await open();
    const [a, b] = [await node(), await node()];
    const first = a.current().version;
    expect(a.current().ranges.get('ClaudeBot')?.complete).toBe(false);
    expect(await a.refresh()).toMatchObject({ changed: true, read: 2, failed: 0, version: first + 1 });
    expect(a.current().ranges.get('ClaudeBot')?.complete).toBe(true);
    expect(a.current().ranges.get('ClaudeBot')?.asOf).toBe(TODAY);
    expect(b.current().version).toBe(first);
    await b.poll();
    expect(b.publication()).toEqual(a.publication());
    expect(await b.refresh()).toMatchObject({ changed: false, version: first + 1 });
    expect((await a.status()).map(({ entries, skipped, error }) => ({ entries, skipped, error }))).toEqual([
      { entries: 2, skipped: 1, error: null },
      { entries: 1, skipped: 0, error: null },
    ]);
    const agent = JSON.parse(a.publication().body.toString()).signature_agents[0];
    expect(agent).toMatchObject({ keys: [{ ...jwk, kid: await keyThumbprint(x) }], as_of: TODAY });
    await Promise.all([a.close(), b.close()]);
    await test.remove();
  });

  it('hold search crawlers beside the bot list, with ranges read daily, and never in it', async () => {
    const { test, node } = await open();
    const [plain, a] = [await node(), await node([...SOURCES, BINGBOT])];
    const b = await node([...SOURCES, BINGBOT]);
    expect(a.withSearchEngines().tokens.match('bingbot/2.0')?.bot_name).toBe('Bingbot');
    expect(a.withSearchEngines().ranges.get('Bingbot')?.asOf).toBe('2026-08-22');
    const wide = () => JSON.parse(b.searchPublication().body.toString());
    const [before, tag] = [wide(), b.searchPublication().etag];
    await plain.refresh();
    await a.refresh();
    await Promise.all([plain.poll(), b.poll()]);
    // Read or not, the bot list is byte for byte what it is without them.
    expect(a.publication()).toEqual(plain.publication());
    expect(a.publication().body.toString()).not.toMatch(/bingbot|googlebot/i);
    expect(a.current().tokens.match('bingbot/2.0')).toBeNull();
    // Another node has the reading with its next look.
    for (const lists of [a, b]) {
      const ranges = lists.withSearchEngines().ranges.get('Bingbot');
      expect(ranges).toMatchObject({ asOf: TODAY, complete: true });
      expect(lists.withSearchEngines().ranges.get('Googlebot')?.set).toEqual(
        lists.current().ranges.get('GoogleOther')?.set,
      );
    }
    expect(b.searchPublication()).toEqual(a.searchPublication());
    expect(b.searchPublication().etag).not.toBe(tag);
    expect(b.searchPublication().etag).not.toBe(b.publication().etag);
    const sets = (list: { ip_ranges: { bots: string[]; prefixes: string[] }[] }) =>
      list.ip_ranges.filter(({ bots }) => bots.includes('Bingbot')).map(({ prefixes }) => prefixes.length);
    expect([sets(before), sets(wide())]).toEqual([[28], [2]]);
    const [ranges, keys, bingbot] = await a.status();
    expect(bingbot).toMatchObject({ bots: ['Bingbot'], searchCrawlers: true, entries: 2, error: null });
    expect(ranges).toMatchObject({
      bots: ['ClaudeBot', 'Claude-User', 'Claude-SearchBot'],
      searchCrawlers: false,
    });
    expect(keys).toMatchObject({ bots: ['ChatGPT Agent'], searchCrawlers: false });
    // A reading that fails leaves the last good one.
    answer = (_request, response) => response.writeHead(403).end();
    await a.refresh();
    expect(a.withSearchEngines().ranges.get('Bingbot')?.asOf).toBe(TODAY);
    await Promise.all([plain.close(), a.close(), b.close()]);
    await test.remove();
  });

  it('send search crawlers to who asks for them, and the same bytes as ever to all others', async () => {
    const { test, node } = await open();
    const lists = await node();
    const api = listPublicationRoutes({ lists });
    const get = (query: string, headers = {}) => api.request(`/v1/config/ai-bots${query}`, { headers });
    const plain = await (await get('')).text();
    for (const query of ['?search_engines=0', '?search_engines=', '?x=1'])
      expect(await (await get(query)).text()).toBe(plain);
    const response = await get('?search_engines=1');
    const [standing, wide] = [JSON.parse(plain), JSON.parse(await response.text())];
    expect(wide.bot_patterns.slice(0, standing.bot_patterns.length)).toEqual(standing.bot_patterns);
    expect(wide.bot_patterns).toContainEqual({
      pattern: 'googlebot',
      bot_name: 'Googlebot',
      intent: 'search',
      engine: 'google',
      vendor: 'Google',
    });
    expect({ ...wide, bot_patterns: 0, ip_ranges: 0 }).toEqual({
      ...standing,
      bot_patterns: 0,
      ip_ranges: 0,
    });
    const tag = response.headers.get('etag') ?? '';
    expect((await get('?search_engines=1', { 'If-None-Match': tag })).status).toBe(304);
    expect((await get('', { 'If-None-Match': tag })).status).toBe(200);
    expect(
      (await get('?search_engines=1', { 'Accept-Encoding': 'gzip' })).headers.get('content-encoding'),
    ).toBe('gzip');
    await lists.close();
    await test.remove();
  });

  it('that count as read on a day say so of each source, and verdicts count by the same day', async () => {
    const test = await backend.fresh({ clock });
    const lists = createLists({
      database: await test.node(),
      download: download(),
      clock,
      log,
      readAt: clock(),
    });
    await lists.start();
    const copied = (await lists.status()).filter(({ entries }) => entries > 0);
    expect(new Set(copied.map(({ asOf }) => asOf))).toEqual(new Set([TODAY]));
    const inUse = lists.inUse().ip_ranges.filter(({ prefixes }) => prefixes.length > 0);
    expect(new Set(inUse.map(({ as_of }) => as_of))).toEqual(new Set([TODAY]));
    await lists.close();
    await test.remove();
  });

  it('tell of a source never read well what the copy that came with the code holds, and how old it is', async () => {
    const { test, node } = await open();
    const lists = await node();
    const told = async () => (await lists.status()).map(({ entries, asOf }) => [entries, asOf]);
    expect(await told()).toEqual([
      [21, '2026-08-22'],
      [0, null],
    ]);
    answer = (_request, response) => response.writeHead(403).end();
    await lists.refresh();
    expect(await told()).toEqual([
      [21, '2026-08-22'],
      [1, null],
    ]);
    expect((await lists.status())[0]).toMatchObject({ error: 'http_403', fetchedAt: null });
    answer = (_request, response) => response.end(good);
    await lists.refresh();
    expect((await told())[0]).toEqual([2, null]);
    await lists.close();
    await test.remove();
  });

  it('keep the last good set whatever a vendor answers, and say what was wrong', async () => {
    const { test, node } = await open();
    const lists = await node();
    await lists.refresh();
    const before = lists.publication();
    const answers: [string, RequestListener][] = [
      ['no_prefixes', (_q, r) => r.end('{"prefixes":[]}')],
      ['unparsable', (_q, r) => r.end('')],
      ['unparsable', (_q, r) => r.end('<html>Just a moment…</html>')],
      ['unparsable', (_q, r) => r.end(good.slice(0, 60))],
      ['too_large', (_q, r) => r.end(Buffer.alloc(4 * 1024 * 1024 + 1, 32))],
      ['timeout', (_q, r) => void r.write('{')],
      ['http_403', (_q, r) => r.writeHead(403).end('{}')],
      ['redirected', (_q, r) => r.writeHead(302, { Location: 'https://evil.example/' }).end()],
      ['unreachable', (_q, r) => r.destroy()],
      ['too_wide', (_q, r) => r.end('{"prefixes":[{"ipv4Prefix":"0.0.0.0/0"}]}')],
    ];
    for (const [word, listener] of answers) {
      answer = listener;
      expect(await lists.refresh()).toMatchObject({ changed: false, failed: 1 });
      expect((await lists.status())[0]).toMatchObject({ error: word, entries: 2 });
    }
    expect(lists.publication()).toEqual(before);
    await lists.close();
    await test.remove();
  });
});

describe('the publication', () => {
  it('answers GET, HEAD and If-None-Match, plain and compressed', async () => {
    const test = await databases.backends[0]?.fresh();
    const lists = createLists({
      database: await (test?.node() ?? Promise.reject()),
      download: download(),
      clock,
      log,
      sources: SOURCES,
    });
    const routes = listPublicationRoutes({ lists });
    const ask = (method: string, headers: Record<string, string> = {}) =>
      routes.request('/v1/config/ai-bots', { method, headers });
    const plain = await ask('GET');
    expect(await plain.json()).toEqual(embeddedLists());
    expect(plain.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(plain.headers.get('access-control-allow-origin')).toBe('*');
    const zipped = await ask('GET', { 'Accept-Encoding': 'br, gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect((await ask('GET', { 'Accept-Encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull();
    for (const tag of [plain.headers.get('etag'), `"x", W/${zipped.headers.get('etag')}`]) {
      expect((await ask('GET', { 'If-None-Match': tag ?? '' })).status).toBe(304);
    }
    const head = await ask('HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    await lists.close();
    await test?.remove();
  });
});

it('counts the embedded copies of the sources as the lists hold them', () => {
  const { ip_ranges: ranges, signature_agents: agents } = withSearchEngines(
    embeddedLists(),
    embeddedSearchEngines(),
  );
  const copies = new Map(listSources().map(({ url, id, embedded }) => [id, { url, ...embedded }]));
  const counted = (kind: ListSource['kind']) =>
    listSources()
      .filter((source) => source.kind === kind)
      .reduce((sum, { embedded }) => sum + embedded.entries, 0);
  expect(counted('ranges')).toBe(ranges.reduce((sum, { prefixes }) => sum + prefixes.length, 0));
  expect(counted('keys')).toBe(
    agents.reduce((sum, { url, keys }) => sum + (url === undefined ? 0 : keys.length), 0),
  );
  expect(copies.get('applebot')).toMatchObject({ as_of: expect.stringMatching(/^20\d\d-/) });
  for (const { entries, as_of } of copies.values()) expect(as_of === '').toBe(entries === 0);
});

describe('key directories', () => {
  const now = Date.UTC(2026, 10, 21);
  it('drop expired and published test keys, and trust no foreign thumbprint', async () => {
    // The key of RFC 9421 B.1.4 (thumbprint poqkLGiy…).
    const testKey = { ...jwk, x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
    const entries = [
      { ...jwk, kid: 'short' },
      { ...jwk, exp: now / 1000 - 1 },
      { ...jwk, nbf: now / 1000 + 60 },
      testKey,
      { kty: 'RSA' },
    ];
    expect(await parseKeyDirectory(JSON.stringify({ keys: entries }), now)).toEqual({
      keys: [{ ...jwk, kid: 'short' }],
      skipped: 4,
    });
    expect(await parseKeyDirectory(JSON.stringify({ ...jwk, kid: 'A'.repeat(43) }), now)).toEqual({
      keys: [{ ...jwk, kid: await keyThumbprint(x) }],
      skipped: 0,
    });
  });
  it.each([
    ['<html>', 'unparsable'],
    ['{"keys":[]}', 'no_keys'],
    ['[]', 'unparsable'],
    [JSON.stringify({ keys: Array(21).fill(jwk) }), 'too_many_keys'],
  ])('never take %.20s for an answer', async (text, error) =>
    expect(await parseKeyDirectory(text, now)).toEqual({ error }),
  );
});

it('the refresh reads over https alone, at addresses that the code knows', () => {
  for (const { url } of listSources()) expect(url).toMatch(/^https:\/\//);
});
