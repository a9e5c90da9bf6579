/** What a page is: HTML or of unknown type, and answered well at least once. Everything else that was asked for stands apart. */
import type { StoredHit } from '@ghostlight/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { openPlace, type Place, type Site } from './testing/place.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 15, 12);
let now = NOW;
let databases: TestDatabases;
let store: TestWarehouse;
let place: Place;
/** Every row that the warehouse has answered. */
const answered: object[] = [];
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => now });
  const fresh = await databases.backends[0]?.fresh({ clock: () => now });
  if (fresh === undefined) throw new Error('There is no backend');
  const warehouse: Warehouse = {
    ...store.warehouse,
    async rows<Found>(...asked: Parameters<Warehouse['rows']>): Promise<Found[]> {
      const rows = await store.warehouse.rows<Found>(...asked);
      answered.push(...(rows as object[]));
      return rows;
    },
  };
  place = openPlace({ ...store, warehouse, database: await fresh.node(), clock: () => now });
});
afterAll(async () => {
  await place.reports.close();
  await store.close();
  await databases.close();
});

interface Row {
  readonly path?: string;
  readonly folder?: string;
  readonly kind: string | null;
  readonly hits: number;
}
interface Answer {
  readonly items: Row[];
  readonly total: number;
  readonly totals: { hits: number; pages: number; files: number };
}

const other = { bot_name: 'ClaudeBot', vendor: 'Anthropic', engine: 'anthropic' } as const;
const HITS: readonly Partial<StoredHit>[] = [
  ...[{ path: '/' }, { path: '/' }, { path: '/', status: 500 }, { path: '/', ...other }],
  ...[{ path: '/blog/1' }, { path: '/blog/1', status: 404, ...other }, { path: '/blog/2', status: 304 }],
  ...['/robots.txt', '/llms.txt', '/sitemap.xml', '/blog/feed/', '/.well-known/webmcp.json'].map((path) => ({
    path,
  })),
  ...[
    { path: '/favicon.ico', status: 404 },
    { path: '/gone', status: 404 },
    { path: '/moved', status: 301 },
  ],
  ...[
    { path: '/fake', verified: false },
    { path: '/fake', status: 404 },
  ],
].map((hit) => ({ at: NOW - DAY, ...hit }));

