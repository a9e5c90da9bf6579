/**
 * NUL, which one database holds in a text and the other does not, in paths, parameters and bodies: both answer, and the same, whatever
 * is asked. A conversion and a browser event are stored without it.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase } from '../../packages/server/src/database/testing.ts';
import { TestService } from '../harness/service.ts';

const databases = await openTestDatabases();
const homes: TestDatabase[] = [];
const services: TestService[] = [];

interface Shop {
  readonly service: TestService;
  readonly id: string;
  readonly key: string;
}
let shops: readonly Shop[] = [];

beforeAll(async () => {
  shops = await Promise.all(
    databases.backends.map(async (backend) => {
      const home = await backend.fresh({ empty: true });
      homes.push(home);
      const service = new TestService(
        home.url === null ? {} : { DATABASE_URL: home.url, SECRET_KEY: 'k'.repeat(40) },
      );
      services.push(service);
      await service.start();
      const { id } = await service.property();
      await service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled: true });
      const { body } = await service.api('POST', `/api/v1/properties/${id}/webhook-keys`, {
        name: 'Shop',
        rate_limit: 10_000,
      });
      return { service, id, key: (body as { key: string }).key };
    }),
  );
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.dispose()));
  await Promise.all(homes.map((home) => home.remove()));
  await databases.close();
});

/** Every copy of a value in which one text, or one name, has NUL in it. */
function* spoiled(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* ['\0', `${value}\0`, `a\0${value}`];
  else if (typeof value !== 'object' || value === null) yield '\0';
  else if (Array.isArray(value))
    for (const [at, item] of value.entries()) for (const bad of spoiled(item)) yield value.with(at, bad);
  else {
    for (const [name, member] of Object.entries(value)) {
      for (const bad of spoiled(member)) yield { ...value, [name]: bad };
    }
    yield { ...value, 'na\0me': 'x' };
  }
}

/** What both services answer to the same, which must be alike. */
async function alike(ask: (shop: Shop) => Promise<{ status: number }>, about: string): Promise<number> {
  const statuses = await Promise.all(shops.map(async (shop) => (await ask(shop)).status));
  expect(statuses[0], `${about}: ${statuses.join(', ')}`).toBe(statuses[1]);
  expect(statuses[0], about).toBeLessThan(500);
  return statuses[0] ?? 0;
}

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

it('in the body of a conversion costs it at most the member', async () => {
  const order = {
    conversion_id: 'ord_1',
    value: '10.00',
    currency: 'EUR',
    visitor_id: 'visitor-1',
    event_time: '2026-11-22T00:00:00Z',
    tax: '1',
    discount_code: 'X',
    user_data: {
      email: 'a@shop.example',
      phone: '+4930123456',
      first_name: 'A',
      address: { city: 'B', note: 'c' },
    },
    products: [{ id: 'p1', name: 'P', quantity: '1', price: '10', size: 'L' }],
    consent: { analytics: true, advertising: true },
    note: { deep: ['n'] },
  };
  let number = 0;
  for (const body of [order, ...spoiled(order)]) {
    number += 1;
    const own = JSON.stringify(body).includes('"conversion_id":"ord_1"');
    const sent = own ? { ...(body as object), conversion_id: `ord_${number}` } : body;
    const status = await alike(
      ({ service, id, key }) =>
        service.call(
          'POST',
          `/webhooks/custom/${id}/purchase`,
          json(sent, { Authorization: `Bearer ${key}` }),
        ),
      JSON.stringify(sent),
    );
    const { value, currency } = body as { value: string; currency: string };
    const isVital = !own || value !== order.value || currency !== order.currency;
    if (!isVital) expect(status, JSON.stringify(sent)).toBe(200);
  }
  for (const topic of ['custom', 'refund', 'lead'])
    for (const body of spoiled({ conversion_id: 'x', event_name: 'quiz', refund_id: 'r', lead_type: 'call' }))
      await alike(
        ({ service, id, key }) =>
          service.call(
            'POST',
            `/webhooks/custom/${id}/${topic}`,
            json(body, { Authorization: `Bearer ${key}` }),
          ),
        `${topic} ${JSON.stringify(body)}`,
      );
});

it('in a browser event costs it at most the member', async () => {
  const event = {
    event_name: 'page_view',
    event_id: 'e1',
    visitor_id: 'visitor-1',
    session_id: 'session-1',
    page_location: 'https://shop.example/a?utm_source=b',
    page_referrer: 'https://chatgpt.com/',
    page_title: 'T',
    utm: { source: 's' },
    click_ids: { gclid: 'Abc' },
    browser_ids: { fbp: 'fb.1.2.3' },
    timezone: 'Europe/Berlin',
    browser_language: 'de',
    consent: { analytics: true, advertising: true },
    conversion_id: 'c1',
    value: '1',
    currency: 'EUR',
    params: { deep: ['n'] },
  };
  const events = [...spoiled(event)].map((body) => ({ event_id: randomUUID(), ...(body as object) }));
  for (let from = 0; from < events.length; from += 20) {
    const batch = events.slice(from, from + 20);
    const status = await alike(
      ({ service, id }) =>
        service.call('POST', '/api/events', json(batch.map((one) => ({ ...one, attribution_id: id })))),
      'events',
    );
    expect(status).toBe(200);
  }
  await alike(
    ({ service }) => service.call('POST', '/api/events', json({ ...event, attribution_id: 'a\0' })),
    'id',
  );
  for (const { service } of shops)
    await expect
      .poll(async () => (await service.api('GET', '/api/v1/spool')).body, { timeout: 30_000 })
      .toMatchObject({
        pending_events: 0,
        last_error: null,
      });
});

it('is refused by the routes without authentication, and by those that do', async () => {
  const bodies: Record<string, readonly unknown[]> = {
    '/api/v1/session': [
      ...spoiled({ email: 'a@shop.example', password: 'a long enough passphrase', code: '123456' }),
      ...spoiled({ token: 'x' }),
    ],
    '/api/v1/password-resets': [...spoiled({ email: 'a@shop.example' })],
    '/api/v1/links/inspect': [...spoiled({ token: 'x'.repeat(43) })],
    '/api/v1/properties': [...spoiled({ name: 'Shop', domain: 'shop.example' })],
  };
  for (const [path, all] of Object.entries(bodies))
    for (const body of all) {
      await alike(({ service }) => service.call('POST', path, json(body)), `${path} ${JSON.stringify(body)}`);
      await alike(({ service }) => service.api('POST', path, body), `${path} ${JSON.stringify(body)}`);
    }
});

it('is refused in every path and parameter of the document', async () => {
  const [shop] = shops;
  const { body } = await (shop?.service.call('GET', '/api/v1/openapi.json') ?? Promise.reject());
  const { paths } = body as {
    paths: Record<string, Record<string, { parameters?: readonly { name: string; in: string }[] }>>;
  };
  let asked = 0;
  for (const [path, operations] of Object.entries(paths)) {
    const places = [...path.matchAll(/\{[^}]+\}/g)].map(([place]) => place);
    const filled = (id: string, bad?: string) =>
      places.reduce((text, place) => text.replace(place, place === bad ? '%00' : id), path);
    for (const bad of places) {
      await alike(({ service, id }) => service.api('GET', filled(id, bad)), `${bad} of ${path}`);
      asked += 1;
    }
    for (const { name } of operations['get']?.parameters?.filter((parameter) => parameter.in === 'query') ??
      []) {
      const status = await alike(
        ({ service, id }) => service.api('GET', `${filled(id)}?${name}=a%00`),
        `${name} of ${path}`,
      );
      expect(status).toBeGreaterThanOrEqual(400);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(100);
});
