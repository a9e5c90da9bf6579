/** What every report of the register does. A new one is held to all of this without a line here; the last one is new. */
import { randomUUID } from 'node:crypto';
import type { StoredHit } from '@ghostlight/core';
import type { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { csvLine } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { DownloadError } from '../outbound/index.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { cellOf } from './columns.ts';
import { REPORTS } from './register.ts';
import type { Report } from './report.ts';
import { countries } from './testing/countries-report.ts';
import { openPlace, type Place, parametersOf, type Site } from './testing/place.ts';

const NOW = Date.UTC(2026, 2, 15, 12);
const DAY = 86_400_000;
const REGISTER: readonly Report[] = [...REPORTS, countries];
const NAMED = REGISTER.map((report) => [report.name, report] as const);

/** Every list under each of its groups. */
const LISTS = REGISTER.flatMap((report) => {
  const { list, name, parameters } = report;
  if (list === null) return [];
  const group = parameters.shape['group'] as z.ZodDefault<z.ZodEnum> | undefined;
  const queries = group === undefined ? [''] : group.unwrap().options.map((option) => `group=${option}`);
  return queries.map((query) => [`${name} ${query}`.trim(), { report, list, query }] as const);
});

let databases: TestDatabases;
let store: TestWarehouse;
let database: Database;
let place: Place;
/** With something of everything. */
let site: Site;
/** The room's OpenAPI document: it takes as long as some reports do. */
let document: ReturnType<Place['document']>;

const BOTS = [
  { bot_name: 'GPTBot', vendor: 'OpenAI', engine: 'openai', intent: 'training' },
  { bot_name: 'OAI-SearchBot', vendor: 'OpenAI', engine: 'openai', intent: 'search' },
  { bot_name: 'ClaudeBot', vendor: 'Anthropic', engine: 'anthropic', intent: 'training' },
  { bot_name: 'Perplexity-User', vendor: 'Perplexity', engine: 'perplexity', intent: 'on_demand' },
] as const;
const PATHS = ['/', '/a', '/blog/1', '/blog/2', '/shop/x', '/robots.txt'] as const;
const STATUSES = [200, 404, 200, 500, 301] as const;
const COUNTRIES = ['DE', 'FR', 'US'] as const;

/** Pages by bots, some of them pretended, failed or long ago; and people. */
function hits(): Partial<StoredHit>[] {
  const at = (index: number) => NOW - (index % 5) * DAY - index * 1_000;
  const hostOf = (index: number) => (index % 3 === 0 ? 'www.shop.example' : 'shop.example');
  const crawled = BOTS.flatMap((bot, b) =>
    PATHS.flatMap((path, p) =>
      Array.from({ length: 1 + ((b + p) % 4) }, (_, turn): Partial<StoredHit> => {
        const index = b * 7 + p * 3 + turn;
        return {
          ...bot,
          path,
          at: at(index),
          host: hostOf(p),
          status: STATUSES[index % STATUSES.length] ?? 200,
          country: COUNTRIES[(b + p + turn) % COUNTRIES.length] ?? '',
          asn: 64_496 + b,
          verified: [true, null, false][index % 3] ?? null,
        };
      }),
    ),
  );
  const sent = ['ChatGPT', 'Claude', 'Perplexity'].flatMap((engine, e) =>
    PATHS.slice(0, 3 + e).flatMap((path, p) =>
      Array.from({ length: 1 + ((e + p) % 3) }, (): Partial<StoredHit> => {
        const none = { bot_name: '', vendor: '', engine: '', intent: '' } as const;
        return { ...none, class: 'ai_referral', referrer_engine: engine, path, host: hostOf(p), at: at(p) };
      }),
    ),
  );
  return [...crawled, ...sent];
}

const SITEMAP = ['/', '/a', '/never/1', '/never/2', '/blog/1', '/blog/3', '/shop/y', '/shop/z', '/paper.pdf'];
const URLSET = `<urlset>${SITEMAP.map((path) => `<url><loc>https://shop.example${path}</loc></url>`).join('')}</urlset>`;

beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => NOW });
  const [sqlite] = databases.backends;
  const fresh = await sqlite?.fresh({ clock: () => NOW });
  if (fresh === undefined) throw new Error('There is no backend');
  database = await fresh.node();
  place = openPlace({
    ...{ ...store, database, clock: () => NOW, register: REGISTER },
    download: ({ url }) =>
      url.endsWith('/sitemap.xml')
        ? Promise.resolve({ text: URLSET, headers: {} })
        : Promise.reject(new DownloadError('http_404')),
  });
  document = place.document();
  site = place.site();
  await place.put(site, hits());
  await place.send('POST', `/properties/${site.id}/reports/sitemap/refresh`, {});
  await vi.waitFor(async () => expect(await place.json(site, 'sitemap')).toMatchObject({ state: 'ok' }), {
    timeout: 20_000,
  });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await databases.close();
});