describe.each(['raw hits', 'closed days'] as const)('of %s', (from) => {
  let site: Site;
  beforeAll(async () => {
    now = NOW;
    site = place.site();
    await place.put(site, HITS);
    if (from === 'closed days') await place.reports.rollup.run();
  });
  const ask = async (query = '') => await place.json<Answer>(site, `pages${query}`);
  const paths = ({ items }: Answer) => items.map((row) => [row.path ?? row.folder, row.kind, row.hits]);

  it('pages are counted without files and without what was never answered well', async () => {
    const read = { pages: 3, files: 5 };
    const { headline, top_pages: top } = await place.json<{ headline: object; top_pages: Row[] }>(
      site,
      'overview',
    );
    expect(headline).toMatchObject({ ...read, ai_bot_hits: 16, bots: 2, failures: 5 });
    expect(top.map(({ path }) => path)).toEqual(['/', '/blog/1', '/blog/2']);
    const bots = await place.json<{ items: object[]; totals: object }>(site, 'bots');
    expect(bots.totals).toMatchObject(read);
    expect(bots.items).toMatchObject([read, { bot: 'ClaudeBot', pages: 1, files: 0 }]);
    const { items: engines } = await place.json<{ items: { key: string }[] }>(site, 'funnel');
    expect(engines.find(({ key }) => key === 'openai')).toMatchObject({ crawled: { pages: 3 } });
    expect((await ask()).totals).toMatchObject(read);
  });

  it('pages are listed, files are listed apart, and all is what was asked for', async () => {
    const [pages, files, all] = [await ask(), await ask('?kind=file'), await ask('?kind=all')];
    expect(paths(pages)).toEqual([
      ['/', 'page', 4],
      ['/blog/1', 'page', 2],
      ['/blog/2', 'page', 1],
    ]);
    expect(pages.totals.hits).toBe(7);
    expect(files.items.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'file'));
    expect(files).toMatchObject({ total: 5, totals: { hits: 5, pages: 3, files: 5 } });
    expect(all).toMatchObject({ total: 12, totals: { hits: 16, pages: 3, files: 5 } });
    expect(
      all.items
        .filter(({ kind }) => kind === 'unread')
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...['/fake', '/favicon.ico', '/gone', '/moved']]);
    expect((await place.get(site, 'pages?kind=image')).status).toBe(422);
  });

  it('a page that one bot read is none of another that failed on it', async () => {
    const by = await ask('?group=bot_page');
    expect(by.items).toMatchObject([
      { path: '/', bot: 'GPTBot', hits: 3 },
      ...[{ hits: 1 }, { hits: 1 }, { hits: 1 }],
    ]);
    expect(by.totals.hits).toBe(6);
    expect((await ask('?bot=ClaudeBot')).items).toMatchObject([{ path: '/' }]);
  });

  it.each(['errors', 'change', 'last_seen'])(
    'of what is equal by %s, that with more hits is first',
    async (sort) => {
      const { items } = await ask(`?sort=${sort}`);
      expect(items.slice(0, 2).map(({ path }) => path)).toEqual(['/', '/blog/1']);
    },
  );

  it('folders hold the kind that is asked for', async () => {
    expect((await ask('?group=folder&sort=path&order=asc')).items).toMatchObject([
      { folder: '/', kind: 'page', hits: 4, pages: 1, files: null },
      { folder: '/blog/', kind: null, hits: 3, pages: 2, files: null },
    ]);
    expect((await ask('?group=folder&kind=file&prefix=/blog/')).items).toMatchObject([
      { folder: '/blog/feed/', hits: 1, pages: null, files: 1 },
    ]);
    expect((await ask('?group=folder&kind=all&prefix=/blog/')).totals).toMatchObject({ pages: 3, files: 5 });
  });

  it('files of a list hold what the list holds', async () => {
    const csv = await (await place.get(site, 'pages?kind=file&format=csv')).text();
    const [names = '', ...lines] = csv.trim().split('\r\n');
    expect(names.split(',').slice(0, 3)).toEqual(['host', 'path', 'kind']);
    expect(lines.map((line) => line.split(',').slice(1, 3))).toEqual(
      ['/.well-known/webmcp.json', '/blog/feed/', '/llms.txt', '/robots.txt', '/sitemap.xml'].map((path) => [
        path,
        'file',
      ]),
    );
  });

  it('a path that always fails is a failure, be it a page or a file', async () => {
    const { items, totals } = await place.json<Answer>(site, 'failures');
    expect(items.map(({ path }) => path).sort()).toEqual(['/', '/blog/1', '/fake', '/favicon.ico', '/gone']);
    expect(totals).toMatchObject({ paths: 5 });
  });
});

it('a visit without a status counts as read', async () => {
  const site = place.site();
  await place.put(site, [
    { path: '/a', status: 0 },
    { path: '/b', status: 102 },
    { path: '/c', status: 999 },
  ]);
  expect(await place.json<Answer>(site, 'pages')).toMatchObject({ items: [{ path: '/a' }], total: 1 });
});

it('spoofed visits are a separate figure of a list, whatever they read, and make no page', async () => {
  const site = place.site();
  await place.put(site, [
    { path: '/a', verified: false },
    { path: '/robots.txt', verified: false },
  ]);
  const read = { pages: 0, files: 0 };
  expect(await place.json(site, 'pages')).toMatchObject({ total: 0, totals: { ...read, spoofed: 1 } });
  expect(await place.json(site, 'pages?kind=all')).toMatchObject({
    total: 0,
    totals: { ...read, spoofed: 2 },
  });
  expect(await place.json(site, 'pages?include=spoofed')).toMatchObject({
    items: [{ path: '/a' }],
    totals: { hits: 1, spoofed: 1, pages: 1, files: 1 },
  });
});

