/** The main job as its user does it: start, property, key, one curl, and the hit is seen live. */

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectConservation } from '../harness/conservation.ts';
import { expectQuick } from '../harness/quick.ts';
import { TestService, workerHit } from '../harness/service.ts';
import { readVendors, startVendors } from '../harness/vendors.ts';

interface LiveItem {
  id: string;
  class: string;
  bot_name: string;
  verified: boolean | null;
  verified_by: string;
  path: string;
  source: string;
  user_agent: string;
  referrer_engine: string;
}

const vendors = await startVendors();
const service = new TestService({ DESTINATION_HOSTS: JSON.stringify(vendors.hosts) });
let property: { id: string; key: string; keyId: string };

beforeAll(async () => {
  await service.start();
  await readVendors(service);
  property = await service.property();
});
afterAll(async () => {
  await service.dispose();
  await vendors.close();
});

async function live(query = ''): Promise<LiveItem[]> {
  const { status, body } = await service.api('GET', `/api/v1/properties/${property.id}/live${query}`);
  expect(status).toBe(200);
  return (body as { items: LiveItem[] }).items;
}

/** Waits until a path is seen live; returns the row and how long it took. */
async function seen(path: string, withinMs = 15_000): Promise<{ item: LiveItem; afterMs: number }> {
  const start = Date.now();
  while (Date.now() - start < withinMs) {
    const item = (await live()).find((candidate) => candidate.path === path);
    if (item !== undefined) return { item, afterMs: Date.now() - start };
    await sleep(50);
  }
  throw new Error(`${path} was not seen live within ${withinMs} ms\n${service.log}`);
}

async function logpush(
  lines: string,
  query = `attribution_id=${property.id}`,
  headers: Record<string, string> = {},
) {
  return await service.call('POST', `/v1/logs/edge_logpush?${query}`, {
    headers: { 'X-API-Key': property.key, ...headers },
    body: gzipSync(lines),
  });
}

function line(overrides: Record<string, unknown> = {}): string {
  return JSON.stringify({
    EdgeStartTimestamp: new Date().toISOString(),
    ClientRequestHost: 'shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestURI: '/pushed',
    ClientRequestUserAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
    ClientRequestReferer: '',
    ClientIP: '18.97.14.84',
    ClientCountry: 'us',
    EdgeResponseStatus: 200,
    EdgeResponseBytes: 1200,
    ...overrides,
  });
}

