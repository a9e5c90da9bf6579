import { type BotLists, embeddedLists } from '@ghostlight/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../testing/edge.ts';
import { createInternet, SERVICE_HOST, type Site } from '../testing/internet.ts';
import { snapshotLists } from './snapshot.ts';

/** Isolates by name in one real isolate: they share nothing but the data centre's cache. */
const ENTRY = `
import { createLists } from './lists/index.ts';
import { openEdgeCache } from './platform.ts';
const isolates = new Map();
let time = 0;
const half = () => new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array(9)); controller.error(new Error('cut')); } });
const CACHES = {
  real: openEdgeCache,
  none: async () => null,
  hangs: async () => ({ match: () => new Promise(() => {}) }),
  breaks: async () => ({
    match: async () => new Response(half(), { headers: { 'x-ghostlight-read-at': String(time) } }),
    put: () => Promise.reject(new Error('full')),
    delete: () => Promise.reject(new Error('locked')),
  }),
};
function isolate(name, { random, cache }) {
  if (!isolates.has(name)) {
    const log = [];
    const openCache = CACHES[cache];
    const lists = createLists({ fetch, openCache, now: () => time, random: () => random, log: (line) => log.push(line) });
    isolates.set(name, { lists, log });
  }
  return isolates.get(name);
}
const seen = ({ origin, compiled }) => ({ origin, version: compiled.version, bot: compiled.tokens.match('GPTBot/1.3')?.bot_name ?? null });
export default { async fetch(request) {
  const order = await request.json();
  time = order.now;
  const { lists, log } = isolate(order.isolate, order);
  const keys = [];
  if (order.plant !== undefined) {
    const spy = { match: async (key) => void keys.push(key), put: async () => {}, delete: async () => true };
    await createLists({ fetch: () => Promise.reject(), openCache: async () => spy, now: () => time, random: () => 0, log: () => {} }).renewed(order.source);
    const headers = { 'cache-control': 'max-age=1000', 'x-ghostlight-read-at': String(time) };
    await (await openEdgeCache()).put(keys[0], new Response(order.plant, { headers }));
  }
  const visits = Array.from({ length: order.visits }, () => lists.renewed(order.source));
  const during = seen(lists.current());
  const after = await Promise.all(visits);
  const compiled = new Set(after.map((lists) => lists.compiled)).size;
  const isPlanted = keys[0] !== undefined && (await (await openEdgeCache()).match(keys[0])) !== undefined;
  return Response.json({ during, visits: after.map(seen), compiled, isPlanted, log });
} };`;

interface Seen {
  origin: string;
  version: number;
  bot: string | null;
}

const START = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3600_000;
const MINUTE = 60_000;
const SERVED = 1_000;
const list = (version = SERVED): BotLists => ({ ...embeddedLists(), version });
const EMBEDDED = { origin: 'embedded', version: snapshotLists().version, bot: 'GPTBot' };
const served = (version = SERVED) => ({ origin: 'served', version, bot: 'GPTBot' });

const internet = createInternet();
let edge: Edge;
let site = 0;
beforeAll(async () => {
  edge = await startEdge({ entry: ENTRY, internet });
});
afterAll(() => edge.close());
beforeEach(() => {
  site++;
  service(() => Response.json(list(), { headers: { etag: '"one"' } }));
});

const service = (answer: Site): void => internet.on(SERVICE_HOST, answer);
/** What the service was asked in this test: each has a list URL of its own, so that no two share a copy. */
const asked = () => internet.requestsTo(SERVICE_HOST).filter(({ path }) => path === `/lists/${site}`);

interface Order {
  readonly isolate?: string;
  readonly now?: number;
  readonly visits?: number;
  readonly random?: number;
  readonly cache?: 'real' | 'none' | 'hangs' | 'breaks';
  readonly plant?: string;
}

interface Visited {
  readonly during: Seen;
  readonly visits: readonly Seen[];
  /** How many lists were compiled for them. */
  readonly compiled: number;
  readonly isPlanted: boolean;
  readonly log: readonly string[];
}

