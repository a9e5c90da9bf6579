/**
 * Forwarding: how many deliveries leave in a second where the platform takes 50 ms for each request, how soon after its 200 a conversion is
 * at the platform, and what a platform that is down for an hour does to itself and to the others. An hour is not waited for: as many
 * conversions as a busy shop has in one are posted at once while the platform's port is closed, and then its breaker's time is set to be
 * over.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  closeShop,
  connect,
  convert,
  newProperty,
  of,
  openShop,
  type Shop,
  sql,
  visitor,
} from '../tests/harness/forwarding.ts';
import type { PlatformName } from '../tests/platforms/index.ts';
import { type Figure, median, thousands } from './harness.ts';

const ANSWER_MS = 50;
const BATCHED = 2_000;
const SINGLE = 300;
const SOON = 100;
/** One each three seconds. */
const HOUR = 1_200;
const CONNECTIONS = 16;
const WITHIN_MS = 180_000;

export async function forwarding(): Promise<Figure[]> {
  const base = await openShop({ LOG_LEVEL: 'error' });
  try {
    for (const { fake } of base.platforms.all) base.platforms.of[fake.name as PlatformName].slow(ANSWER_MS);
    const inProperty = async (): Promise<Shop> => ({ ...base, ...(await newProperty(base.service)) });
    return [
      ...(await rateOf(await inProperty(), 'meta', BATCHED, 1_000)),
      ...(await rateOf(await inProperty(), 'webhook', SINGLE, 50)),
      ...(await soon(await inProperty())),
      ...(await away(await inProperty())),
    ];
  } finally {
    await closeShop(base);
  }
}

/** While the destination is paused conversions gather; then the time until the last is accepted counts. */
async function rateOf(shop: Shop, name: PlatformName, count: number, target: number): Promise<Figure[]> {
  const id = await connect(shop, name);
  await of(shop, 'PATCH', `/destinations/${id}`, { paused: true });
  await post(shop, count);
  const { fake, calls } = shop.platforms.of[name];
  const before = { accepted: fake.ledger.accepted.length, calls: calls.length };
  const started = performance.now();
  await of(shop, 'PATCH', `/destinations/${id}`, { paused: false });
  await until(() => fake.ledger.accepted.length - before.accepted === count);
  const seconds = (performance.now() - started) / 1_000;
  const requests = calls.length - before.calls;
  return [
    {
      what: `deliveries from a backlog of ${thousands(count)} to one destination that answers in ${ANSWER_MS} ms: ${name}, ${requests === count ? 'one per request' : 'in batches'}`,
      measured: `${thousands(count / seconds)}/s in ${thousands(requests)} requests`,
      target: `≥ ${thousands(target)}/s`,
      holds: count / seconds >= target,
    },
  ];
}

/** From the webhook's 200 to the request's arrival at the platform, one conversion at a time. */
async function soon(shop: Shop): Promise<Figure[]> {
  await connect(shop, 'reddit');
  const known = await visitor(shop);
  const { calls } = shop.platforms.of.reddit;
  const delays: number[] = [];
  for (let index = 0; index < SOON; index += 1) {
    const before = calls.length;
    await convert(shop, 'purchase', {
      conversion_id: `soon-${index}`,
      visitor_id: known,
      value: 10,
      currency: 'EUR',
    });
    const answered = Date.now();
    await until(() => calls.length > before);
    delays.push((calls[before]?.at ?? Number.NaN) - answered);
  }
  const sorted = delays.toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(SOON * 0.99) - 1] ?? Number.NaN;
  return [
    {
      what: 'a conversion by itself: from its 200 to its arrival at the platform, p99 (p50)',
      measured: `${p99} ms (${median(delays)} ms)`,
      target: '< 1,000 ms',
      holds: p99 < 1_000,
    },
  ];
}

/** What another destination gets of an hour's conversions, alone and beside one that is down, and what that one has in the end. */
async function away(shop: Shop): Promise<Figure[]> {
  const { tiktok, snap } = shop.platforms.of;
  await connect(shop, 'snap');
  const alone = await lag(shop, HOUR, snap.fake.ledger.accepted);
  const id = await connect(shop, 'tiktok');
  await tiktok.down();
  const beside = await lag(shop, HOUR, snap.fake.ledger.accepted);
  const rows = () =>
    sql(
      shop.service,
      'select state, count(*) as n from deliveries where destination_id = ? group by state',
      id,
    );
  const waiting = rows().reduce(
    (sum, { state, n }) => sum + (state === 'pending' || state === 'retry' ? Number(n) : 0),
    0,
  );
  await tiktok.up();
  sql(shop.service, 'update destinations set not_before = 1 where id = ?', id);
  sql(
    shop.service,
    `update deliveries set next_at = 1 where destination_id = ? and state in ('pending', 'retry')`,
    id,
  );
  const started = performance.now();
  await until(() => tiktok.fake.ledger.accepted.length === HOUR);
  const seconds = (performance.now() - started) / 1_000;
  const { absorbed } = tiktok.fake.ledger;
  return [
    {
      what: `a platform away while an hour's ${thousands(HOUR)} conversions come: kept, and accepted when it is back`,
      measured: `${thousands(waiting)} kept, ${thousands(tiktok.fake.ledger.accepted.length)} accepted in ${seconds.toFixed(1)} s, ${absorbed.length} twice`,
      target: 'all, none twice',
      holds: waiting === HOUR && absorbed.length === 0,
    },
    {
      what: 'another destination meanwhile: its last acceptance after the last 200, beside it (alone)',
      measured: `${thousands(beside)} ms (${thousands(alone)} ms)`,
      target: '≤ 2 s more than alone',
      holds: beside <= alone + 2_000,
    },
  ];
}

/** @returns ms from the last webhook's 200 until the last of these conversions is accepted */
async function lag(shop: Shop, count: number, accepted: readonly unknown[]): Promise<number> {
  const before = accepted.length;
  await post(shop, count);
  const answered = performance.now();
  await until(() => accepted.length - before === count);
  return performance.now() - answered;
}

/** As fast as answers come, of one visitor. */
async function post(shop: Shop, count: number): Promise<void> {
  const known = await visitor(shop);
  const run = randomUUID();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await convert(shop, 'purchase', { ...ORDER, visitor_id: known, conversion_id: `${run}-${next}` });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

async function until(isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error('not all conversions arrived');
    await sleep(5);
  }
}

/** What a shop sends: personal data to be opened and hashed, products. */
const ORDER = {
  value: 99.9,
  currency: 'EUR',
  user_data: {
    email: 'jane.doe@mail.example',
    phone: '+4930901820',
    first_name: 'Jane',
    last_name: 'Doe',
    address: { city: 'Berlin', postal_code: '10115', country: 'DE' },
  },
  products: [{ id: 'sku-1', name: 'Lamp', quantity: 1, price: 95 }],
};
