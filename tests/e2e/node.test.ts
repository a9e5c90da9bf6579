/** `@ghostlight/node` as it is published, in every framework, against the real service: what its applications' visitors did is stored. */
import { createServer, get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embeddedLists, KEY_DIRECTORY_PATH, keySources } from '@ghostlight/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSigner, type Signer } from '../../packages/collector/src/signature/testing.ts';
import { accounts, expectConservation } from '../harness/conservation.ts';
import { type Gate, startGate } from '../harness/gate.ts';
import {
  FRAMEWORKS,
  type Framework,
  installNodePackage,
  NodeApplication,
  type NodeProject,
} from '../harness/node-application.ts';
import { TestService } from '../harness/service.ts';
import { readVendors, startVendors, type Vendors } from '../harness/vendors.ts';

const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const OUTSIDE = '198.51.100.77';
const MANIFEST = '/.well-known/webmcp.json';
const WAIT = { timeout: 30_000, interval: 100 };

let keys: object[] = [];
/** The key directories of all agents in the lists. */
const directories = createServer((request, response) => {
  if (request.url !== KEY_DIRECTORY_PATH) response.writeHead(404).end();
  else response.end(JSON.stringify({ keys }));
});
let vendors: Vendors;
let service: TestService;
let gate: Gate;
let property: { id: string; key: string };
let project: NodeProject;
let application: NodeApplication;
let signer: Signer;
let inside: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => directories.listen(0, '127.0.0.1', resolve));
  vendors = await startVendors();
  const ofKeys = `http://127.0.0.1:${(directories.address() as AddressInfo).port}`;
  const hosts = {
    ...vendors.hosts,
    ...Object.fromEntries(keySources().map(({ url }) => [new URL(url).hostname, ofKeys])),
  };
  service = await new TestService({ DESTINATION_HOSTS: JSON.stringify(hosts) }).start();
  gate = await startGate(() => service.address);
  signer = await createSigner(Date.now());
  keys = [{ ...signer.key, use: 'sig' }];
  await readVendors(service);
  property = await service.property();
  const issued = await service.api('POST', '/api/v1/ingest-keys', {
    name: 'App',
    provider: 'node',
    attribution_id: property.id,
  });
  property = { ...property, key: (issued.body as { key: string }).key };
  const declared = { hosts: ['shop.example'], tools: [{ name: 'search', inputSchema: {} }] };
  await service.api('PUT', `/api/v1/properties/${property.id}/webmcp`, declared);
  const [prefix = ''] = embeddedLists().ip_ranges.find(({ bots }) => bots.includes('GPTBot'))?.prefixes ?? [];
  [inside = ''] = prefix.split('/');
  project = await installNodePackage();
  application = await start();
});
afterAll(async () => {
  await application?.stop('SIGKILL');
  project?.remove();
  await gate?.close();
  await vendors?.close();
  directories.close();
  await service?.dispose();
});

const start = (more = ''): Promise<NodeApplication> =>
  NodeApplication.start(project, {
    ...{ url: gate.address, attributionId: property.id, key: property.key },
    options: `host: 'shop.example', sampleRate: 0, manifest: true, maxQueue: 50, ${more}`,
  });

/** A visitor, behind one proxy that speaks TLS. */
async function visit(of: Framework, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const proxied = { 'X-Forwarded-For': `6.6.6.6, ${inside}`, 'X-Forwarded-Proto': 'https' };
  const answer = await fetch(`http://127.0.0.1:${application.ports[of]}${path}`, {
    headers: { 'User-Agent': GPTBOT, ...proxied, ...headers },
  });
  return answer;
}

type Row = Record<string, unknown>;

