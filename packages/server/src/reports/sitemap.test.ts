import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { createDownload, DownloadError } from '../outbound/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { readSitemap } from './sitemap-reader.ts';
import { readSitemapText, sitemapsOfRobots } from './sitemap-text.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const NOW = Date.UTC(2026, 2, 15, 12);
const DAY = 86_400_000;

describe('the text of a sitemap', () => {
  it('names pages, or further sitemaps, whatever else is with them', () => {
    const pages = `\uFEFF<?xml version="1.0"?><!-- <loc>https://no.example/</loc x --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
<url><loc> https://shop.example/a?x=1&amp;y=2 </loc><image:image><image:loc>https://shop.example/a.png</image:loc></image:image></url>
<url><loc><![CDATA[https://shop.example/b&c]]></loc></url><url><loc>https://shop.example/&#252;&#x1F4A5;&nope;</loc></url></urlset>`;
    expect(readSitemapText(pages, 10)).toEqual({
      kind: 'pages',
      addresses: [
        'https://shop.example/a?x=1&y=2',
        'https://shop.example/b&c',
        'https://shop.example/ü💥&nope;',
      ],
      truncated: false,
    });
    expect(readSitemapText(pages, 2)).toMatchObject({ truncated: true });
    expect(readSitemapText('<s:sitemapindex ><s:sitemap></s:sitemap></s:sitemapindex>', 9).kind).toBe(
      'index',
    );
    expect(readSitemapText('https://shop.example/a\r\n\nhttps://shop.example/b', 9)).toMatchObject({
      kind: 'pages',
      addresses: ['https://shop.example/a', 'https://shop.example/b'],
    });
    for (const no of ['', 'hello', '<html><loc>https://shop.example/</loc></html>', '{"a":1}'])
      expect(readSitemapText(no, 9), no).toEqual({ kind: null, addresses: [], truncated: false });
  });

  it('of any kind is read without fault, and every address that was written is found', () => {
    fc.assert(
      fc.property(fc.array(fc.webUrl(), { maxLength: 20 }), fc.string({ maxLength: 50 }), (urls, noise) => {
        readSitemapText(noise, 5);
        readSitemapText(`<urlset>${noise}`, 5);
        const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        const text = `<urlset>${urls.map((url) => `<url><loc>${xml(url)}</loc></url>`).join('\n')}</urlset>`;
        expect(readSitemapText(text, 50).addresses).toEqual(urls);
      }),
    );
  });

  it('in robots.txt follows its keyword', () => {
    const robots =
      'User-agent: *\nSITEMAP : https://shop.example/a.xml\nDisallow: /\n sitemap:https://shop.example/b.xml # b\n';
    expect(sitemapsOfRobots(robots, 9)).toEqual(['https://shop.example/a.xml', 'https://shop.example/b.xml']);
  });
});

let server: Server;
let asked = 0;
/** Path → what the site answers; absent: 404. */
const files = new Map<string, string | Buffer | number>();
let download: ReturnType<typeof createDownload>;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    const file = files.get(`${request.url}`);
    if (typeof file === 'number' || file === undefined) response.writeHead(file ?? 404).end();
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  download = createDownload({
    hosts: new Map([
      ['shop.example', base],
      ['www.shop.example', base],
    ]),
  });
});
afterAll(() => void server.close());
beforeEach(() => files.clear());

