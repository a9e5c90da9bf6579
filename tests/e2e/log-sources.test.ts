/** Every log source against a real process: its sender's own request, stored, shown, sent again, and in no log line with its key. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pathOf, SOURCES } from '../../packages/server/src/sources/index.ts';
import type { SampleVisit } from '../../packages/server/src/sources/testing/sample.ts';
import { SAMPLES } from '../../packages/server/src/sources/testing/samples.ts';
import { expectConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';

const service = new TestService({ LOG_LEVEL: 'debug' });
let property: { id: string; key: string; keyId: string };

beforeAll(async () => {
  await service.start();
  property = await service.property();
});
afterAll(() => service.dispose());

const AT = Date.now() - 60_000;
const visitOf = (name: string): SampleVisit => ({
  ...{ at: AT, host: 'shop.example', method: 'GET', path: `/${name}`, query: new Map() },
  ...{
    ip: '10.1.2.3',
    userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2)',
    referrer: '',
    status: 200,
    bytes: 7,
  },
  requestId: `r-${name}`,
});

/** With the key in the address, if the source takes it there. */
async function send(name: string, key = property.key) {
  const source = SOURCES.find(({ about }) => about.name === name);
  const printed = SAMPLES[name]?.print([visitOf(name)]);
  if (source === undefined || printed === undefined) throw new Error(`${name} has no sample`);
  const parameters = new URLSearchParams(printed.query);
  parameters.set('attribution_id', property.id);
  const inAddress = source.auth.find(({ place }) => place === 'query');
  if (inAddress !== undefined) parameters.set(inAddress.name, key);
  const response = await fetch(`${service.address}${pathOf(name)}?${parameters}`, {
    method: 'POST',
    headers: { ...printed.headers, ...(inAddress === undefined ? { 'X-API-Key': key } : {}) },
    body: new Uint8Array(Buffer.from(printed.body)),
  });
  await response.arrayBuffer();
  return response.status;
}

it('takes a visit from each source once, shows it in Live, and keeps the law of conservation', async () => {
  for (const { about } of SOURCES) {
    // Past logs come by keys of their own.
    const issued = await service.api('POST', '/api/v1/ingest-keys', {
      ...{ name: 'One', provider: about.name, attribution_id: property.id },
    });
    const { key } = issued.body as { key: string };
    for (const _ of ['once', 'again'])
      expect([about.name, [200, 204].includes(await send(about.name, key))]).toEqual([about.name, true]);
  }
  const names = SOURCES.map(({ about }) => about.name).sort();
  const live = async () => {
    const { body } = await service.api('GET', `/api/v1/properties/${property.id}/live?limit=100`);
    return (body as { items: { source: string }[] }).items.map(({ source }) => source).sort();
  };
  await expect.poll(live, { timeout: 20_000 }).toEqual(names);
  const { received, kept, duplicate } = await expectConservation(service);
  // Of sources that send whole logs, a number of other requests rides with the visit.
  const numbers = [...(await service.metrics())]
    .filter(([name]) => name.startsWith('ghostlight_hits_kept_total{') && name.includes('"counted"'))
    .reduce((sum, [, value]) => sum + value, 0);
  expect(numbers).toBe(['nginx', 'apache', 'caddy', 'haproxy', 'iis', 'vector', 'fluentbit', 'otlp'].length);
  expect([received - numbers, kept - numbers, duplicate]).toEqual([
    names.length * 2,
    names.length,
    names.length,
  ]);
});

it('lets two keys of a sender live side by side, and refuses a revoked one at once', async () => {
  const rotated = await service.api('POST', `/api/v1/ingest-keys/${property.keyId}/rotate`, {
    overlap_seconds: 60,
  });
  const { key, id } = rotated.body as { key: string; id: string };
  expect(rotated.status).toBe(201);
  for (const one of [property.key, key]) expect(await send('custom', one)).toBe(204);
  await service.api('DELETE', `/api/v1/ingest-keys/${id}`);
  expect(await send('custom', key)).toBe(401);
  expect(await send('custom')).toBe(204);
  const ended = await service.api('POST', `/api/v1/ingest-keys/${property.keyId}/rotate`, {
    overlap_seconds: 0,
  });
  expect(await send('custom')).toBe(401);
  property = { ...property, key: (ended.body as { key: string }).key };
  expect(await send('custom')).toBe(204);
});

it('answers Fastly’s challenge with the services of its keys, and shows no secret again', async () => {
  const issued = await service.api('POST', '/api/v1/ingest-keys', { name: 'CDN', provider: 'fastly' });
  const { id } = issued.body as { id: string };
  const settings = `/api/v1/ingest-keys/${id}/settings`;
  expect((await service.api('PATCH', settings, { service_ids: ['*'] })).status).toBe(422);
  expect((await service.api('PATCH', settings, { service_ids: ['SU1Z0isxPaozGVKXdv0eY'] })).status).toBe(200);
  const challenge = await fetch(`${service.address}/.well-known/fastly/logging/challenge`);
  expect(await challenge.text()).toBe(
    `${createHash('sha256').update('SU1Z0isxPaozGVKXdv0eY').digest('hex')}\n`,
  );
  const drain = await service.api('POST', '/api/v1/ingest-keys', { name: 'Drain', provider: 'vercel' });
  const set = await service.api(
    'PATCH',
    `/api/v1/ingest-keys/${(drain.body as { id: string }).id}/settings`,
    {
      ...{ secret: 'drain-secret-of-vercel', verify: 'abc' },
    },
  );
  expect(set.body).toMatchObject({ settings: { secret: true, verify: 'abc' } });
});

it('logs no key, wherever it was', () => {
  expect(service.log).not.toContain(property.key.slice(12));
  expect(service.log).not.toContain('drain-secret-of-vercel');
});