async function rows(): Promise<Row[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${property.id}/hits?format=ndjson`);
  const lines = String(body).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

async function rowOf(path: string): Promise<Row> {
  await application.ask('flush');
  return await vi.waitFor(async () => {
    const found = (await rows()).filter((row) => row['path'] === path);
    expect(found).toHaveLength(1);
    return found[0] ?? {};
  }, WAIT);
}

/** A visitor of `/<name>/slow` that leaves when something has come. */
async function leave(of: Framework): Promise<void> {
  const seen = async () => Number((await application.ask('stats'))['visits']);
  await application.ask('flush');
  const before = await seen();
  const headers = { 'User-Agent': GPTBOT, 'X-Forwarded-For': inside };
  const request = httpGet(`http://127.0.0.1:${application.ports[of]}/${of}/slow`, { headers });
  await new Promise<void>((resolve) => {
    request.on('response', (response) => response.once('data', () => resolve()));
  });
  request.on('error', () => {});
  request.destroy();
  await vi.waitFor(async () => expect(await seen()).toBe(before + 1), WAIT);
}

describe.each(FRAMEWORKS)('in %s', (name) => {
  it('a genuine bot is verified, with how each of its answers ended', async () => {
    const answer = await visit(name, `/${name}/ok?page=2`);
    expect([answer.status, await answer.text()]).toEqual([203, 'hello']);
    expect(await (await visit(name, `/${name}/stream`)).text()).toHaveLength(1_234);
    expect((await visit(name, `/${name}/fail`)).status).toBe(500);
    await leave(name);
    expect(await rowOf(`/${name}/ok`)).toMatchObject({
      ...{ source: 'node', class: 'ai_bot', bot_name: 'GPTBot', verified: true, verified_by: 'edge_cidr' },
      ...{ host: 'shop.example', method: 'GET', status: 203, bytes: 5, query_params: { page: '2' } },
    });
    // No header declares its length.
    expect(await rowOf(`/${name}/stream`)).toMatchObject({ status: 200, bytes: 1_234 });
    expect(await rowOf(`/${name}/fail`)).toMatchObject({ status: 500 });
    // The client has left after these.
    expect(await rowOf(`/${name}/slow`)).toMatchObject({ status: 200, bytes: 100 });
  });

  it('the manifest is served, and other methods of its path are the application’s', async () => {
    const answer = await visit(name, MANIFEST, { 'User-Agent': CHROME });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toMatchObject({ attribution_id: property.id, signature: expect.any(String) });
    const tag = answer.headers.get('etag') ?? '';
    expect((await visit(name, MANIFEST, { 'User-Agent': CHROME, 'If-None-Match': tag })).status).toBe(304);
    expect((await visit(name, `${MANIFEST}x`, { 'User-Agent': CHROME })).status).toBe(404);
  });
});

describe('a visit', () => {
  it('from outside of the vendor’s ranges is spoofed, and one without an address is unknown', async () => {
    await visit('express', '/fake', { 'X-Forwarded-For': OUTSIDE });
    await visit('express', '/nowhere', { 'X-Forwarded-For': '' });
    expect(await rowOf('/fake')).toMatchObject({
      status: 404,
      verified: false,
      verdict_reason: 'edge_says_no',
    });
    expect(await rowOf('/nowhere')).toMatchObject({ verified: null, verdict_reason: 'no_address' });
  });

  it('that a signature proves is the agent’s, whatever its user agent and address', async () => {
    const signed = await signer.sign({
      url: 'https://shop.example/signed?q=1',
      agent: '"https://chatgpt.com"',
    });
    await visit('fastify', '/signed?q=1', {
      'User-Agent': CHROME,
      'X-Forwarded-For': OUTSIDE,
      ...signed.headers,
    });
    const elsewhere = await signer.sign({
      url: 'https://other.example/replayed',
      agent: '"https://chatgpt.com"',
    });
    await visit('fastify', '/replayed', { 'User-Agent': CHROME, ...elsewhere.headers });
    await visit('fastify', '/after');
    await rowOf('/after');
    expect(await rowOf('/signed')).toMatchObject({
      ...{ class: 'ai_bot', bot_name: 'ChatGPT Agent', verified: true, verified_by: 'signature' },
    });
    expect((await rows()).filter(({ path }) => path === '/replayed')).toEqual([]);
  });

  it('of a person from ChatGPT is a referral, and all others are numbers', async () => {
    const before = await application.ask('stats');
    await visit('koa', '/koa/ok', { 'User-Agent': CHROME });
    await visit('koa', '/from?utm_source=chatgpt.com', {
      'User-Agent': CHROME,
      Referer: 'https://chatgpt.com/c/1',
    });
    expect(await rowOf('/from')).toMatchObject({ class: 'ai_referral', referrer: 'chatgpt.com' });
    const after = await application.ask('stats');
    expect(Number(after['others']) - Number(before['others'])).toBe(1);
    expect(after).toMatchObject({ lists: 'service', lost: 0, rejected: 0, problem: null });
  });

  it('in Next’s proxy has neither status nor size, and keeps the runtime until it was sent', async () => {
    const headers = { host: 'shop.example', 'user-agent': GPTBOT, 'x-forwarded-for': inside };
    const asked = application.ask('next', { url: 'http://localhost:3000/next/page?a=b', headers });
    expect(await asked).toEqual({ answer: null, works: 1 });
    expect(await rowOf('/next/page')).toMatchObject({
      verified: true,
      status: 0,
      bytes: 0,
      query_params: { a: 'b' },
    });
    const { answer } = await application.ask('next', { url: `http://localhost:3000${MANIFEST}`, headers });
    expect(JSON.parse(String(answer))).toMatchObject({ attribution_id: property.id });
  });

  it('of another instance is that instance’s', async () => {
    expect(await application.ask('second')).toMatchObject({ requests: 0, visits: 0 });
  });
});