describe('the main job', () => {
  it('shows a GPTBot hit live under two seconds after its 204', async () => {
    await expectQuick(2_000, async (number) => {
      const answer = await service.hits(property.key, [workerHit({ pathname: `/first-${number}` })]);
      expect(answer.status).toBe(204);
      expect(answer.body).toBe('');
      const { item, afterMs } = await seen(`/first-${number}`);
      expect(item).toMatchObject({
        class: 'ai_bot',
        bot_name: 'GPTBot',
        verified: true,
        verified_by: 'edge_cidr',
        source: 'edge_worker',
      });
      return afterMs;
    });
  });

  it('takes log push lines, verifies their addresses itself and keeps none', async () => {
    const answer = await logpush([line({ ClientRequestURI: '/pushed?token=secret' })].join('\n'));
    expect(answer.status).toBe(204);
    const { item } = await seen('/pushed');
    expect(item).toMatchObject({
      class: 'ai_bot',
      bot_name: 'CCBot',
      verified: true,
      verified_by: 'server_cidr',
    });
    const spoof = await logpush(line({ ClientRequestURI: '/spoofed', ClientIP: '203.0.113.77' }));
    expect(spoof.status).toBe(204);
    expect((await seen('/spoofed')).item.verified).toBe(false);
    const { body } = await service.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
    expect(String(body)).not.toContain('18.97.14.84');
    expect(String(body)).not.toContain('203.0.113.77');
  });

  it('counts hits that share a ray once, whichever endpoint they came by', async () => {
    const ray = '8f1c2d3e4a5b6c7d';
    const before = await expectConservation(service);
    await service.hits(property.key, [workerHit({ pathname: '/ray', ray_id: `${ray}-FRA` })]);
    await logpush(line({ ClientRequestURI: '/ray', RayID: ray }));
    const after = await expectConservation(service);
    expect(after.kept - before.kept).toBe(1);
    expect(after.duplicate - before.duplicate).toBe(1);
  });

  it('keeps the good part of a batch and says what and where the bad part is', async () => {
    const answer = await service.hits(property.key, [
      workerHit({ pathname: '/good' }),
      { host: 'shop.example', pathname: '/no-time' },
      workerHit({ pathname: '/foreign', attribution_id: '11111111-2222-4333-8444-555555555555' }),
      workerHit({
        pathname: '/person',
        user_agent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/149.0.0.0 Safari/537.36',
      }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ kept: 1, dropped: 1, duplicate: 0, rejected: 2 });
    expect(answer.body).toHaveProperty('errors.0', expect.objectContaining({ index: 1, field: 'timestamp' }));
    expect(answer.body).toHaveProperty(
      'errors.1',
      expect.objectContaining({ index: 2, reason: 'unknown_attribution_id' }),
    );
    await seen('/good');
  });

  it('answers a redelivered batch 204 and stores it once', async () => {
    const batch = [line({ ClientRequestURI: '/once' }), line({ ClientRequestURI: '/once' })].join('\n');
    const before = await expectConservation(service);
    expect((await logpush(batch)).status).toBe(204);
    expect((await logpush(batch)).status).toBe(204);
    const after = await expectConservation(service);
    expect(after.stored - before.stored).toBe(2);
  });

  it('refuses every wrong form of key with one and the same 401', async () => {
    const forms = [
      {},
      { 'X-API-Key': `Bearer ${property.key}` },
      { 'X-API-Key': `${property.key} x` },
      { 'X-API-Key': `"${property.key}"` },
      { 'X-API-Key': `${property.key}, svc_cf_${'0'.repeat(43)}` },
      { 'X-API-Key': 'svc_cf_0000000000000000000000000000000000000000000' },
    ];
    const bodies = new Set<string>();
    for (const headers of forms) {
      const answer = await service.call('POST', '/v1/logs/edge_worker', { headers, body: '[]' });
      expect(answer.status, JSON.stringify(headers)).toBe(401);
      bodies.add(JSON.stringify(answer.body));
    }
    expect(bodies.size).toBe(1);
  });

  it('stops taking a key within a second of its revocation', async () => {
    const { body } = await service.api('POST', '/api/v1/ingest-keys', {
      name: 'Short-lived',
      provider: 'edge_logpush',
      attribution_id: property.id,
    });
    const { id, key } = body as { id: string; key: string };
    expect((await service.hits(key, workerHit({ pathname: '/before-revoke' }))).status).toBe(204);
    expect((await service.api('DELETE', `/api/v1/ingest-keys/${id}`)).status).toBe(204);
    await sleep(1_000);
    expect((await service.hits(key, workerHit({ pathname: '/after-revoke' }))).status).toBe(401);
  });

  it('tells the newcomer why nothing shows', async () => {
    await service.call('POST', '/v1/logs/edge_worker/', {
      headers: { 'X-API-Key': property.key },
      body: '[]',
    });
    await service.call('POST', '/v1/logs/edge_worker', {
      headers: { 'X-API-Key': `Bearer ${property.key}` },
      body: '[]',
    });
    await logpush('{"content":"tests"}');
    const told = async () => {
      const { status, body } = await service.api('GET', `/api/v1/properties/${property.id}/setup`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ state: 'active' });
      return JSON.stringify(body);
    };
    // What went wrong is written down once a second.
    for (const word of [/Bearer/, /trailing slash/i, /validation/i]) await expect.poll(told).toMatch(word);
  });

  it('serves the bot list with an ETag that saves the second download', async () => {
    const first = await service.call('GET', '/v1/config/ai-bots');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      bot_patterns: expect.arrayContaining([expect.objectContaining({ pattern: 'gptbot' })]),
    });
    const etag = first.headers.get('etag') ?? '';
    const second = await service.call('GET', '/v1/config/ai-bots', { headers: { 'If-None-Match': etag } });
    expect(second.status).toBe(304);
  });

  it('describes every management route in an OpenAPI document', async () => {
    const { body } = await service.call('GET', '/api/v1/openapi.json');
    const paths = Object.keys((body as { paths: object }).paths);
    for (const path of ['/api/v1/properties', '/api/v1/ingest-keys', '/api/v1/properties/{id}/live']) {
      expect(paths).toContain(path);
    }
  });

  it('keeps everything over an orderly restart, and loses no law', async () => {
    const before = await expectConservation(service);
    await service.hits(property.key, [workerHit({ pathname: '/last-words' })]);
    expect(await service.stop('SIGTERM')).toBe(0);
    await service.start();
    await seen('/last-words');
    const after = await expectConservation(service);
    expect(after.stored).toBe(before.stored + 1);
  });

  it('refuses a second service on the same data directory and names the first', async () => {
    const launcher = fileURLToPath(new URL('../../packages/server/bin/ghostlight.js', import.meta.url));
    const child = spawn(process.execPath, [launcher, 'serve'], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: service.dataDir, PORT: '0' },
      cwd: service.dataDir,
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(1);
    expect(said).toContain(`process ${service.pid}`);
  });

  it('never wrote a key or a query string into its log', () => {
    expect(service.log).not.toContain(property.key);
    expect(service.log).not.toContain('token=secret');
  });
});
