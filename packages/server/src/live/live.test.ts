import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredHit } from '@ghostlight/core';
import { serve } from '@hono/node-server';
import fc from 'fast-check';
import { Hono } from 'hono';
import { afterAll, describe, expect, it } from 'vitest';
import { type ApiEnv, csvLine, DEFAULT_ORGANIZATION_ID as O, ServiceError } from '../common/index.ts';
import { hitSink, type StoredEvent, toEventRow } from '../warehouse/index.ts';
import { silent as log, makeBatch, makeHit, openTestWarehouse } from '../warehouse/testing/warehouse.ts';
import { EVENT_FIELDS, EXPORT_FIELDS } from './export.ts';
import { createLiveHub } from './index.ts';
import { liveRoutes } from './routes.ts';

const { warehouse, close } = await openTestWarehouse();
const sink = hitSink(warehouse);
const hub = createLiveHub({ clock: Date.now, log, pollMs: 100, heartbeatMs: 200, maxStreamsPerProperty: 2 });
const known = new Set<string>();
const properties = {
  get: async (_scope: unknown, id: string) => {
    if (!known.has(id)) throw new ServiceError('not_found', 'There is no such property.');
    return {
      id,
      organizationId: O,
      name: 'Shop',
      domain: 'shop.example',
      timeZone: 'UTC',
      searchEngines: false,
      zoneSince: null,
      recountAskedAt: null,
      createdAt: 0,
      updatedAt: 0,
    };
  },
};
const app = new Hono<ApiEnv>();
app.onError((error) =>
  error instanceof ServiceError
    ? new Response(error.code, {
        status: error.code === 'unavailable' ? 503 : error.code === 'invalid' ? 422 : 404,
      })
    : new Response('', { status: 500 }),
);
app.use((c, next) => {
  c.set('caller', { kind: 'root', role: 'owner', scope: { kind: 'all' }, actor: 'test' });
  return next();
});
app.route('/', liveRoutes({ properties, warehouse, hub, clock: Date.now, maxExports: 1 }));
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
await new Promise((resolve) => server.once('listening', resolve));
const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  hub.close();
  server.close();
  await close();
});

function property(): { url: string; put: (...values: Partial<StoredHit>[]) => Promise<void> } {
  const id = randomUUID();
  known.add(id);
  const scope = { organizationId: O, attributionIds: [id] as const };
  return {
    url: `${base()}/properties/${id}`,
    put: (...values) =>
      sink.insert(
        makeBatch(
          values.map((value) => makeHit(scope, { at: Date.now(), received_at: Date.now(), ...value })),
        ),
      ),
  };
}

async function paths(url: string): Promise<string[]> {
  const { items } = (await (await fetch(url)).json()) as { items: { path: string }[] };
  return items.map(({ path }) => path);
}

/** Reads a stream until `enough`; returns its text so far. */
async function listen(
  url: string,
  enough: (text: string) => boolean,
  { lastId = '', opened = () => {} }: { lastId?: string; opened?: () => void } = {},
): Promise<string> {
  const gone = new AbortController();
  const response = await fetch(url, {
    signal: gone.signal,
    headers: lastId === '' ? {} : { 'Last-Event-ID': lastId },
  });
  opened();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk);
    if (enough(text)) break;
  }
  gone.abort();
  return text;
}