const urlset = (...paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${path.startsWith('http') ? path : `https://shop.example${path}`}</loc></url>`).join('')}</urlset>`;
const read = async (configured: string | null = null) =>
  await readSitemap(download, 'shop.example', configured, new AbortController().signal);
const fails = async (word: string, configured: string | null = null) =>
  await expect(read(configured)).rejects.toMatchObject({ word });

describe('the sitemap of a site', () => {
  it('is found by robots.txt, read with what it refers to, packed or not, each page once and own ones alone', async () => {
    files.set('/robots.txt', 'Sitemap: https://shop.example/index.xml\n');
    files.set(
      '/index.xml',
      '<sitemapindex><sitemap><loc>https://shop.example/1.xml.gz</loc></sitemap><sitemap><loc>https://www.shop.example/2.xml</loc></sitemap><sitemap><loc>https://elsewhere.example/3.xml</loc></sitemap><sitemap><loc>https://shop.example/index.xml</loc></sitemap></sitemapindex>',
    );
    files.set('/1.xml.gz', gzipSync(urlset('/b', '/a?x=1', '/a')));
    files.set(
      '/2.xml',
      urlset(
        '/c',
        'https://www.shop.example/a',
        'https://elsewhere.example/x',
        'https://notshop.example/x',
        '/b',
      ),
    );
    expect(await read()).toEqual({
      url: 'https://shop.example/index.xml',
      pages: [
        { host: 'shop.example', path: '/a' },
        { host: 'www.shop.example', path: '/a' },
        { host: 'shop.example', path: '/b' },
        { host: 'shop.example', path: '/c' },
      ],
      skipped: 3,
      truncated: false,
    });
  });

  it('is looked for where it usually lies, and that there is none is no fault', async () => {
    await fails('no_sitemap');
    files.set('/sitemap.xml', urlset('/'));
    expect((await read()).pages).toEqual([{ host: 'shop.example', path: '/' }]);
  });

  it('says what is wrong with it', async () => {
    await fails('http_404', 'https://shop.example/mine.xml');
    files.set('/sitemap.xml', 503);
    await fails('http_503');
    files.set('/sitemap.xml', '<html></html>');
    await fails('not_a_sitemap');
    files.set('/sitemap.xml', urlset());
    await fails('empty');
    files.set('/sitemap.xml', urlset('https://elsewhere.example/'));
    await fails('empty');
  });

  it('with a part that fails is read without it, and says that it is not whole', async () => {
    files.set(
      '/sitemap.xml',
      '<sitemapindex><loc>https://shop.example/lost.xml</loc><loc>https://shop.example/here.xml</loc></sitemapindex>',
    );
    files.set('/here.xml', urlset('/'));
    expect(await read()).toMatchObject({ pages: [{ path: '/' }], truncated: true });
  });

  it('is bounded in pages and files', async () => {
    const many = Array.from({ length: 50_001 }, (_, index) => `/${index}`);
    files.set('/sitemap.xml', urlset(...many));
    const { pages, truncated } = await read();
    expect([pages.length, truncated]).toEqual([50_000, true]);
    const loop = (at: number) =>
      `<sitemapindex>${Array.from({ length: 200 }, (_, index) => `<loc>https://shop.example/${at}-${index}.xml</loc>`).join('')}</sitemapindex>`;
    files.set('/sitemap.xml', loop(0));
    asked = 0;
    await fails('http_404');
    // robots.txt, the index, and what it may refer to.
    expect(asked).toBe(101);
  });
});

describe('pages that no AI bot reads', () => {
  let databases: TestDatabases;
  let store: TestWarehouse;
  let database: Database;
  let place: Place;
  let now = NOW;
  beforeAll(async () => {
    databases = await openTestDatabases();
    store = await openTestWarehouse({ clock: () => now });
    const fresh = await databases.backends[0]?.fresh({ clock: () => now });
    if (fresh === undefined) throw new Error('There is no backend');
    database = await fresh.node();
    place = openPlace({ ...store, database, clock: () => now, download });
  });
  afterAll(async () => {
    await place.reports.close();
    await store.close();
    await database.close();
    await databases.close();
  });
  beforeEach(() => {
    now = NOW;
  });

  interface Unread {
    readonly items: { path: string; last_read: string | null }[];
    readonly total: number;
    readonly pages: number;
    readonly read: number;
    readonly sitemap: { readonly state: string; readonly error: string | null };
  }
  const state = async (site: Site) =>
    await place.json<{ state: string; pages: number; error: string | null }>(site, 'sitemap');
  const settled = async (site: Site) =>
    await vi.waitFor(
      async () => {
        const found = await state(site);
        expect(found.state).not.toBe('waiting');
        return found;
      },
      { timeout: 20_000 },
    );
  const refresh = async (site: Site) => {
    const { status } = await place.send('POST', `/properties/${site.id}/reports/sitemap/refresh`, {});
    await settled(site);
    return status;
  };

  it('are those of the sitemap that did not come in the period, with the day they were read last', async () => {
    const site = place.site();
    expect(await state(site)).toMatchObject({ state: 'none', pages: 0 });
    files.set(
      '/sitemap.xml',
      urlset('/', '/read', '/before', '/lost', '/moved', '/people', '/blog/1', '/paper.pdf', '/read.pdf'),
    );
    expect(await refresh(site)).toBe(200);
    await place.put(site, [
      { path: '/' },
      { path: '/read', status: 304 },
      { path: '/read.pdf' },
      { path: '/before', at: NOW - 40 * DAY },
      { path: '/lost', status: 404 },
      { path: '/moved', status: 301 },
      { path: '/people', class: 'ai_referral', bot_name: '' },
      { path: '/lost', verified: false, verified_by: '' },
      { path: '/elsewhere' },
    ]);
    const unread = await place.json<Unread>(site, 'pages/unread?order=asc');
    expect(unread).toMatchObject({ total: 5, pages: 7, files: 2, read: 2, sitemap: { state: 'ok' } });
    expect(await place.json<Unread>(site, 'pages/unread?kind=file')).toMatchObject({
      items: [{ path: '/paper.pdf', kind: 'file' }],
      ...{ total: 1, pages: 7, files: 2, read: 1 },
    });
    expect(await place.json<Unread>(site, 'pages/unread?kind=all')).toMatchObject({ total: 6, read: 3 });
    expect(unread.items.map(({ path, last_read }) => [path, last_read])).toEqual([
      ['/before', '2026-02-03'],
      ['/blog/1', null],
      ['/lost', null],
      ['/moved', null],
      ['/people', null],
    ]);
    expect(await place.json<Unread>(site, 'pages/unread?order=asc&limit=2&page_number=2')).toMatchObject({
      items: [{ path: '/lost' }, { path: '/moved' }],
      total: 5,
    });
    expect(await place.json<Unread>(site, 'pages/unread?path=/blog/')).toMatchObject({ total: 1, pages: 1 });
    expect(await place.json<Unread>(site, 'pages/unread?include=spoofed')).toMatchObject({
      total: 4,
      read: 3,
    });
    expect(await place.json<Unread>(site, 'pages/unread?bot=ClaudeBot')).toMatchObject({ total: 7 });
    expect(await (await place.get(site, 'pages/unread?format=csv')).text()).toBe(
      [
        'host,path,kind,last_read,reason,last_requested,last_status,blocked,blocked_bots,population,over_quota',
        ...[
          '/before,page,2026-02-03,read_before,2026-02-03,200,0,',
          '/blog/1,page,,never_requested,,,0,',
          '/lost,page,,failed,2026-03-15,404,0,',
          '/moved,page,,redirected,2026-03-15,301,0,',
          '/people,page,,never_requested,,,0,',
        ].map((row) => `shop.example,${row},verified_unknown,`),
        '',
      ].join('\r\n'),
    );
  });

  it('have a likely reason, with what robots.txt says of the bots that are asked about', async () => {
    const site = place.site();
    files.set('/robots.txt', 'User-agent: *\nDisallow: /private/\nUser-agent: GPTBot\nDisallow: /a\n');
    files.set('/sitemap.xml', urlset('/a', '/b', '/lost', '/private/x'));
    await refresh(site);
    await place.put(site, [{ at: now, path: '/lost', status: 503 }]);
    const reasons = async (query = '') => {
      const { items } = await place.json<{ items: { path: string; reason: string; blocked: number }[] }>(
        site,
        `pages/unread?order=asc${query}`,
      );
      return items.map(({ path, reason }) => `${path} ${reason}`);
    };
    expect(await reasons()).toEqual([
      ...['/a blocked_for_some', '/b never_requested', '/lost failed', '/private/x blocked_for_some'],
    ]);
    expect(await reasons('&bot=GPTBot')).toEqual([
      ...['/a blocked', '/b never_requested', '/lost failed', '/private/x never_requested'],
    ]);
    expect(await reasons('&bot=ClaudeBot&path=/private/')).toEqual(['/private/x blocked']);
    expect(await place.json(site, 'pages/unread?page=/a')).toMatchObject({
      items: [{ blocked: 1, blocked_bots: ['GPTBot'], last_status: null, last_requested: null }],
    });
    // A site that fails says nothing of what it allows.
    now += 120_000;
    files.set('/robots.txt', 503);
    await refresh(site);
    expect(await place.json(site, 'pages/unread?page=/a')).toMatchObject({
      items: [{ reason: 'never_requested', blocked: null, blocked_bots: [] }],
    });
  });

  it('are still listed when a later reading fails, and follow a sitemap that changes', async () => {
    const site = place.site();
    files.set('/sitemap.xml', urlset('/a', '/b'));
    await refresh(site);
    expect(await refresh(site)).toBe(429);
    now += 120_000;
    files.set('/sitemap.xml', 503);
    await refresh(site);
    expect(await place.json<Unread>(site, 'pages/unread')).toMatchObject({
      total: 2,
      sitemap: { state: 'failed', error: 'http_503' },
    });
    now += 120_000;
    files.set('/sitemap.xml', urlset('/c'));
    await refresh(site);
    expect(await place.json<Unread>(site, 'pages/unread')).toMatchObject({
      items: [{ path: '/c' }],
      total: 1,
      sitemap: { state: 'ok', error: null },
    });
  });

  it('come of the sitemap that a person names, on the site alone', async () => {
    const site = place.site();
    const put = async (url: unknown) =>
      (await place.send('PUT', `/properties/${site.id}/reports/sitemap`, { url })).status;
    for (const bad of [
      'http://shop.example/s.xml',
      'https://elsewhere.example/s.xml',
      'https://u:p@shop.example/',
      'x',
      7,
    ])
      expect(await put(bad), String(bad)).toBe(422);
    files.set('/mine.xml', urlset('/mine'));
    expect(await put('https://www.shop.example/mine.xml')).toBe(200);
    expect(await settled(site)).toMatchObject({ state: 'ok', pages: 1 });
  });

  /** A site whose first answer waits for a signal. */
  const held = () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow: typeof download = async (request, signal) => {
      if (!request.url.endsWith('/slow.xml')) return await download(request, signal);
      asked.resolve();
      await Promise.race([
        go.promise,
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new DownloadError('unreachable'))),
        ),
      ]);
      return await download({ ...request, url: request.url.replace('slow', 'old') }, signal);
    };
    const own = openPlace({ ...store, database, clock: () => now, download: slow });
    return { asked: asked.promise, go: () => go.resolve(), own };
  };

  it('come of the address that was named last, whatever is being read when it is named, on whichever node', async () => {
    for (const elsewhere of [false, true]) {
      const { asked, go, own } = held();
      const site = own.site();
      const other = elsewhere ? openPlace({ ...store, database, clock: () => now, download }) : own;
      other.know(site);
      files.set('/old.xml', urlset('/old'));
      files.set('/new.xml', urlset('/new'));
      const name = async (at: Place, file: string) =>
        expect(
          (
            await at.send('PUT', `/properties/${site.id}/reports/sitemap`, {
              url: `https://shop.example/${file}.xml`,
            })
          ).status,
        ).toBe(200);
      await name(own, 'slow');
      await asked;
      await name(other, 'new');
      if (elsewhere) go();
      await vi.waitFor(
        async () => {
          const unread = await own.json<Unread>(site, 'pages/unread');
          expect(unread.sitemap.state).toBe('ok');
          expect(unread.items.map(({ path }) => path)).toEqual(['/new']);
        },
        { timeout: 20_000 },
      );
      await own.reports.close();
      expect(await own.json(site, 'sitemap')).toMatchObject({
        state: 'ok',
        url: 'https://shop.example/new.xml',
        pages: 1,
      });
      if (elsewhere) await other.reports.close();
    }
  });

  it('are no fault of the sitemap when a stop ends the reading, and the next round reads it', async () => {
    const { asked, own } = held();
    const { id, organizationId } = await own.zoned('UTC');
    const site = { id, organizationId };
    await own.reports.sitemaps.configure(
      { ...site, domain: 'shop.example' },
      'root',
      'https://shop.example/slow.xml',
    );
    await asked;
    await own.reports.close();
    expect(await own.json(site, 'sitemap')).toMatchObject({ state: 'none', error: null, tried_at: null });
    const again = held();
    const stop = new AbortController();
    const round = again.own.reports.sitemaps.refreshAll(stop.signal);
    await again.asked;
    stop.abort();
    await round;
    expect(await own.json(site, 'sitemap')).toMatchObject({ state: 'none', error: null, tried_at: null });
    files.set('/slow.xml', urlset('/'));
    await place.reports.sitemaps.refreshAll();
    expect(await own.json(site, 'sitemap')).toMatchObject({ state: 'ok', pages: 1 });
    await again.own.reports.close();
  });

  it('are read again by a person, which the audit log tells', async () => {
    const site = place.site();
    files.set('/sitemap.xml', urlset('/'));
    await refresh(site);
    const rows = await database.reader
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .where('subject', '=', site.id)
      .execute();
    expect(rows).toEqual([{ actor: 'test', action: 'sitemap.refreshed' }]);
  });

  it('that are set are in the audit log with the address that was set before, not the one that was found', async () => {
    const site = place.site();
    files.set('/sitemap.xml', urlset('/'));
    files.set('/other.xml', urlset('/'));
    await refresh(site);
    for (const url of ['https://shop.example/sitemap.xml', 'https://shop.example/other.xml', null])
      await place.reports.sitemaps.configure({ ...site, domain: 'shop.example' }, 'test', url);
    const rows = await database.reader
      .selectFrom('audit_log')
      .select('changes')
      .where('subject', '=', site.id)
      .where('action', '=', 'sitemap.configured')
      .execute();
    const said = rows.map(({ changes }) => JSON.parse(changes ?? '[]'));
    expect(said).toHaveLength(3);
    // All of one moment of the test's clock: in no order.
    for (const one of [
      [{ what: 'url', before: null, after: 'https://shop.example/sitemap.xml' }],
      [{ what: 'url', before: 'https://shop.example/sitemap.xml', after: 'https://shop.example/other.xml' }],
      [{ what: 'url', before: 'https://shop.example/other.xml', after: null }],
    ])
      expect(said).toContainEqual(one);
  });
});