it('spoofed visits are one figure, whether they are counted or not: those to paths of the kind that any visit read', async () => {
  now = NOW;
  const site = place.site();
  const fake = { verified: false };
  await place.put(site, [
    ...[{ path: '/a' }, { path: '/a', ...fake }, { path: '/a', status: 404, ...fake }],
    ...[
      { path: '/fakes', ...fake },
      { path: '/fakes', status: 500, ...fake },
    ],
    { path: '/none', status: 404, ...fake },
    ...[{ path: '/robots.txt' }, { path: '/robots.txt', status: 403, ...fake }],
    { path: '/none.png', status: 404, ...fake },
  ]);
  const totals = async (kind: string, more: string) =>
    (
      await place.json<{ totals: { hits: number; spoofed: number } }>(
        site,
        `pages?compare=none&kind=${kind}${more}`,
      )
    ).totals;
  for (const more of ['', '&group=folder'])
    for (const [kind, hits, spoofed] of [
      ['page', 1, 4],
      ['file', 1, 1],
      ['all', 2, 7],
    ] as const) {
      expect(await totals(kind, more), kind).toMatchObject({ hits, spoofed });
      expect(await totals(kind, `${more}&include=spoofed`)).toMatchObject({ hits: hits + spoofed, spoofed });
      expect(await totals(kind, `${more}&verified=false`)).toMatchObject({ spoofed });
    }
  const { items } = await place.json<{ items: object[] }>(site, 'pages?group=folder&prefix=/');
  expect(items).toMatchObject([{ folder: '/a', spoofed: 2 }]);
});

it('the change of a folder is of its own visits, whatever other paths are cut to the same name', async () => {
  const site = place.site();
  const visits = (path: string, count: number, days: number) =>
    Array.from({ length: count }, () => ({ path, at: NOW - days * DAY }));
  await place.put(site, [
    ...visits('/', 1, 6),
    ...[...visits('/blog/2/x', 30, 1), ...visits('/blog/2/x', 20, 3)],
    // As long as `/blog/`, and then the same.
    ...[...visits('/1234/2/x', 500, 1), ...visits('/1234/2/x', 20, 3)],
  ]);
  const query = 'from=2026-03-13&to=2026-03-14&compare=previous&group=folder&prefix=/blog/';
  expect(await place.json(site, `pages?${query}`)).toMatchObject({
    items: [{ folder: '/blog/2/', hits: 30, previous: { hits: 20 }, change: 0.5 }],
  });
});

it('the totals are of the visits of which the rows are: the last one may have failed', async () => {
  now = NOW;
  const site = place.site();
  await place.put(site, [
    { at: NOW - 3 * DAY, path: '/a' },
    { at: NOW - 2 * DAY, path: '/a', status: 500, ...other },
    { at: NOW - DAY, path: '/never', status: 404 },
  ]);
  type Seen = { first_seen: string; last_seen: string; bots: number; hits: number };
  for (const group of ['page', 'folder']) {
    const { items, totals } = await place.json<{ items: Seen[]; totals: Seen }>(site, `pages?group=${group}`);
    const { first_seen, last_seen, bots, hits } = totals;
    expect(items, group).toMatchObject([{ first_seen, last_seen, bots, hits }]);
    expect({ last_seen, bots }).toEqual({ last_seen: new Date(NOW - 2 * DAY).toISOString(), bots: 2 });
  }
});

it('the days of a row are answered once, not once for each verdict, status and intent of its visits', async () => {
  const site = place.site();
  const visits = [true, false, null].flatMap((verified) =>
    [200, 301, 404].flatMap((status) =>
      (['training', 'search'] as const).map((intent) => ({ verified, status, intent })),
    ),
  );
  await place.put(
    site,
    [1, 2, 3].flatMap((ago) => visits.map((visit) => ({ ...visit, path: '/a', at: NOW - ago * DAY }))),
  );
  answered.length = 0;
  const query = 'from=2026-03-14&to=2026-03-14&compare=previous&include=spoofed';
  const { items } = await place.json<{ items: object[] }>(site, `pages?${query}`);
  expect(items).toMatchObject([{ path: '/a', hits: 18, previous: { hits: 18 } }]);
  expect(answered.filter((row) => 'number' in row && Object.values(row).some(isOfDays))).toHaveLength(1);
});

/** Both days of the question. */
const isOfDays = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((hits) => typeof hits === 'number');