type Item = Readonly<Record<string, unknown>>;
interface Listed {
  readonly items: readonly Item[];
  /** Of lists by time: which pages are beside this one. */
  readonly previous?: string | null;
  readonly next?: string | null;
  /** Of the others. */
  readonly total: number;
  readonly page_number: number;
  readonly limit: number;
}

/** A list without items. */
const NOTHING = {
  numbers: { items: [], total: 0 },
  cursor: { items: [], previous: null, next: null },
} as const;

const ask = async (report: Report, ...queries: readonly string[]) =>
  await place.json<Listed & { readonly population: string }>(
    site,
    `${report.path}?${queries.filter((query) => query !== '').join('&')}`,
  );
const file = async (of: Site, report: Report, query: string, format: string) =>
  await (await place.get(of, `${report.path}?${query}&format=${format}`)).text();
/** In an order that no list has. */
const unordered = (items: readonly Item[]) => items.map((item) => JSON.stringify(item)).toSorted();
const linesOf = (text: string, ending: string) => text.split(ending).filter((line) => line !== '');

it('has each report once, under a name and a path of its own', () => {
  for (const member of ['name', 'path'] as const) {
    const words = REGISTER.map((report) => report[member]);
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(word).toMatch(/^[a-z]+(?:[-/][a-z]+)*$/);
  }
});

describe.each(NAMED)('%s', (_, report) => {
  it('answers with what its schema says, and with nothing else', async () => {
    const answer = await ask(report);
    expect(report.answer.schema.parse(answer)).toEqual(answer);
  });

  it('is answered for a property that never had a hit', async () => {
    const answer = await place.json(place.site(), report.path);
    expect(answer).toMatchObject({ data_since: null });
    if (report.list !== null) expect(answer).toMatchObject(NOTHING[report.list.paging]);
  });

  it('is not there for another organization', async () => {
    const [ours, theirs] = [randomUUID(), randomUUID()];
    const scoped = openPlace({
      ...{ ...store, database, clock: () => NOW, register: REGISTER },
      scope: { kind: 'organization', id: theirs },
    });
    const foreign = scoped.site(ours);
    expect((await scoped.get(foreign, report.path)).status).toBe(404);
    expect((await scoped.get(foreign, `${report.path}?organization=${ours}`)).status).toBe(404);
  });

  it('ends its statements when its reader goes', async () => {
    const gone = new AbortController();
    // A period that every report has something to say of: hours exist for a week at most.
    const today = 'period=today';
    const context = await place.context(site, report, today, gone.signal);
    const parameters = parametersOf(report, today);
    const signals: (AbortSignal | undefined)[] = [];
    const warehouse: Warehouse = {
      ...store.warehouse,
      rows: (_lane, _statement, signal) => {
        signals.push(signal);
        return new Promise((_resolve, reject) => {
          const end = () => reject(new Error('ended'));
          if (signal?.aborted) end();
          signal?.addEventListener('abort', end);
        });
      },
    };
    const asked = { ...context, warehouse };
    const reads = [
      report.run(asked, parameters),
      ...(report.list === null ? [] : [Array.fromAsync(report.list.whole(asked, parameters))]),
    ].map((read) =>
      read.then(
        () => 'answered',
        () => 'ended',
      ),
    );
    await expect.poll(() => signals.length).toBeGreaterThanOrEqual(reads.length);
    gone.abort();
    expect(await Promise.all(reads)).toEqual(reads.map(() => 'ended'));
    expect(signals.every((signal) => signal?.aborted === true)).toBe(true);
  });

  it('is in the OpenAPI document with its parameters, its answer by name, and the columns of its files', () => {
    const { paths, components } = document as unknown as {
      readonly paths: Record<string, { readonly get: Record<string, unknown> }>;
      readonly components: { readonly schemas: Record<string, { readonly properties: object }> };
    };
    const { get } = paths[`/properties/{id}/reports/${report.path}`] ?? {};
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(get).toMatchObject({
      summary: report.summary,
      parameters: expect.arrayContaining(
        Object.keys(report.parameters.shape).map((name) => expect.objectContaining({ name, in: 'query' })),
      ),
      responses: {
        200: { content: { 'application/json': { schema: ref(report.answer.name) } } },
        ...{ 404: {}, 422: {}, 503: {} },
      },
    });
    const { list } = report;
    if (list === null) return;
    expect(get).toMatchObject({
      responses: { 200: { content: { 'text/csv': {}, 'application/x-ndjson': {} } } },
      'x-columns': Object.fromEntries(list.tables.map(({ name, file: columns }) => [name, columns])),
    });
    for (const { name } of list.tables) expect(components.schemas).toHaveProperty(name);
  });
});