describe('a service that is down', () => {
  it('costs no answer, and only the oldest of what waits', async () => {
    await application.ask('flush');
    gate.decide(() => 'cut');
    for (let number = 0; number < 60; number += 1)
      expect((await visit('http', `/away/${number}`)).status).toBe(404);
    await application.ask('flush');
    const away = await application.ask('stats');
    expect([away['waiting'], away['lost']]).toEqual([50, 10]);
    expect(away['problem']).toContain("can't be reached");
    gate.decide(() => 'pass');
    expect(await rowOf('/away/59')).toMatchObject({ status: 404 });
    expect(await application.ask('stats')).toMatchObject({ waiting: 0, problem: null });
    const paths = (await rows()).map(({ path }) => path);
    expect([paths.includes('/away/9'), paths.includes('/away/10')]).toEqual([false, true]);
  });

  it('and whose answers are lost gets the same visits again, and counts them once', async () => {
    await expectConservation(service);
    const before = await accounts(service);
    let lost = 0;
    gate.decide((method) => (method === 'POST' && lost++ < 2 ? 'lose' : 'pass'));
    await visit('http', '/http/ok/lost');
    for (let turn = 0; turn < 3; turn += 1) await application.ask('flush');
    expect(await rowOf('/http/ok/lost')).toMatchObject({ status: 203 });
    const after = await expectConservation(service);
    expect([after.kept - before.kept, after.duplicate - before.duplicate]).toEqual([1, 2]);
    expect(await application.ask('stats')).toMatchObject({ waiting: 0 });
  });

  it('is not asked with a refused key again and again, and a person reads why once', async () => {
    const refused = await NodeApplication.start(project, {
      ...{ url: gate.address, attributionId: property.id, key: `${property.key}x` },
      options: `host: 'shop.example',`,
    });
    const own = application;
    application = refused;
    try {
      const before = gate.requests.filter((request) => request.startsWith('POST')).length;
      for (let number = 0; number < 3; number += 1) await visit('http', `/refused/${number}`);
      for (let turn = 0; turn < 2; turn += 1) await application.ask('flush');
      expect(gate.requests.filter((request) => request.startsWith('POST')).length - before).toBe(2);
      expect(await application.ask('stats')).toMatchObject({ waiting: 3, lost: 0 });
      expect(refused.errors.match(/refuses the key \(401\)/g)).toHaveLength(1);
      expect(refused.errors).not.toContain(property.key);
    } finally {
      application = own;
      await refused.stop('SIGKILL');
    }
  });
});

it('SIGTERM sends what waits, and ends the application as before', async () => {
  await visit('express', '/last');
  expect(await application.stop()).toBe('SIGTERM');
  await vi.waitFor(async () => expect((await rows()).some(({ path }) => path === '/last')).toBe(true), WAIT);
  // What the application itself said: its own failures, and nothing of ours but what was tried here.
  expect(application.errors).not.toMatch(/Unhandled|Warning|TypeError/);
  await expectConservation(service);
});
