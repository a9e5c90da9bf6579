/** `npm run demo` as a newcomer meets it: real HTTP through the real collector in workerd, into the real service. */

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WORKER_VERSION } from '../../packages/collector/src/version.ts';
import { KINDS, type Kind } from '../../packages/server/src/alerts/kinds.ts';
import {
  offerWarehouse,
  SERVICE_RETENTION_DAYS,
} from '../../packages/server/src/warehouse/testing/warehouse.ts';
import { expectConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';

/** The first start writes 90 days of history; on two cores that others use too it may take long. */
const FIRST_START_MS = 300_000;
const WAIT = { timeout: 30_000, interval: 200 };

interface Row {
  readonly class: string;
  readonly source: string;
  readonly host: string;
  readonly path: string;
  readonly user_agent: string;
  readonly verified: boolean | null;
  readonly verified_by: string;
  readonly referrer_engine: string;
  readonly worker_version: string;
  readonly country: string;
  readonly asn: number;
  readonly status: number;
}

/** The demo's property. */
async function propertyOf(service: TestService): Promise<string> {
  const { body } = await service.api('GET', '/api/v1/properties');
  const { items } = body as { items: { id: string; name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(['Demo shop']);
  return items[0]?.id ?? '';
}

/** What the live visitors brought. */
async function rowsOf(service: TestService, id: string, from = historyOf(service).until): Promise<Row[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${id}/hits?format=ndjson&from=${from}`);
  return String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const isPositive = (value: unknown): boolean => Number(value) > 0;

/** What the demo wrote down of its own past. */
const historyOf = (service: TestService) =>
  JSON.parse(readFileSync(join(service.home, 'demo-history.json'), 'utf8')) as {
    days: number;
    until: string;
    hits: number;
  };

/** Rows of the closed days, as all senders brought them, and which of these days no run has counted. */
async function closedDays(service: TestService, id: string): Promise<{ rows: number; uncounted: string[] }> {
  const path = `/api/v1/properties/${id}/reports/collectors`;
  const { body } = await service.api(
    'GET',
    `${path}?from=${daysAgo(95).slice(0, 10)}&to=${daysAgo(1).slice(0, 10)}`,
  );
  const { hosts, partial_days: uncounted } = body as { hosts: { hits: number }[]; partial_days: string[] };
  return { rows: hosts.reduce((sum, { hits }) => sum + hits, 0), uncounted };
}

/** Where the demo says that the shop is. */
const shopOf = (service: TestService): string =>
  /Demo shop +(http:\/\/localhost:\d+),/g.exec(service.log)?.[1] ?? 'nowhere';

describe('the demo', () => {
  const service = new TestService({}, 'demo');
  afterAll(async () => {
    // In order, so that the edge's runtime goes too.
    await service.stop();
    await service.dispose();
  });

  beforeAll(async () => {
    const starting = service.start();
    // The address meanwhile shows the progress.
    await vi.waitFor(() => expect(service.log).toContain('where the dashboard will be'), WAIT);
    const [, address = ''] = /^ +(http:\/\/localhost:\d+), where/m.exec(service.log) ?? [];
    const told = await fetch(address);
    expect([told.status, await told.json()]).toMatchObject([503, { progress: {} }]);
    await starting;
    expect(new URL(service.address).port).toBe(new URL(address).port);
  }, FIRST_START_MS);

  it('shows 90 days on the first visit, so that no page is empty', async () => {
    const id = await propertyOf(service);
    const told = historyOf(service);
    expect(told.days).toBe(90);
    expect(told.hits).toBeGreaterThan(100_000);
    expect(told.hits).toBeLessThan(140_000);
    expect(existsSync(`${service.home}.loading`)).toBe(false);
    const first = new Date(Date.parse(told.until) - 89 * DAY_MS).toISOString().slice(0, 10);
    const report = async (name: string, query = '') => {
      const { status, body } = await service.api(
        'GET',
        `/api/v1/properties/${id}/reports/${name}?from=${first}&${query}`,
      );
      expect(status, name).toBe(200);
      return body as Record<string, unknown> & { items: Record<string, unknown>[] };
    };
    const bots = await report('bots');
    expect(bots.items.length).toBeGreaterThanOrEqual(17);
    // The last 28 days against those before, which are of the past too: no change comes from where it begins.
    const { body } = await service.api('GET', `/api/v1/properties/${id}/reports/bots?compare=previous`);
    const { change } = (body as { totals: { change: number } }).totals;
    expect(change).toBeGreaterThan(0);
    expect(change).toBeLessThan(0.5);
    expect((bots['series'] as { hits: number }[]).filter(({ hits }) => hits > 100).length).toBeGreaterThan(
      88,
    );
    expect(bots.items).toContainEqual(expect.objectContaining({ bot: 'MistralAI-User', is_new: true }));
    const trust = await report('trust');
    expect(trust['totals']).toMatchObject({
      methods: {
        signature: expect.toSatisfy(isPositive),
        edge_cidr: expect.toSatisfy(isPositive),
        edge_platform: expect.toSatisfy(isPositive),
        server_cidr: expect.toSatisfy(isPositive),
      },
    });
    for (const list of ['pages', 'failures', 'referrals', 'trust/sources', 'funnel'])
      expect((await report(list)).items.length, list).toBeGreaterThan(0);
    for (const kind of ['client_error', 'server_error', 'redirect'])
      expect((await report('failures', `kind=${kind}`)).items.length, kind).toBeGreaterThan(0);
    expect((await report('failures'))['fix_first']).not.toEqual([]);
    expect((await report('pages', 'group=folder&prefix=/')).items).toContainEqual(
      expect.objectContaining({ folder: '/lexicon/', is_folder: true }),
    );
    expect(await report('ai-share')).toMatchObject({ pages: { state: 'ok' }, requests: { state: 'ok' } });
    expect(await report('overview')).toMatchObject({
      new_bots: [expect.objectContaining({ bot: 'MistralAI-User' })],
      conversions: { available: true },
    });
    expect((await report('collectors'))['versions']).toMatchObject([
      { version: WORKER_VERSION, stale: false },
      { stale: true, hosts: ['journal.shop.example'] },
    ]);
    // The sitemap is read in the background.
    await vi.waitFor(async () => {
      const unread = (await report('pages/unread')).items.map(({ path }) => path);
      expect(unread).toEqual(expect.arrayContaining(['/cart', '/contact', '/lexicon/wash']));
      expect(unread.length).toBeLessThan(12);
    }, WAIT);
  });

  it('has orders of many channels, and deliveries in every state, to platforms that are said to be pretended', async () => {
    const path = `/api/v1/properties/${await propertyOf(service)}`;
    const list = async (name: string, query: string) =>
      ((await service.api('GET', `${path}/${name}?${query}`)).body as { items: Record<string, string>[] })
        .items;
    const { body } = await service.api(
      'GET',
      `${path}/reports/attribution?from=${daysAgo(91)}&to=${daysAgo(-1)}`,
    );
    const channels = JSON.stringify(body);
    for (const channel of ['ai_assistant', 'paid_search', 'organic_search', 'email', 'direct'])
      expect(channels).toContain(`"${channel}"`);
    expect(await list('conversions', 'matched=false')).not.toEqual([]);
    expect(await list('conversions', 'topic=refund')).not.toEqual([]);
    for (const { name = '' } of await list('destinations', '')) expect(name).toContain('(demo');
    for (const state of ['delivered', 'dead', 'retry', 'pending', 'skipped', 'unknown'])
      expect(await list('deliveries', `status=${state}`), state).not.toEqual([]);
    expect(await list('deliveries', 'reason=consent_denied')).not.toEqual([]);
    const kinds = (await list('alerts', 'limit=100')).map(({ kind }) => kind);
    // One of each, and nothing that was not meant to be; fakes come in a wave on two evenings. The demo has no quota.
    const meant = KINDS.filter((kind) => kind !== 'quota');
    expect(kinds.toSorted()).toEqual([...meant, 'spoof_surge'].sort());
  });

  it('has lists as fresh as its verdicts take them for', async () => {
    const { sources } = (await service.api('GET', '/api/v1/lists')).body as {
      sources: { kind: string; entries: number; as_of: string | null; error: string | null }[];
    };
    const copied = sources.filter(({ entries }) => entries > 0);
    expect(copied.length).toBeGreaterThan(0);
    for (const { as_of, error } of copied)
      expect([[daysAgo(0), daysAgo(1)].map((day) => day.slice(0, 10)), error]).toEqual([
        expect.arrayContaining([as_of]),
        null,
      ]);
  });

  it('has alerts that say what the reports say: who came first and when, and the most of each', async () => {
    const path = `/api/v1/properties/${await propertyOf(service)}`;
    const { items } = (await service.api('GET', `${path}/alerts?limit=100`)).body as {
      items: { kind: Kind; subject: string; at: string; figures: { now: number } }[];
    };
    const { items: rules } = (await service.api('GET', `${path}/alerts/rules/history`)).body as {
      items: { kind: Kind; days: { day: string; value: number | null }[] }[];
    };
    const alert = (kind: Kind) => items.filter((one) => one.kind === kind);
    const charted = (kind: Kind, day: string): number =>
      Number(rules.find((rule) => rule.kind === kind)?.days.find((one) => one.day === day)?.value ?? 0);
    // The chart has whole hours, an alert those that end at each look.
    for (const { at, figures } of alert('spoof_surge')) {
      const most = charted('spoof_surge', at.slice(0, 10));
      expect([most > 200, figures.now >= most]).toEqual([true, true]);
    }
    const [bot] = alert('new_bot');
    const report = await service.api('GET', `${path}/reports/bots?bot=${bot?.subject}`);
    const [{ first_seen: first = '' } = {}] = (report.body as { items: { first_seen: string }[] }).items;
    const late = Date.parse(bot?.at ?? '') - Date.parse(first);
    expect([late > 0, late <= 6 * MINUTE_MS]).toEqual([true, true]);
  });

  it('brings every kind of visit from the edge, and log push beside it', async () => {
    const id = await propertyOf(service);
    await vi.waitFor(async () => {
      const rows = await rowsOf(service, id);
      const edge = rows.filter(({ source }) => source === 'edge_worker');
      expect(new Set(edge.map(({ host }) => host))).toEqual(new Set(['shop.example']));
      expect(new Set(edge.map(({ worker_version }) => worker_version))).toEqual(new Set([WORKER_VERSION]));
      expect(edge).toContainEqual(
        expect.objectContaining({
          ...{ class: 'ai_bot', verified: true, verified_by: 'edge_cidr' },
          country: expect.stringMatching(/^[A-Z]{2}$/),
        }),
      );
      expect(edge).toContainEqual(expect.objectContaining({ class: 'ai_bot', verified: false }));
      expect(edge).toContainEqual(
        expect.objectContaining({
          ...{ class: 'ai_referral', verified: null },
          referrer_engine: expect.stringMatching(/^[A-Z]/),
        }),
      );
      expect(rows).toContainEqual(
        expect.objectContaining({ source: 'edge_logpush', host: 'help.shop.example' }),
      );
    }, WAIT);
  });

  it('shows what a newcomer does with curl, as spoofed', async () => {
    await vi.waitFor(() => expect(service.log).toContain('Stop with Ctrl+C.'), WAIT);
    const shop = shopOf(service);
    expect(service.log).toContain(`curl -A "GPTBot/1.3" ${shop}/products/ghost-light`);
    const answer = await fetch(`${shop}/products/ghost-light`, { headers: { 'User-Agent': 'GPTBot/1.3' } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<h1>Ghost light</h1>');
    const id = await propertyOf(service);
    await vi.waitFor(async () => {
      const { body } = await service.api('GET', `/api/v1/properties/${id}/live?limit=500&class=ai_bot`);
      expect((body as { items: Row[] }).items).toContainEqual(
        expect.objectContaining({
          user_agent: 'GPTBot/1.3',
          bot_name: 'GPTBot',
          host: 'shop.example',
          path: '/products/ghost-light',
          status: 200,
          verified: false,
        }),
      );
    }, WAIT);
  });

  it('publishes tools to agents, which fetch them at the edge', async () => {
    const answer = await fetch(`${shopOf(service)}/.well-known/webmcp.json`);
    expect(answer.headers.get('x-webmcp-cache')).toMatch(/^(?:HIT|MISS)$/);
    const manifest = (await answer.json()) as { hosts: string[]; tools: { name: string }[] };
    expect(manifest.hosts).toEqual(['shop.example']);
    expect(manifest.tools.map(({ name }) => name)).toEqual([
      'search_products',
      'add_to_cart',
      'ask_the_shop',
    ]);
    const verified = await service.run([
      ...['manifest', 'verify', `${shopOf(service)}/.well-known/webmcp.json`],
      ...['--trust', service.address, '--host', 'shop.example'],
    ]);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    const path = `/api/v1/properties/${await propertyOf(service)}/webmcp`;
    expect((await service.api('POST', `${path}/status`)).body).toMatchObject({
      items: [{ host: 'shop.example', state: 'current' }],
    });
    await vi.waitFor(async () => {
      const { total } = (await service.api('GET', `${path}/fetches`)).body as { total: number };
      expect(total).toBeGreaterThan(0);
    }, WAIT);
  });

  it('goes on where it was after a restart: one property, one key, one publication, and nothing lost', async () => {
    const id = await propertyOf(service);
    const { rows } = await closedDays(service, id);
    expect(rows).toBeGreaterThan(0.95 * historyOf(service).hits);
    expect(rows).toBeLessThanOrEqual(historyOf(service).hits);
    expect(await service.stop()).toBe(0);
    await service.start();
    // The counts of the start before are still there: this start's visitors must add to them.
    const received = async () =>
      (await service.metrics()).get('ghostlight_hits_received_total{endpoint="edge_worker"}') ?? 0;
    const before = await received();
    await vi.waitFor(async () => expect(await received()).toBeGreaterThan(before), WAIT);
    const keys = (await service.api('GET', '/api/v1/ingest-keys')).body as { items: unknown[] };
    expect(keys.items).toMatchObject([{ name: 'Demo replay', revoked_at: null }]);
    expect((await service.api('GET', `/api/v1/properties/${id}/webmcp`)).body).toMatchObject({
      state: 'published',
      published: { version: 1 },
    });
    expect(statSync(join(service.home, 'demo-key')).mode & 0o777).toBe(0o600);
    expect(await propertyOf(service)).toBe(id);
    expect(service.log.split('of a made-up past').length).toBe(2);
    // Closed days are counted after a start, the newest first, and hold what they held.
    await vi.waitFor(async () => {
      const { rows: standing, uncounted } = await closedDays(service, id);
      expect(standing).toBe(rows);
      expect(uncounted).not.toContain(daysAgo(1).slice(0, 10));
    }, WAIT);
    await expectConservation(service);
    expect(service.log).not.toContain('The visitors stopped');
    expect(service.log).not.toContain('could not be counted');
    expect(service.log).not.toContain('ghostlight: ');
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
    const shop = shopOf(service);
    expect(await service.stop()).toBe(0);
    await expect(fetch(shop)).rejects.toThrow();
  });
});

it('without its runtime the demo says in one sentence what still works, and goes on', async () => {
  const service = new TestService({ MINIFLARE_WORKERD_PATH: '/bin/false' }, 'demo');
  // As one that was made before there was a history.
  mkdirSync(service.home);
  offerWarehouse(service.home, SERVICE_RETENTION_DAYS);
  try {
    await service.start();
    expect(service.log).toContain('has no past');
    await vi.waitFor(() => expect(service.log).toContain("The edge collector can't run here"), WAIT);
    expect(service.log).not.toContain('Demo shop  ');
    const id = await propertyOf(service);
    await vi.waitFor(async () => {
      expect(await rowsOf(service, id, daysAgo(1))).toContainEqual(
        expect.objectContaining({ source: 'edge_logpush' }),
      );
    }, WAIT);
    expect(await service.stop()).toBe(0);
  } finally {
    await service.dispose();
  }
});
