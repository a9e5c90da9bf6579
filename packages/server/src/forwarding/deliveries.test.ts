import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import type { DeliveryFilter } from './deliveries.ts';
import { deliveryFile } from './delivery-file.ts';
import { openHome, order, type TestHome } from './testing.ts';
import { deliveryDetailView } from './views.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('deliveries on $name', (backend) => {
  let database: TestDatabase;
  let home: TestHome;
  beforeEach(async () => {
    database = await backend.fresh();
    home = await openHome(database);
    home.visit('visitor-1');
  });
  afterEach(async () => {
    await home.close();
    await database.remove();
  });
  const list = (filter: Partial<DeliveryFilter> = {}, limit = 100, after?: string) =>
    home.forwarding.deliveries.list(
      home.property,
      { from: 0, to: home.now() + DAY_MS, ...filter },
      { limit, after },
    );
  const ids = async (filter: Partial<DeliveryFilter>) =>
    (await list(filter)).items.map(({ conversion_id }) => conversion_id).sort();

  it('are paged through, newest first, each once', async () => {
    await home.connect();
    await home.connect({ platform: 'tiktok' });
    for (let n = 0; n < 7; n += 1) {
      await home.post('purchase', order(String(n)));
      if (n % 3 === 0) home.pass(1_000);
    }
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await list({}, 3, after);
      seen.push(...page.items.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual((await list()).items.map(({ id }) => id));
    expect(new Set(seen).size).toBe(14);
    const times = (await list()).items.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    await expect(list({}, 3, 'nonsense')).rejects.toThrow(/query/);

    // The file is all of its pages, without what was sent.
    const small = {
      list: (...[owner, filter, page]: Parameters<typeof home.forwarding.deliveries.list>) =>
        home.forwarding.deliveries.list(owner, filter, { ...page, limit: 3 }),
    };
    const period = { from: 0, to: home.now() + DAY_MS };
    const { signal } = new AbortController();
    const fileOf = async (format: 'csv' | 'ndjson', wanted = signal, more: Partial<DeliveryFilter> = {}) =>
      (
        await Array.fromAsync(deliveryFile(small, home.property, { ...period, ...more }, format, wanted))
      ).join('');
    const lines = (await fileOf('ndjson')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(seen);
    const [head, ...rows] = (await fileOf('csv')).trim().split('\r\n');
    expect(head).toBe(
      'created_at,conversion_id,topic,event_name,platform,platform_event,destination,destination_id,status,' +
        'reason,message,attempts,value,currency,sent_at,settled_at,next_at,conversion,id',
    );
    expect(rows.map((row) => row.split(',').at(-1))).toEqual(seen);
    const [, ...tiktok] = (await fileOf('csv', signal, { platform: 'tiktok' })).trim().split('\r\n');
    expect(tiktok).toHaveLength(7);
    expect(await fileOf('ndjson', AbortSignal.abort())).toBe('');
  });

  it('are found by state, platform, destination, topic, reason, time, and by ids', async () => {
    const destination = await home.connect();
    const first = await home.post('purchase', order('shop-1'));
    await home.post('custom', order('shop-2', { event_name: 'Quote' }));
    await home.forwarding.runOnce();
    await home.forwarding.destinations.update(home.property, 'root', destination, { paused: true });
    home.pass(HOUR_MS);
    await home.connect({ platform: 'tiktok' });
    await home.post('lead', order('other%', { conversion_id: 'other%' }));
    expect(await ids({})).toEqual(['other%', 'other%', 'shop-1', 'shop-2']);
    expect(await ids({ status: 'delivered' })).toEqual(['shop-1']);
    expect(await ids({ status: 'waiting' })).toEqual(['other%', 'other%']);
    expect(await ids({ status: 'skipped', reason: 'no_mapping' })).toEqual(['shop-2']);
    expect(await ids({ reason: 'too_old' })).toEqual([]);
    expect(await ids({ platform: 'tiktok' })).toEqual(['other%']);
    expect(await ids({ destination })).toEqual(['other%', 'shop-1', 'shop-2']);
    expect(await ids({ topic: 'lead' })).toEqual(['other%', 'other%']);
    expect(await ids({ to: home.now() })).toEqual(['shop-1', 'shop-2']);
    expect(await ids({ from: home.now() })).toEqual(['other%', 'other%']);
    expect(await ids({ q: 'shop' })).toEqual(['shop-1', 'shop-2']);
    expect(await ids({ q: '%' })).toEqual([]);
    expect(await ids({ q: first })).toEqual(['shop-1']);
    const [one] = (await list({ q: first })).items;
    expect(await ids({ q: one?.id ?? '' })).toEqual(['shop-1']);
  });

  it('show what was sent and answered, and what it means', async () => {
    const destination = await home.connect();
    const conversion = await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    const [row] = (await list()).items;
    const detail = deliveryDetailView(
      await home.forwarding.deliveries.get(home.property, row?.id ?? ''),
      home.now(),
    );
    const time = new Date(home.now()).toISOString();
    expect(detail).toMatchObject({
      ...{ conversion, conversion_id: '1', topic: 'purchase', event_name: null, platform: 'meta' },
      ...{ platform_event: 'Purchase', destination: { id: destination, name: 'Shop', deleted: false } },
      ...{ status: 'delivered', attempts: 1, created_at: time, sent_at: time, settled_at: time },
      ...{ value: '99.9', currency: 'EUR', guarantee: 'dedup', replayable: false },
      request: {
        method: 'POST',
        url: 'https://platform.example/v1/123/events',
        headers: { Authorization: 'Bearer •••' },
      },
      response: { status: 200, body: '{"ok":true}' },
      history: [{ at: time, http_status: 200, verdict: 'delivered' }],
      explanation: 'The platform has accepted it.',
    });
    expect(detail.request?.body).not.toContain('jane');
  });

  it('say why they wait', async () => {
    const destination = await home.connect();
    await home.post('purchase', order('1'));
    const explanation = async () => {
      const [row] = (await list()).items;
      return row === undefined ? '' : deliveryDetailView(row, home.now()).explanation;
    };
    expect(await explanation()).toBe('It will be sent shortly.');
    await home.forwarding.destinations.update(home.property, 'root', destination, { paused: true });
    expect(await explanation()).toMatch(/paused/);
    await home.forwarding.destinations.update(home.property, 'root', destination, { paused: false });
    home.answer({ status: 401, body: 'no' });
    await home.forwarding.runOnce();
    expect(await explanation()).toMatch(/credentials/);
    await home.forwarding.destinations.update(home.property, 'root', destination, { clearAlarm: true });
    home.answer({ status: 503 });
    await home.forwarding.runOnce();
    expect(await explanation()).toMatch(/it will be retried/);
  });
});
