/** Visits from the visitor to the dashboard's row: the built collector in workerd, the real service, and what goes wrong between them. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WORKER_VERSION } from '../../packages/collector/src/version.ts';
import { accounts, expectConservation } from '../harness/conservation.ts';
import { type EdgeOptions, startTestEdge, type TestEdge } from '../harness/edge.ts';
import { type Gate, startGate } from '../harness/gate.ts';
import { TestService } from '../harness/service.ts';
import { readVendors, startVendors } from '../harness/vendors.ts';

const INGEST = '/v1/logs/edge_worker';
const LISTS = '/v1/config/ai-bots';
const WAIT = { timeout: 30_000, interval: 100 };

const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';
/** Of the ranges that OpenAI publishes for GPTBot, and of none. */
const INSIDE = '20.171.206.17';
const OUTSIDE = '203.0.113.77';
const US = { country: 'US', asn: 8_075 };

const vendors = await startVendors();
const service = new TestService({ DESTINATION_HOSTS: JSON.stringify(vendors.hosts) });
let gate: Gate;
let property: { id: string; key: string };
let edge: TestEdge;
const edges: TestEdge[] = [];

beforeAll(async () => {
  await service.start();
  await readVendors(service);
  gate = await startGate(() => service.address);
  property = await service.property();
});
afterEach(async () => {
  gate.decide(() => 'pass');
  for (const opened of edges.splice(0)) await opened.close();
});
afterAll(async () => {
  await gate.close();
  await service.dispose();
  await vendors.close();
});

async function coldEdge(options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
  edge = await startTestEdge({ service: gate.address, property, ...options });
  edges.push(edge);
  return edge;
}

/** Everything that is stored of a path. */
async function rowsOf(path: string): Promise<Record<string, unknown>[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
  const lines = String(body).split('\n');
  const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return rows.filter((row) => row.path === path);
}

/** The path's only row, once it is there. */
async function rowOf(path: string): Promise<Record<string, unknown>> {
  return await vi.waitFor(async () => {
    const rows = await rowsOf(path);
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  }, WAIT);
}

const bot = (ip: string, more: Record<string, string> = {}) => ({
  headers: { 'User-Agent': GPTBOT, 'CF-Connecting-IP': ip, ...more },
  cf: US,
});
const person = (headers: Record<string, string> = {}) => ({
  headers: { 'User-Agent': CHROME, 'CF-Connecting-IP': '198.51.100.20', ...headers },
  cf: { country: 'DE', asn: 3_320 },
});

describe('a visit becomes a row', () => {
  it('of an AI bot: whole, verified by its address, and without the address', async () => {
    await coldEdge();
    const answer = await edge.visit(
      '/bot?color=brass&size=',
      bot(INSIDE, { 'CF-Ray': '00AA11bb22cc33dd-FRA', Referer: 'https://shop.example/start?x=1' }),
    );
    expect([answer.status, await answer.text()]).toEqual([200, '<p>A lamp.</p>']);
    const row = await rowOf('/bot');
    expect(row).toMatchObject({
      class: 'ai_bot',
      bot_name: 'GPTBot',
      vendor: 'OpenAI',
      intent: 'training',
      verified: true,
      verified_by: 'edge_cidr',
      method: 'GET',
      host: 'shop.example',
      path: '/bot',
      query_params: { color: 'brass', size: '' },
      status: 200,
      bytes: '<p>A lamp.</p>'.length,
      country: 'US',
      asn: 8_075,
      user_agent: GPTBOT,
      referrer: 'https://shop.example/start?x=1',
      ray_id: '00aa11bb22cc33dd',
      worker_version: WORKER_VERSION,
      source: 'edge_worker',
      weight: 1,
    });
    expect(JSON.stringify(row)).not.toContain(INSIDE);
    const live = await service.api('GET', `/api/v1/properties/${property.id}/live?class=ai_bot`);
    expect((live.body as { items: { id: unknown }[] }).items.map(({ id }) => id)).toContain(row['id']);
  });

  it('of someone in a bot’s mask: spoofed; of a bot whose vendor publishes nothing: unknown', async () => {
    await coldEdge();
    await edge.visit('/gone/spoof', { ...bot(OUTSIDE), method: 'HEAD' });
    expect(await rowOf('/gone/spoof')).toMatchObject({
      ...{ class: 'ai_bot', bot_name: 'GPTBot', verified: false, verified_by: '' },
      ...{ method: 'HEAD', status: 404, bytes: 0 },
    });
    const agent = { 'User-Agent': 'meta-externalagent/1.1 (+https://developers.facebook.com/docs)' };
    await edge.visit('/unlisted-ranges', bot(OUTSIDE, agent));
    expect(await rowOf('/unlisted-ranges')).toMatchObject({
      class: 'ai_bot',
      vendor: 'Meta',
      verified: null,
    });
  });

  it('of a person whom an AI engine sent: by referrer, by app, by tag, and campaign tags are all that stays', async () => {
    await coldEdge();
    const secrets = 'utm_source=chatgpt.com&utm_campaign=lamps&email=a%40b.example&gclid=g1';
    await edge.visit(`/tagged?${secrets}`, person());
    await edge.visit('/referred?q=secret', person({ Referer: 'https://chatgpt.com/c/0d1e?who=me' }));
    await edge.visit('/app', person({ Referer: 'android-app://com.openai.chatgpt/' }));
    for (const path of ['/tagged', '/referred', '/app'])
      expect(await rowOf(path)).toMatchObject({
        ...{ class: 'ai_referral', referrer_engine: 'ChatGPT', verified: null, weight: 1, asn: 3_320 },
      });
    expect((await rowOf('/tagged'))['query_params']).toEqual({
      utm_source: 'chatgpt.com',
      utm_campaign: 'lamps',
      gclid: 'g1',
    });
    const referred = await rowOf('/referred');
    expect(referred).toMatchObject({ referrer: 'chatgpt.com', query_params: {} });
    expect(JSON.stringify(referred)).not.toMatch(/secret|who=me|198\.51\.100/);
  });

  it('of all others only as a sample, weighted, and not at all where none are drawn', async () => {
    await coldEdge({ variables: { SERVICE_SAMPLE_RATE: '0.5' } });
    for (let visit = 0; visit < 40; visit += 1)
      await edge.visit('/sampled?secret=1', person({ Referer: 'https://www.bing.com/search?q=me' }));
    const rows = await vi.waitFor(async () => {
      const found = await rowsOf('/sampled');
      expect(found.length).toBeGreaterThan(0);
      return found;
    }, WAIT);
    for (const row of rows)
      expect(row).toMatchObject({
        ...{ class: 'sample', weight: 2, verified: null, query_params: {}, referrer: 'www.bing.com' },
      });
    await coldEdge();
    await edge.visit('/unsampled', person());
    await edge.visit('/after-it', bot(INSIDE));
    await rowOf('/after-it');
    expect(await rowsOf('/unsampled')).toEqual([]);
  });
});