async function visit(order: Order = {}): Promise<Visited> {
  const source = { botlistUrl: `https://${SERVICE_HOST}/lists/${site}`, siteOrigin: 'https://shop.example' };
  const isolate = `${site} ${order.isolate ?? 'a'}`;
  const body = { now: START, visits: 1, random: 0.5, cache: 'real', ...order, isolate, source };
  const answer = await edge.visit('https://shop.example/', { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Visited;
}

describe('lists at the edge', () => {
  it('are those of the embedded snapshot until the served list is there', async () => {
    const { during, visits, log } = await visit();
    expect(during).toEqual(EMBEDDED);
    expect(visits).toEqual([served()]);
    expect(log).toEqual([]);
    expect(asked()).toHaveLength(1);
    expect(asked()[0]?.headers.has('if-none-match')).toBe(false);
    expect((await visit({ now: START + 5 * HOUR })).during).toEqual(served());
    expect(asked()).toHaveLength(1);
  });

  it("take the data centre's copy in a cold isolate, without asking the service", async () => {
    await visit();
    const { during, visits } = await visit({ isolate: 'b', now: START + HOUR });
    expect(during).toEqual(EMBEDDED);
    expect(visits).toEqual([served()]);
    expect(asked()).toHaveLength(1);
    // The copy is as old as it was: it is due six hours after the service spoke, not after it was copied.
    await visit({ isolate: 'b', now: START + 6.1 * HOUR });
    expect(asked()).toHaveLength(2);
  });

  it('ask again when due, with the ETag, and let a 304 prolong memory and copy', async () => {
    await visit();
    await visit({ isolate: 'b' });
    service(() => new Response(null, { status: 304 }));
    expect((await visit({ now: START + 6.1 * HOUR })).visits).toEqual([served()]);
    expect(asked()[1]?.headers.get('if-none-match')).toBe('"one"');
    expect((await visit({ isolate: 'b', now: START + 12 * HOUR })).visits).toEqual([served()]);
    await visit({ now: START + 12 * HOUR });
    expect((await visit({ isolate: 'c', now: START + 12 * HOUR })).visits).toEqual([served()]);
    expect(asked()).toHaveLength(2);
  });

  it('take over what another isolate has renewed', async () => {
    await visit();
    await visit({ isolate: 'b' });
    service(() => Response.json(list(SERVED + 1), { headers: { etag: '"two"' } }));
    await visit({ now: START + 7 * HOUR });
    expect((await visit({ isolate: 'b', now: START + 8 * HOUR })).visits).toEqual([served(SERVED + 1)]);
    expect(asked()).toHaveLength(2);
  });

  it('are due six hours later, give or take a tenth', async () => {
    await visit({ random: 0 });
    await visit({ now: START + 5.39 * HOUR });
    expect(asked()).toHaveLength(1);
    await visit({ now: START + 5.41 * HOUR });
    expect(asked()).toHaveLength(2);
  });

  it.each<[string, Site]>([
    ['a page', () => new Response('<html>')],
    ['an empty list', () => Response.json({ ...list(2_000), bot_patterns: [] })],
    ['another shape', () => Response.json({ ...list(2_000), ip_ranges: 'none' })],
    ['not found', () => new Response('{}', { status: 404 })],
    ['a failure', () => new Response(null, { status: 503 })],
    ['a redirect', () => Response.redirect(`https://${SERVICE_HOST}/elsewhere`, 302)],
    ['no answer', () => undefined],
    ['an unrequested 304', () => new Response(null, { status: 304 })],
    [
      'more than 2 MiB',
      () =>
        Response.json({ ...list(2_000), note: 'x'.repeat(2 * 1024 * 1024) }, { headers: { etag: '"big"' } }),
    ],
  ])(
    'keep the good one when the service answers with %s, and ask again after five minutes',
    async (_, bad) => {
      service(bad);
      const cold = await visit();
      expect(cold.visits).toEqual([EMBEDDED]);
      expect(cold.log).toHaveLength(1);
      expect(cold.log[0]).toMatch(/^the bot list could not be renewed \(.+\); the one in use stays$/);
      await visit({ now: START + 4 * MINUTE });
      expect(asked()).toHaveLength(1);

      service(() => Response.json(list()));
      expect((await visit({ now: START + 6 * MINUTE })).visits).toEqual([served()]);
      service(bad);
      const warm = { now: START + 7 * HOUR };
      // Without an ETag of ours a 304 is as wrong as before.
      expect((await visit(warm)).visits).toEqual([served()]);
      await visit({ now: warm.now + 4 * MINUTE });
      expect(asked()).toHaveLength(3);
      await visit({ now: warm.now + 6 * MINUTE });
      expect(asked()).toHaveLength(4);
      expect(internet.requestsTo(SERVICE_HOST).some(({ path }) => path === '/elsewhere')).toBe(false);
    },
  );

  it('are asked for once by a burst in a cold data centre', async () => {
    const { visits } = await visit({ visits: 20 });
    expect(asked()).toHaveLength(1);
    expect(visits.filter(({ origin }) => origin === 'served')).not.toHaveLength(0);
  });

  it('are there for every visit of a burst in a cold isolate when the data centre has a copy', async () => {
    await visit();
    const { visits, compiled } = await visit({ isolate: 'b', visits: 20, now: START + HOUR });
    expect(visits).toEqual(new Array(20).fill(served()));
    expect(compiled).toBe(1);
    expect(asked()).toHaveLength(1);
  });

  it('are still looked for in the cache while the service is down', async () => {
    service(() => undefined);
    await visit({ isolate: 'b' });
    service(() => Response.json(list()));
    await visit();
    expect((await visit({ isolate: 'b', now: START + MINUTE })).visits).toEqual([served()]);
  });

  it('prefer a copy past its time to the embedded snapshot', async () => {
    await visit();
    service(() => new Response(null, { status: 503 }));
    const { visits } = await visit({ isolate: 'b', now: START + 72 * HOUR });
    expect(visits).toEqual([served()]);
    expect(asked()[1]?.headers.get('if-none-match')).toBe('"one"');
  });

  it('throw away a copy that can not be read', async () => {
    service(() => undefined);
    const { visits, isPlanted } = await visit({ plant: '{"version":' });
    expect(visits).toEqual([EMBEDDED]);
    expect(isPlanted).toBe(false);
    expect(await visit({ isolate: 'b', plant: JSON.stringify(list()) })).toMatchObject({
      visits: [served()],
      isPlanted: true,
    });
  });

  it('do not take a copy from the future, which would never be due', async () => {
    await visit();
    await visit({ isolate: 'b', now: START - 5 * HOUR });
    expect(asked()).toHaveLength(2);
  });

  it('do without a cache, and with one that breaks', async () => {
    expect((await visit({ cache: 'none' })).visits).toEqual([served()]);
    expect((await visit({ cache: 'none', isolate: 'b' })).visits).toEqual([served()]);
    expect((await visit({ cache: 'breaks', isolate: 'c' })).visits).toEqual([served()]);
    expect(asked()).toHaveLength(3);
  });

  it('wait neither for a service nor for a cache that never answers', async () => {
    let release = (): void => {};
    service(
      () =>
        new Promise((resolve) => {
          release = () => resolve(undefined);
        }),
    );
    const waits = await Promise.all([visit(), visit({ isolate: 'b', cache: 'hangs' })]);
    release();
    for (const { visits } of waits) expect(visits).toEqual([EMBEDDED]);
  });
});
