/** `npm run demo` as a newcomer meets it: real HTTP through the real collector in workerd, into the real service. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { WORKER_VERSION } from '../../packages/collector/src/version.ts';
import { expectConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';

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
  readonly weight: number;
}

/** The demo's property. */
async function propertyOf(service: TestService): Promise<string> {
  const { body } = await service.api('GET', '/api/v1/properties');
  const { items } = body as { items: { id: string; name: string }[] };
  expect(items.map(({ name }) => name)).toEqual(['Demo shop']);
  return items[0]?.id ?? '';
}

async function rowsOf(service: TestService, id: string): Promise<Row[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${id}/hits?format=ndjson`);
  return String(body)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
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

  it('brings every kind of visit from the edge, and log push beside it', async () => {
    await service.start();
    const id = await propertyOf(service);
    await vi.waitFor(async () => {
      const rows = await rowsOf(service, id);
      const edge = rows.filter(({ source }) => source === 'edge_worker');
      expect(new Set(edge.map(({ host }) => host))).toEqual(new Set(['shop.example']));
      expect(new Set(edge.map(({ worker_version }) => worker_version))).toEqual(new Set([WORKER_VERSION]));
      expect(edge).toContainEqual(
        expect.objectContaining({ class: 'ai_bot', verified: true, verified_by: 'edge_cidr', country: 'US' }),
      );
      expect(edge).toContainEqual(expect.objectContaining({ class: 'ai_bot', verified: false }));
      expect(edge).toContainEqual(
        expect.objectContaining({ class: 'ai_referral', referrer_engine: 'ChatGPT', verified: null }),
      );
      expect(edge).toContainEqual(expect.objectContaining({ class: 'sample', weight: 5 }));
      expect(rows).toContainEqual(
        expect.objectContaining({ source: 'edge_logpush', host: 'help.shop.example' }),
      );
    }, WAIT);
  }, 60_000);

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
  }, 60_000);

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
  }, 60_000);

  it('goes on where it was after a restart: one property, one key, one publication, and nothing lost', async () => {
    for (let start = 1; start <= 2; start += 1) {
      expect(await service.stop()).toBe(0);
      await service.start();
      // The counts of the starts before are still there: this start's visitors must add to them.
      const received = async () =>
        (await service.metrics()).get('ghostlight_hits_received_total{endpoint="edge_worker"}') ?? 0;
      const before = await received();
      await vi.waitFor(async () => expect(await received()).toBeGreaterThan(before), WAIT);
    }
    const id = await propertyOf(service);
    const keys = (await service.api('GET', '/api/v1/ingest-keys')).body as { items: unknown[] };
    expect(keys.items).toMatchObject([{ name: 'Demo replay', revoked_at: null }]);
    expect((await service.api('GET', `/api/v1/properties/${id}/webmcp`)).body).toMatchObject({
      state: 'published',
      published: { version: 1 },
    });
    expect(statSync(join(service.home, 'demo-key')).mode & 0o777).toBe(0o600);
    await expectConservation(service);
    expect(service.log).not.toContain('The replay stopped');
    expect(service.log).not.toContain('ghostlight: ');
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
    const shop = shopOf(service);
    expect(await service.stop()).toBe(0);
    await expect(fetch(shop)).rejects.toThrow();
  }, 120_000);
});

it('without its runtime the demo says in one sentence what still works, and goes on', async () => {
  const service = new TestService({ MINIFLARE_WORKERD_PATH: '/bin/false' }, 'demo');
  try {
    await service.start();
    await vi.waitFor(() => expect(service.log).toContain("The edge collector can't run here"), WAIT);
    expect(service.log).not.toContain('Demo shop  ');
    const id = await propertyOf(service);
    await vi.waitFor(async () => {
      expect(await rowsOf(service, id)).toContainEqual(expect.objectContaining({ source: 'edge_logpush' }));
    }, WAIT);
    expect(await service.stop()).toBe(0);
  } finally {
    await service.dispose();
  }
}, 60_000);