describe('between the edge and the service', () => {
  it('an answer is lost: the collector posts again, and it is one hit', async () => {
    await coldEdge();
    const before = (await accounts(service)).duplicate;
    let posts = 0;
    gate.decide((_, path) => (path === INGEST && ++posts === 1 ? 'lose' : 'pass'));
    await edge.visit('/lost-answer', bot(INSIDE));
    await rowOf('/lost-answer');
    await vi.waitFor(() => expect(posts).toBe(2), WAIT);
    await vi.waitFor(async () => expect((await accounts(service)).duplicate).toBe(before + 1), WAIT);
    expect(await rowsOf('/lost-answer')).toHaveLength(1);
  });

  it('the service is killed between a post and its repetition: the hit is there once', async () => {
    await coldEdge();
    const before = await accounts(service);
    let posts = 0;
    gate.decide((_, path) => (path !== INGEST ? 'pass' : ++posts === 1 ? 'lose' : 'hold'));
    const sameRay = bot(INSIDE, { 'CF-Ray': 'feedfacefeedface-FRA' });
    await edge.visit('/killed-between', sameRay);
    // It is on disk; the collector has not heard of it.
    await vi.waitFor(async () => expect((await accounts(service)).received).toBe(before.received + 1), WAIT);
    await service.stop('SIGKILL');
    await service.start();
    gate.decide(() => 'pass');
    // The collector's own repetition comes too, unless the start took longer than it waits. This one comes in any case.
    await edge.visit('/killed-between', sameRay);
    await edge.visit('/after-the-kill', bot(INSIDE));
    expect(await rowOf('/after-the-kill')).toMatchObject({ verified: true });
    await vi.waitFor(async () => {
      const { received, kept, duplicate } = await accounts(service);
      expect(received).toBeGreaterThanOrEqual(before.received + 3);
      expect([kept, duplicate]).toEqual([before.kept + 2, before.duplicate + received - before.received - 2]);
    }, WAIT);
    expect(await rowsOf('/killed-between')).toHaveLength(1);
  });

  it('the lists can’t be read: the bot is unknown and never spoofed; once they can, it is verified', async () => {
    gate.decide((_, path) => (path === LISTS ? 'cut' : 'pass'));
    await coldEdge();
    await edge.visit('/unchecked', bot(INSIDE));
    expect(await rowOf('/unchecked')).toMatchObject({ bot_name: 'GPTBot', verified: null, verified_by: '' });
    await edge.visit('/unchecked-spoof', bot(OUTSIDE));
    expect(await rowOf('/unchecked-spoof')).toMatchObject({ bot_name: 'GPTBot', verified: null });
    expect(edge.log.join('')).toContain('ghostlight: the bot list could not be renewed');
    gate.decide(() => 'pass');
    // After a failure it asks again five minutes later.
    await edge.visit('/checked', { ...bot(INSIDE), ahead: 6 * 60_000 });
    expect(await rowOf('/checked')).toMatchObject({ verified: true, verified_by: 'edge_cidr' });
    await edge.visit('/checked-spoof', bot(OUTSIDE));
    expect(await rowOf('/checked-spoof')).toMatchObject({ verified: false });
  });

  it('whatever happened, everything that was posted is accounted for', async () => {
    await expectConservation(service);
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
  });
});
