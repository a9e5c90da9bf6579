/** A signed agent in a browser's clothes: from the vendor's key directory through the service's lists and the collector to the row. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY_DIRECTORY_PATH, keySources, rangeSources, searchEngineRangeSources } from '@ghostlight/core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSigner, type Signer, type Signing } from '../../packages/collector/src/signature/testing.ts';
import { expectConservation } from '../harness/conservation.ts';
import { startTestEdge, type TestEdge } from '../harness/edge.ts';
import { TestService } from '../harness/service.ts';

const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';
const CHATGPT = '"https://chatgpt.com"';
const WAIT = { timeout: 30_000, interval: 100 };

/** All vendors of the lists. One of them publishes keys, which the test may change; nothing else is there. */
let published: object[] = [];
const vendors = createServer((request, response) => {
  if (request.url === KEY_DIRECTORY_PATH && published.length > 0) {
    response.setHeader('Content-Type', 'application/http-message-signatures-directory+json');
    response.end(JSON.stringify({ keys: published }));
  } else response.writeHead(404).end();
});

let service: TestService;
let property: { id: string; key: string };
let edge: TestEdge | undefined;
let agent: Signer;
let stranger: Signer;

beforeAll(async () => {
  await new Promise<void>((resolve) => vendors.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
  const sources = [...rangeSources(), ...searchEngineRangeSources(), ...keySources()];
  const hosts = sources.map(({ url }) => [new URL(url).hostname, target]);
  service = await new TestService({ DESTINATION_HOSTS: JSON.stringify(Object.fromEntries(hosts)) }).start();
  property = await service.property();
  agent = await createSigner(Date.now());
  stranger = await createSigner(Date.now());
});
afterAll(async () => {
  await edge?.close();
  vendors.close();
  await service.dispose();
});

/** The vendor publishes this key and no other; the service reads it, and a cold edge knows what the service knows. */
async function publish(signer: Signer): Promise<void> {
  published = [{ ...signer.key, use: 'sig' }];
  const { status, body } = await service.api('POST', '/api/v1/lists/refresh');
  expect(status).toBe(200);
  const { sources } = body as { sources: object[] };
  expect(sources).toContainEqual(
    expect.objectContaining({ source: 'keys:chatgpt.com', entries: 1, error: null }),
  );
  await edge?.close();
  // All other traffic is sampled, so that a visit shows that is no agent's.
  const variables = { SERVICE_SAMPLE_RATE: '1' };
  edge = await startTestEdge({ service: service.address, property, variables });
}

/** A browser's visit, signed. @returns once the edge has answered */
async function visit(path: string, signer: Signer, signing: Signing = {}): Promise<void> {
  const signed = await signer.sign({ url: `https://shop.example${path}`, agent: CHATGPT, ...signing });
  const headers = { 'User-Agent': CHROME, 'CF-Connecting-IP': '198.51.100.20', ...signed.headers };
  const answer = await edge?.visit(path, { headers, cf: { country: 'US', asn: 8_075 } });
  expect(answer?.status).toBe(200);
}

async function rowOf(path: string): Promise<Record<string, unknown>> {
  return await vi.waitFor(async () => {
    const { body } = await service.api('GET', `/api/v1/properties/${property.id}/live?limit=500`);
    const rows = (body as { items: Record<string, unknown>[] }).items.filter((row) => row['path'] === path);
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  }, WAIT);
}

const CHATGPT_AGENT = {
  ...{ class: 'ai_bot', bot_name: 'ChatGPT Agent', vendor: 'OpenAI', intent: 'on_demand' },
  ...{ verified: true, verified_by: 'signature', user_agent: CHROME, host: 'shop.example' },
};

it('a key of the vendor’s directory makes a browser’s visit ChatGPT Agent’s, and no other key does', async () => {
  await publish(agent);
  await visit('/signed', agent);
  expect(await rowOf('/signed')).toMatchObject(CHATGPT_AGENT);
  for (const [path, signer, signing] of [
    ['/of-a-stranger', stranger, {}],
    ['/for-another-site', agent, { url: 'https://other.example/' }],
    ['/of-another-agent', agent, { agent: '"https://agent.example"' }],
    ['/of-yesterday', agent, { parameters: { created: 1_700_000_000, expires: 1_700_003_600 } }],
  ] as const) {
    await visit(path, signer, signing);
    expect(await rowOf(path)).toMatchObject({ class: 'sample', bot_name: '', verified: null });
  }
});

it('a key that the vendor has replaced is no longer accepted, its successor is', async () => {
  await publish(stranger);
  await visit('/with-the-old-key', agent);
  expect(await rowOf('/with-the-old-key')).toMatchObject({ class: 'sample' });
  await visit('/with-the-new-key', stranger);
  expect(await rowOf('/with-the-new-key')).toMatchObject(CHATGPT_AGENT);
  await expectConservation(service);
});