describe('Live', () => {
  it('lists the newest arrivals first and filters them', async () => {
    const { url, put } = property();
    const now = Date.now();
    await put(
      { path: '/old', received_at: now - 31 * 60_000 },
      { path: '/bot', class: 'ai_bot', verified: false, received_at: now - 2_000 },
      { path: '/sample', class: 'sample', verified: null, received_at: now - 1_000, source: 'edge_logpush' },
      { path: '/search', class: 'search_engine', verified: true, received_at: now - 3_000 },
    );
    expect(await paths(`${url}/live`)).toEqual(['/sample', '/bot', '/search']);
    expect(await paths(`${url}/live?class=search_engine`)).toEqual(['/search']);
    expect(await paths(`${url}/live?verified=true`)).toEqual(['/search']);
    expect(await paths(`${url}/live?limit=1`)).toEqual(['/sample']);
    expect(await paths(`${url}/live?class=ai_bot,event`)).toEqual(['/bot']);
    expect(await paths(`${url}/live?class=ai_bot&class=sample`)).toHaveLength(2);
    expect(await paths(`${url}/live?class=event`)).toEqual([]);
    expect(await paths(`${url}/live?verified=false`)).toEqual(['/bot']);
    expect(await paths(`${url}/live?source=edge_logpush`)).toEqual(['/sample']);
    expect((await fetch(`${url}/live?class=nope`)).status).toBe(422);
    expect((await fetch(`${base()}/properties/${randomUUID()}/live`)).status).toBe(404);
  });

  it('counts the window per class and minute, with the same filters', async () => {
    const { url, put } = property();
    const now = Date.now();
    await put(
      ...Array.from({ length: 700 }, () => ({ received_at: now - 5_000, verified: true })),
      { received_at: now - 5_000, verified: false },
      { received_at: now - 6_000, class: 'sample' as const, verified: null, source: 'edge_logpush' as const },
      ...[true, false].map((verified) => ({
        ...{ received_at: now - 7_000, class: 'search_engine' as const, bot_name: 'Googlebot', verified },
      })),
      { received_at: now - 31 * 60_000 },
      // Of an import: it arrives now, and was last month.
      { received_at: now - 5_000, at: now - 30 * 86_400_000 },
      { received_at: now - 5_000, class: 'test' as const },
    );
    const ask = async (query = '') => (await fetch(`${url}/live/summary${query}`)).json();
    const whole = (await ask()) as { from: string; to: string; minutes: Record<string, number | string>[] };
    expect(whole).toMatchObject({
      totals: { ai_bot: 701, ai_referral: 0, sample: 1, search_engine: 2, event: 0, spoofed: 1 },
    });
    expect(Date.parse(whole.to) - Date.parse(whole.from)).toBe(30 * 60_000);
    expect(whole.minutes).toHaveLength(30);
    expect(whole.minutes.reduce((sum, { ai_bot }) => sum + Number(ai_bot), 0)).toBe(701);
    expect(Object.keys(whole.minutes[0] ?? {})).toEqual([
      'at',
      'ai_bot',
      'ai_referral',
      'sample',
      'search_engine',
      'event',
      'spoofed',
    ]);
    expect(String(whole.minutes[29]?.['at'])).toMatch(/:00\.000Z$/);
    expect(await ask('?class=sample')).toMatchObject({ totals: { ai_bot: 0, sample: 1, spoofed: 0 } });
    expect(await ask('?verified=false')).toMatchObject({
      totals: { ai_bot: 1, search_engine: 1, spoofed: 1 },
    });
    expect(await ask('?class=search_engine')).toMatchObject({
      totals: { ai_bot: 0, sample: 0, search_engine: 2, spoofed: 0 },
    });
    expect(await ask('?source=edge_logpush&class=ai_bot')).toMatchObject({
      totals: { ai_bot: 0, sample: 0 },
    });
    expect(await ask('?class=event')).toMatchObject({ totals: { ai_bot: 0, sample: 0, event: 0 } });
    expect((await fetch(`${url}/live/summary?class=nope`)).status).toBe(422);
    expect((await fetch(`${base()}/properties/${randomUUID()}/live/summary`)).status).toBe(404);
  });

  it('streams each arrival once, also one that becomes visible late, and resumes without loss', async () => {
    const { url, put } = property();
    const isOpen = Promise.withResolvers<void>();
    const first = listen(
      `${url}/live/stream`,
      (text) => text.includes('/late') && text.includes('still here'),
      { opened: isOpen.resolve },
    );
    await isOpen.promise;
    await put({ path: '/new' });
    await sleep(300);
    await put({ path: '/late', received_at: Date.now() - 5_000 });
    const text = await first;
    expect(text.match(/"path":"\/new"/g)).toHaveLength(1);
    expect(text.match(/"path":"\/late"/g)).toHaveLength(1);
    const lastId = text.match(/id: (\S+)/)?.[1] ?? '';
    await put({ path: '/missed' });
    expect(await listen(`${url}/live/stream`, (more) => more.includes('/missed'), { lastId })).toContain(
      '/missed',
    );
    await expect.poll(() => hub.size()).toBe(0);
  });

  it('holds a stream through a burst, and tells its reader that some of it was left out', async () => {
    const { url, put } = property();
    const burst = () => put(...Array.from({ length: 3_000 }, (_, index) => ({ path: `/burst/${index}` })));
    // In the overlap that a new feed reads again, and once more while a reader listens.
    await burst();
    let told = '';
    const heard = listen(`${url}/live/stream`, (text) => {
      told = text;
      return text.includes('/after');
    });
    // What is left out may be one of these: another follows until the reader has one.
    const putUntilTold = async (path: string) => {
      for (; !told.includes(path); await sleep(300)) await put({ path });
    };
    await putUntilTold('/second');
    await burst();
    await sleep(300);
    await putUntilTold('/after');
    const text = await heard;
    expect(text).toContain('event: cut');
    expect(text).toContain('"path":"/after"');
    await expect.poll(() => hub.size()).toBe(0);
  });

  it('refuses more readers than it can carry', async () => {
    const { url } = property();
    const readers = [await fetch(`${url}/live/stream`), await fetch(`${url}/live/stream`)];
    expect((await fetch(`${url}/live/stream`)).status).toBe(503);
    for (const { body } of readers) await body?.cancel();
    await expect.poll(() => hub.size()).toBe(0);
  });
});

