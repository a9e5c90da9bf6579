/**
 * Conversions by webhook: from the request to the 200, which is the conversion on disk, matched among a million visitors. These are copies
 * of one recorded visit, written into the state database by SQL while the service is down; requests go through them in an order that no
 * cache helps.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestService } from '../tests/harness/service.ts';
import { expectOnly, type Figure, load, rate, thousands } from './harness.ts';

const VISITORS = 1_000_000;
/** Without a divisor in common with the million, and far from one page of the index to the next. */
const STRIDE = 786_433;
const STEADY = { rate: 200, connections: 20, seconds: 15 };
const FULL = { connections: 32, seconds: 8 };
const ROUNDS = 3;
const RATE_LIMIT = 100_000;
const RECORDED_WITHIN_MS = 10_000;

export async function webhooks(): Promise<Figure[]> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  try {
    await service.start();
    const { id } = await service.property();
    await service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled: true });
    const issued = await service.api('POST', `/api/v1/properties/${id}/webhook-keys`, {
      name: 'Benchmark',
      rate_limit: RATE_LIMIT,
    });
    const { key } = issued.body as { key: string };
    await recordVisit(service, id);
    await service.stop();
    seed(join(service.dataDir, 'state.sqlite'));
    await service.start();
    return await measure(service, id, key);
  } finally {
    await service.dispose();
  }
}

async function measure(service: TestService, property: string, key: string): Promise<Figure[]> {
  let first = 0;
  const run = async (plan: { rate?: number; connections: number; seconds: number }) => {
    const report = await load({
      ...plan,
      port: Number(new URL(service.address).port),
      path: `/webhooks/custom/${property}/purchase`,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: ORDER,
      numbered: { first, stride: STRIDE },
    });
    first = (first + report.requests * STRIDE) % VISITORS;
    return expectOnly(report, '200');
  };
  await run({ ...STEADY, seconds: 3 });
  const steady = [];
  for (let round = 0; round < ROUNDS; round += 1) steady.push(await run(STEADY));
  const full = [];
  for (let round = 0; round < ROUNDS; round += 1) full.push(await run(FULL));
  const { body } = await service.api('GET', `/api/v1/properties/${property}/conversions?matched=false`);
  if ((body as { items: unknown[] }).items.length > 0) throw new Error('not every conversion was matched');
  const p99 = middle(steady.map((report) => report.p99));
  const p50 = middle(steady.map((report) => report.p50));
  const most = middle(full.map(rate));
  return [
    {
      what: `conversion by webhook, matched among ${thousands(VISITORS)} visitors, ${STEADY.rate}/s: to the 200, p99 (p50)`,
      measured: `${p99.toFixed(1)} ms (${p50.toFixed(1)} ms)`,
      target: '< 20 ms',
      holds: p99 < 20,
    },
    {
      what: `the same, as fast as answers come over ${FULL.connections} connections, none refused`,
      measured: `${thousands(most)}/s, p99 ${middle(full.map((report) => report.p99)).toFixed(0)} ms`,
      target: `≥ ${STEADY.rate}/s`,
      holds: most >= STEADY.rate,
    },
  ];
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** What a shop sends: personal data to be encrypted, products, a visitor. */
const ORDER = JSON.stringify({
  conversion_id: 'order-########',
  visitor_id: 'visitor-########',
  value: 99.9,
  currency: 'EUR',
  tax: 15.95,
  shipping: 4.9,
  user_data: {
    email: 'jane.doe@mail.example',
    phone: '+4930901820',
    first_name: 'Jane',
    last_name: 'Doe',
    address: { city: 'Berlin', postal_code: '10115', country: 'DE' },
  },
  products: [{ id: 'sku-1', name: 'Lamp', quantity: 1, price: 95 }],
});

async function recordVisit(service: TestService, property: string): Promise<void> {
  await service.call('POST', '/api/events', {
    headers: { 'User-Agent': 'Mozilla/5.0 Chrome/153.0.0.0' },
    body: JSON.stringify({
      event_name: 'page_view',
      attribution_id: property,
      visitor_id: 'model',
      session_id: 'model',
      session_start: true,
      page_location:
        'https://shop.example/?gclid=Cj0KCQ&utm_source=google&utm_medium=cpc&utm_campaign=spring',
      page_referrer: '',
      consent: { analytics: true, advertising: true },
    }),
  });
  const database = new DatabaseSync(join(service.dataDir, 'state.sqlite'), {
    readOnly: true,
    timeout: 5_000,
  });
  const deadline = Date.now() + RECORDED_WITHIN_MS;
  while (database.prepare('SELECT 1 FROM touches').get() === undefined) {
    if (Date.now() > deadline) throw new Error('the visit was not recorded');
    await sleep(50);
  }
  database.close();
}

/** Ids of touches are scattered, as real ones are. */
const SEED = ['visitors', 'sessions', 'touches'].map((table) => {
  const number = 'substr(cast(100000000 + i AS text), 2)';
  const own: Readonly<Record<string, string>> = {
    visitor_id: `'visitor-' || ${number}`,
    session_id: `'session-' || ${number}`,
    id:
      table === 'touches'
        ? `'touch-' || cast(i * 2654435761% 4294967296 AS text)`
        : `'session-' || ${number}`,
  };
  return { table, own };
});

function seed(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  for (const { table, own } of SEED) {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name));
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${VISITORS - 1})
      INSERT INTO ${table} (${columns.join(', ')})
      SELECT ${columns.map((column) => own[column] ?? `model.${column}`).join(', ')}
      FROM n, (SELECT * FROM ${table} WHERE visitor_id = 'model') AS model`);
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
