/** The proof that a log source is one folder and one line: a new one is registered here, and everything else follows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Service } from '../service.ts';

const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const directory = mkdtempSync(join(tmpdir(), 'ghostlight-new-source-'));
let service: Service;
let property: string;
let key: string;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await service.fetch(
    new Request(`${service.address}${path}`, {
      method,
      headers: { Authorization: `Bearer ${service.adminToken}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json().catch(() => null) };
}

async function send(path: string, body: string, headers: Record<string, string>) {
  const response = await fetch(`${service.address}${path}`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

const line = (path: string, agent = GPTBOT, at = new Date().toISOString()) =>
  [at, 'shop.example', path, '192.0.2.1', agent].join('\t');

beforeAll(async () => {
  // Test files share their modules: those of this one are its own, from the register on.
  vi.resetModules();
  vi.doMock('./register.ts', async (original) => {
    const { SOURCES } = await original<typeof import('./register.ts')>();
    const { fixture } = await import('./testing/fixture.ts');
    return { SOURCES: [...SOURCES, fixture] };
  });
  const { readConfig } = await import('../config.ts');
  const { createService } = await import('../service.ts');
  const environment = { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'error', LISTS_REFRESH: 'off' };
  service = await createService(readConfig(environment), { listen: true });
  property = (await call('POST', '/api/v1/properties', { name: 'Shop', domain: 'shop.example' })).body.id;
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
  vi.doUnmock('./register.ts');
  vi.resetModules();
});

it('has keys of its own', async () => {
  const issued = await call('POST', '/api/v1/ingest-keys', {
    ...{ name: 'Server', provider: 'fixture', attribution_id: property },
  });
  expect(issued).toMatchObject({ status: 201, body: { provider: 'fixture' } });
  key = issued.body.key;
  expect((await call('GET', '/api/v1/ingest-keys')).body.items).toMatchObject([{ provider: 'fixture' }]);
});

it('takes its lines by its own address, in its own form, with the key where its sender puts it', async () => {
  const body = [
    line('/a'),
    line('/b'),
    line('/c', 'Mozilla/5.0 Firefox/130'),
    'nonsense',
    line('/d', '', 'x'),
  ].join('\n');
  const headers = { 'X-Fixture-Key': key };
  expect(await send('/v1/logs/fixture', body, headers)).toEqual({ status: 200, text: '{"accepted":3}' });
  expect((await send('/v1/logs/fixture', 'ping', headers)).status).toBe(204);
  expect((await send('/v1/logs/fixture', body, { 'X-API-Key': key })).status).toBe(401);
  const metrics = await (await fetch(`${service.address}/metrics`)).text();
  for (const [name, labels, value] of [
    ['hits_received_total', 'endpoint="fixture"', 5],
    ['ingest_step_rejected_total', 'endpoint="fixture",step="decode"', 2],
    ['ingest_step_dropped_total', 'endpoint="fixture",step="classify"', 1],
    ['ingest_step_dropped_total', 'endpoint="edge_worker",step="classify"', 0],
  ] as const)
    expect(metrics).toContain(`ghostlight_${name}{${labels}} ${value}\n`);
});

it('is a source of Live, of the collectors report and of the setup checker', async () => {
  const live = `/api/v1/properties/${property}/live?source=`;
  await expect
    .poll(async () => (await call('GET', `${live}fixture`)).body.items.length, { timeout: 20_000 })
    .toBe(2);
  expect((await call('GET', `${live}edge_worker`)).body.items).toEqual([]);
  expect((await call('GET', `${live}nothing`)).status).toBe(422);
  const report = await call('GET', `/api/v1/properties/${property}/reports/collectors`);
  expect(report.body.hosts).toMatchObject([
    { host: 'shop.example', source: 'fixture', hits: 2, stale: false },
  ]);
  expect(report.body.log_push).toMatchObject([{ host: 'shop.example', hits: 2 }]);
  await send('/v1/logs/fixture/', '', { 'X-Fixture-Key': key });
  const { sources, findings } = (await call('GET', `/api/v1/properties/${property}/setup`)).body;
  expect(sources).toMatchObject([{ source: 'fixture', count: 2 }]);
  const told = JSON.stringify(findings);
  expect(told).toContain('The fixture sends every visit of the zone.');
  expect(told).toMatch(/\/v1\/logs\/edge_logpush, .*\/v1\/logs\/fixture/);
});

it('tells people how it is set up, and programs what it takes', async () => {
  const { items } = (await call('GET', '/api/v1/sources')).body;
  const names = items.map(({ name }: { name: string }) => name);
  expect([...names.slice(0, 2), names.at(-1)]).toEqual(['edge_worker', 'edge_logpush', 'fixture']);
  expect(items.at(-1)).toEqual({
    ...{ name: 'fixture', title: 'Fixture', key_hint: 'for a server of yours', kind: 'log' },
    ...{ group: 'server', summary: 'Lines of a fixture.', settings: [] },
    ...{ path: '/v1/logs/fixture', latest_version: null, auth: [{ place: 'header', name: 'X-Fixture-Key' }] },
    setup: {
      ...{ slug: 'fixture', about: 'Your own server sends its log.' },
      steps: [
        {
          ...{ title: 'Send the log here', text: ['Once a minute.'] },
          snippets: [{ title: 'Address', template: '{{base_url}}/v1/logs/fixture' }],
        },
      ],
    },
  });
  const headers = { Authorization: `Bearer ${service.adminToken}`, 'Accept-Encoding': 'gzip' };
  const zipped = await service.fetch(new Request(`${service.address}/api/v1/sources`, { headers }));
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  const { paths } = (await call('GET', '/api/v1/openapi.json')).body;
  const { summary, parameters, requestBody } = paths['/v1/logs/fixture'].post;
  expect(summary).toBe('Lines of a fixture');
  expect(parameters).toMatchObject([{ in: 'header', name: 'X-Fixture-Key', required: true }]);
  expect(Object.keys(requestBody.content)).toEqual(['text/plain']);
  const asked = paths['/api/v1/properties/{id}/live'].get.parameters as {
    name: string;
    schema: { enum?: string[] };
  }[];
  expect(asked.find(({ name }) => name === 'source')?.schema.enum).toContain('fixture');
});