describe('the export', () => {
  it('holds every field, as NDJSON and as CSV', async () => {
    const { url, put } = property();
    await put(
      { path: '=HYPERLINK("x")', user_agent: 'a,"b"', query_params: { q: '1' } },
      { class: 'sample' },
    );
    const lines = (await (await fetch(`${url}/hits?class=ai_bot`)).text()).trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([[...EXPORT_FIELDS]]);
    const csv = parseCsv(await (await fetch(`${url}/hits?format=csv&class=ai_bot`)).text());
    expect(csv[0]).toEqual([...EXPORT_FIELDS]);
    expect(csv[1]).toEqual(expect.arrayContaining([`'=HYPERLINK("x")`, 'a,"b"', '{"q":"1"}']));
    // The slot of a finished export is free again, and asking for the head alone takes none.
    expect((await fetch(`${url}/hits`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${url}/hits`)).status).toBe(200);
  });

  it('says at what rate a sample was taken, so that its weight can be counted again', async () => {
    const { url, put } = property();
    await put({ class: 'sample', sample_rate: 0.25, weight: 4 });
    const [line = ''] = (await (await fetch(`${url}/hits`)).text()).split('\n');
    expect(JSON.parse(line)).toMatchObject({ sample_rate: 0.25, weight: 4 });
  });

  it('of browser events holds what they count, and nothing that names or follows a person', async () => {
    const { url } = property();
    const event: StoredEvent = {
      ...{ id: randomUUID(), organization_id: O, attribution_id: url.slice(-36) },
      ...{ at: Date.now() - 1_000, received_at: Date.now(), event_name: 'purchase' },
      ...{ visitor_id: 'private', session_id: 'private', user_id: 'private', sdk_bot: false },
      ...{ bot_name: '', vendor: '', intent: '', host: 'shop.example', path: '/thanks' },
      ...{ query_params: { utm_source: 'chatgpt.com', gclid: 'private' }, title: 'private' },
      ...{ referrer: 'chatgpt.com', user_agent: '', language: 'de', timezone: 'Europe/Berlin' },
      ...{ conversion_id: 'private', value: '12.50', currency: 'EUR', params: '{"name":"private"}' },
      ...{ lib: 'sdk', lib_version: '1' },
    };
    await warehouse.insertRows('events', { async_insert: 0 }, Buffer.from(`${toEventRow(event)}\n`));
    const text = await (await fetch(`${url}/events`)).text();
    expect(text).not.toContain('private');
    const item = JSON.parse(text);
    expect(Object.keys(item)).toEqual([...EVENT_FIELDS]);
    expect(item).toMatchObject({
      event_name: 'purchase',
      value: '12.50',
      query_params: { utm_source: 'chatgpt.com' },
    });
    const csv = parseCsv(await (await fetch(`${url}/events?format=csv`)).text());
    expect([csv[0], csv.length]).toEqual([[...EVENT_FIELDS], 2]);
    expect(await (await fetch(`${url}/events?to=2020-01-01`)).text()).toBe('');
  });

  it('writes CSV that reads back as what it was, and starts no formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2 }), (cells) => {
        const [row = []] = parseCsv(csvLine(cells));
        expect(row.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ''))).toEqual(
          cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, '')),
        );
        for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});

/** RFC 4180, written without regard to how `csvLine` is. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') cell += text[i++];
      else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\r' && text[i + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      i++;
    } else cell += char;
  }
  return rows;
}
