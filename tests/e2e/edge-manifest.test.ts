/** The manifest from the owner's publication to an agent's verification, through the built collector in workerd and the real service. */
import { verifyManifest } from '@ghostlight/core/manifest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { type EdgeOptions, MANIFEST_PATH, startTestEdge, type TestEdge } from '../harness/edge.ts';
import { type Gate, startGate } from '../harness/gate.ts';
import { TestService } from '../harness/service.ts';

const WAIT = { timeout: 20_000, interval: 100 };
const MINUTE = 60_000;
const OWN_FILE = '{"of":"the site itself"}';
const NO_CACHE = { 'Cache-Control': 'no-cache' };
const declaration = (description: string) => ({
  hosts: ['shop.example'],
  tools: [
    {
      name: 'search_products',
      description,
      inputSchema: { query: 'string' },
      page: 'https://shop.example/search',
    },
  ],
});

/** The gate's address is the issuer's: it stays when the service comes back on another port. */
const environment: Record<string, string> = {};
const service = new TestService(environment);
let gate: Gate;
let property: { id: string; key: string };
/** Of the management API. */
let path: string;
const edges: TestEdge[] = [];

beforeAll(async () => {
  gate = await startGate(() => service.address);
  environment['BASE_URL'] = gate.address;
  await service.start();
});
beforeEach(async () => {
  // Of each test, so that none sees another's copies.
  property = await service.property();
  path = `/api/v1/properties/${property.id}/webmcp`;
});
afterEach(async () => {
  gate.decide(() => 'pass');
  for (const opened of edges.splice(0)) await opened.close();
});
afterAll(async () => {
  await gate.close();
  await service.dispose();
});

async function coldEdge(options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  const edge = await startTestEdge({ service: gate.address, property, kv: true, ...options });
  edges.push(edge);
  return edge;
}

async function publish(description = 'Full-text search.'): Promise<void> {
  expect((await service.api('PUT', path, declaration(description))).status).toBe(200);
}

interface Fetched {
  readonly state: string | null;
  readonly text: string;
  readonly headers: Record<string, string>;
}

async function ask(edge: TestEdge, headers: Record<string, string> = {}, ahead?: number): Promise<Fetched> {
  const answer = await edge.visit(MANIFEST_PATH, { headers, ...(ahead === undefined ? {} : { ahead }) });
  const own = Object.fromEntries(answer.headers);
  return { state: answer.headers.get('x-webmcp-cache'), text: await answer.text(), headers: own };
}

/** As an agent does it that trusts this service. @returns the tools' descriptions, or the error */
async function verified({ text }: Fetched): Promise<string> {
  const result = await verifyManifest(text, {
    host: 'shop.example',
    trust: [gate.address],
    fetchJwks: async (url) => (await fetch(url, { headers: NO_CACHE })).json(),
  });
  return result.ok ? result.manifest.tools.map(({ description }) => description).join() : result.error;
}

/** Until the copy that was just fetched is in the namespace: it is written after the answer. */
const kept = async (edge: TestEdge): Promise<void> =>
  void (await vi.waitFor(async () => {
    const entries = await (await edge.kv()).list();
    expect(entries.keys.map(({ name }) => name).sort()).toEqual([
      `webmcp:v1:${property.id}`,
      `webmcp:v1:${property.id}:stale`,
    ]);
  }, WAIT));