describe.each(LISTS)('the list %s', (_, { report, list, query }) => {
  const columns = list.tableOf(parametersOf(report, query)).file;
  let whole: Listed & { readonly population: string };
  beforeAll(async () => {
    whole = await ask(report, query, 'limit=200');
  });

  if (list.paging === 'cursor')
    it('comes in pages that are the whole of it, in either direction', async () => {
      expect(whole).toMatchObject({ previous: null, next: null });
      const limit = `limit=${Math.ceil(whole.items.length / 3)}`;
      const first = await ask(report, query, limit);
      const second = await ask(report, query, limit, `after=${first.next}`);
      const last = await ask(report, query, limit, `after=${second.next}`);
      expect([first.previous, last.next]).toEqual([null, null]);
      expect([first, second, last].flatMap(({ items }) => items)).toEqual(whole.items);
      expect(await ask(report, query, limit, `before=${last.previous}`)).toEqual(second);
      expect((await ask(report, query, limit, `before=${second.previous}`)).items).toEqual(first.items);
      const turned = await ask(report, query, 'limit=200', 'order=asc');
      expect(turned.items).toEqual(whole.items.toReversed());
    });
  else
    it('comes in pages that are the whole of it, in one order, and counts its items', async () => {
      expect(whole.total).toBe(whole.items.length);
      expect(whole.total).toBeGreaterThan(2);
      const limit = Math.ceil(whole.total / 2);
      const pages = await Promise.all(
        [1, 2].map((page) => ask(report, query, `limit=${limit}`, `page_number=${page}`)),
      );
      expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
      for (const [index, page] of pages.entries())
        expect(page).toMatchObject({ total: whole.total, page_number: index + 1, limit });
      expect(await ask(report, query, 'page_number=9')).toMatchObject({ items: [], total: whole.total });
    });

  it('has the same items by every sort, in both orders, and they are sorted', async () => {
    const all = unordered(whole.items);
    // Without the route, which each of them would go through with the same outcome.
    const context = await place.context(site, report, query, new AbortController().signal);
    // What turns an order round is the same code for all: the first has both, the others one in turn.
    for (const [index, sort] of list.sorts.entries())
      for (const order of index === 0
        ? (['asc', 'desc'] as const)
        : ([index % 2 === 0 ? 'asc' : 'desc'] as const)) {
        const parameters = parametersOf(report, `${query}&limit=200&sort=${sort}&order=${order}`);
        const { items } = (await report.run(context, parameters)) as Listed;
        expect(unordered(items)).toEqual(all);
        const values = items.map((item) => item[sort]).filter((value) => value !== null);
        if (values.includes(undefined)) continue;
        const sorted = (values as (string | number)[]).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect([sort, order, values]).toEqual([sort, order, order === 'asc' ? sorted : sorted.toReversed()]);
      }
  });

  it('is exported as what its pages are, every item once, each line with its population', async () => {
    const { items, population } = whole;
    const cells = (item: Item) => [...columns.map((column) => cellOf(item, column)), population, ''];
    const rows = items.map((item) => csvLine(cells(item))).toSorted();
    const [head, ...lines] = linesOf(await file(site, report, query, 'csv'), '\r\n');
    expect(`${head}\r\n`).toBe(csvLine([...columns.map(({ name }) => name), 'population', 'over_quota']));
    expect(lines.map((line) => `${line}\r\n`).toSorted()).toEqual(rows);
    const objects = linesOf(await file(site, report, query, 'ndjson'), '\n').map((line) => JSON.parse(line));
    expect(objects.map((item) => csvLine(cells(item))).toSorted()).toEqual(rows);
    for (const item of objects) expect([item.population, item.over_quota]).toEqual([population, '']);
  });

  it('has in a file the columns that are asked for, in their order, and refuses others', async () => {
    const named = columns.map(({ name }) => name);
    const chosen = [named.at(-1), named[0]] as string[];
    const asked = `${query}&columns=${chosen.join(',')}`;
    const [head, ...lines] = linesOf(await file(site, report, asked, 'csv'), '\r\n');
    expect(`${head}\r\n`).toBe(csvLine([...chosen, 'population', 'over_quota']));
    const cells = (item: Item) => chosen.map((name) => cellOf(item, { name }));
    const rows = whole.items.map((item) => csvLine([...cells(item), whole.population, ''])).toSorted();
    expect(lines.map((line) => `${line}\r\n`).toSorted()).toEqual(rows);
    const objects = linesOf(await file(site, report, asked, 'ndjson'), '\n').map((line) => JSON.parse(line));
    expect(
      objects.map((item) => csvLine([...cells(item), item.population, item.over_quota])).toSorted(),
    ).toEqual(rows);
    const members = new Set([...chosen.map((name) => name.split('.')[0]), ...['population', 'over_quota']]);
    for (const item of objects) expect(new Set(Object.keys(item))).toEqual(members);

    for (const refused of [
      `${query}&columns=nothing,${named[0]}&format=csv`,
      `${query}&columns=${named[0]}`,
    ]) {
      const answer = await place.get(site, `${report.path}?${refused}`);
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { errors: [{ pointer: '/columns' }] },
      ]);
    }
  });

  it('is narrowed by its filters', async () => {
    const named = ['host', 'path', 'bot', 'vendor', 'intent', 'country'].filter((name) =>
      columns.some((column) => column.name === name),
    );
    for (const name of named) {
      const value = whole.items.map((item) => `${item[name]}`).find((text) => text.length > 1);
      // A group may leave it empty.
      if (value === undefined) continue;
      const { items, total } = await ask(report, query, 'limit=200', `${name}=${encodeURIComponent(value)}`);
      if (list.paging === 'numbers') expect([name, total]).toEqual([name, items.length]);
      expect([name, items.length]).toEqual([
        name,
        whole.items.filter((item) =>
          name === 'path' ? `${item[name]}`.startsWith(value) : item[name] === value,
        ).length,
      ]);
    }
    expect(await ask(report, query, 'host=nowhere.example')).toMatchObject(NOTHING[list.paging]);
  });

  it('of nothing is a file with a head alone, or an empty one', async () => {
    const empty = place.site();
    const csv = await place.get(empty, `${report.path}?${query}&format=csv`);
    expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('Content-Disposition')).toMatch(
      new RegExp(`^attachment; filename="[a-z0-9.-]+-${report.name}-\\d{4}-\\d\\d-\\d\\d[a-z0-9-]*\\.csv"$`),
    );
    expect((await csv.text()).split('\r\n')).toHaveLength(2);
    expect(await file(empty, report, query, 'ndjson')).toBe('');
  });

  it('asked for as a file with HEAD takes no place from the exports of others', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const head = await place.head(site, `${report.path}?${query}&format=csv`);
      expect([head.status, head.headers.get('X-Time-Zone'), await head.text()]).toEqual([200, 'UTC', '']);
    }
    expect(await file(site, report, query, 'csv')).toContain(',population,over_quota\r\n');
  });

  it('names and describes each column of its files', () => {
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    expect(new Set(columns.map(({ title }) => title)).size).toBe(columns.length);
    for (const { title, type, unit } of columns) {
      expect(title).toMatch(/^[A-Z].{1,60}$/);
      if (type === 'number') expect(unit).not.toBeNull();
    }
  });
});