describe('a manifest at the edge', () => {
  it('is the service’s, with the headers that agents rely on, first from the service and then from the edge', async () => {
    await publish();
    const edge = await coldEdge();
    const first = await ask(edge);
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]+"$/),
      'x-webmcp-cache': 'MISS',
    });
    expect(await verified(first)).toBe('Full-text search.');
    await kept(edge);
    const second = await ask(edge);
    expect([second.state, second.text]).toEqual(['HIT', first.text]);
    const direct = await service.call('GET', `/api/v1/webmcp/${property.id}/manifest`);
    expect(JSON.parse(second.text)).toEqual(direct.body);
    const known = await edge.visit(MANIFEST_PATH, {
      headers: { 'If-None-Match': first.headers['etag'] ?? '' },
    });
    expect([known.status, await known.text()]).toEqual([304, '']);
  });

  it('is asked for each time where no namespace is bound', async () => {
    await publish();
    const edge = await coldEdge({ kv: false });
    expect([(await ask(edge)).state, (await ask(edge)).state]).toEqual(['MISS', 'MISS']);
    await publish('Another one.');
    expect(await verified(await ask(edge))).toBe('Another one.');
  });

  it('falls through to the site while nothing is published, after it was withdrawn, and where it is switched off', async () => {
    const edge = await coldEdge();
    expect((await ask(edge)).text).toBe(OWN_FILE);
    await publish();
    expect((await ask(edge)).state).toBe('MISS');
    await kept(edge);
    expect((await service.api('DELETE', path)).status).toBe(204);
    // By the next check: the copy is served for the last time.
    expect((await ask(edge, {}, MINUTE + 1)).state).toBe('HIT');
    await vi.waitFor(async () => expect((await ask(edge)).text).toBe(OWN_FILE), WAIT);
    await publish();
    const off = await coldEdge({ variables: { SERVICE_MANIFEST_URL: '' } });
    const answer = await ask(off);
    expect([answer.state, answer.text]).toEqual([null, OWN_FILE]);
  });

  it('outlives the service where a namespace keeps it; without one the site’s own file is there', async () => {
    await publish();
    const edge = await coldEdge();
    const bare = await coldEdge({ kv: false });
    const before = await ask(edge);
    expect((await ask(bare)).state).toBe('MISS');
    await kept(edge);
    await service.stop('SIGKILL');
    try {
      expect([(await ask(edge)).state, (await ask(bare)).text]).toEqual(['HIT', OWN_FILE]);
      // What an hour does: the first entry is gone, the second is for outages.
      await (await edge.kv()).delete(`webmcp:v1:${property.id}`);
      const stale = await ask(edge);
      expect([stale.state, stale.text]).toEqual(['STALE', before.text]);
    } finally {
      await service.start();
    }
    expect((await ask(edge)).state).toBe('MISS');
    expect(await verified(await ask(edge))).toBe('Full-text search.');
  });
});

describe('after Rotate keys', () => {
  async function rotatedBehind(edge: TestEdge): Promise<Fetched> {
    await publish();
    const old = await ask(edge);
    expect(await verified(old)).toBe('Full-text search.');
    await kept(edge);
    expect((await service.api('POST', `${path}/rotate-keys`)).status).toBe(200);
    return old;
  }

  it('the old copy fails at once, and an agent that asks past the cache has the new one at once', async () => {
    const edge = await coldEdge();
    const old = await rotatedBehind(edge);
    const cached = await ask(edge);
    expect([cached.state, cached.text]).toEqual(['HIT', old.text]);
    expect(await verified(cached)).toBe('unknown_key');
    const renewed = await ask(edge, NO_CACHE);
    expect(renewed.state).toBe('REVALIDATED');
    expect(await verified(renewed)).toBe('Full-text search.');
    // For all who come after it.
    await vi.waitFor(async () => {
      const next = await ask(edge);
      expect([next.state, next.text]).toEqual(['HIT', renewed.text]);
    }, WAIT);
  });

  it('the edge finds out by itself within two minutes, in the background', async () => {
    const edge = await coldEdge();
    const old = await rotatedBehind(edge);
    expect((await ask(edge, {}, 30_000)).text).toBe(old.text);
    expect(await verified(await ask(edge))).toBe('unknown_key');
    // A minute after it was asked for, a visit is still answered at once, and sets off the question.
    expect((await ask(edge, {}, MINUTE + 1)).state).toBe('HIT');
    await vi.waitFor(async () => {
      const next = await ask(edge, {}, 2 * MINUTE - 1);
      expect(next.state).toBe('HIT');
      expect(await verified(next)).toBe('Full-text search.');
    }, WAIT);
  });
});

it('the owner sees which agents fetch it at the edge, found or not', async () => {
  const edge = await coldEdge();
  const agent = (token: string, ip: string) => ({
    headers: { 'User-Agent': `Mozilla/5.0 (compatible; ${token})`, 'CF-Connecting-IP': ip },
  });
  await edge.visit(MANIFEST_PATH, agent('GPTBot/1.3', '20.171.206.17'));
  await publish();
  for (let visit = 0; visit < 2; visit += 1)
    await edge.visit(MANIFEST_PATH, agent('ChatGPT-User/1.0', '4.197.64.3'));
  await edge.visit(MANIFEST_PATH, agent('ChatGPT-User/1.0', '203.0.113.77'));
  await edge.visit('/elsewhere', agent('ChatGPT-User/1.0', '4.197.64.3'));
  await vi.waitFor(async () => {
    const { body } = await service.api('GET', `${path}/fetches?days=1`);
    const { items, total } = body as { items: object[]; total: number };
    expect(total).toBe(4);
    expect(items).toHaveLength(3);
    for (const item of [
      { agent: 'ChatGPT-User', verified: true, fetches: 2 },
      // From elsewhere; but the ranges that this build carries are older than a week, and prove no fake.
      { agent: 'ChatGPT-User', verified: null, fetches: 1 },
      { agent: 'GPTBot', verified: true, fetches: 1 },
    ])
      expect(items).toContainEqual(expect.objectContaining({ class: 'ai_bot', ...item }));
  }, WAIT);
  await expectConservation(service);
});
