import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { openHome, order, type TestHome } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('what is kept on $name', (backend) => {
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

  const conversions = () =>
    home.db.reader.selectFrom('conversions').selectAll().orderBy('conversion_id').execute();
  /** Conversion ids whose personal data is still there, an hour later. */
  const personal = async (): Promise<string[]> => {
    home.pass(HOUR_MS);
    await home.hourly();
    return (await conversions())
      .filter((row) => row.personal !== null)
      .map(({ conversion_id }) => conversion_id);
  };
  const states = async () => (await home.deliveries()).map(({ state, reason }) => [state, reason]);

  it('personal data goes when the last delivery is over, and not before', async () => {
    await home.connect();
    const second = await home.connect({ platform: 'tiktok' });
    await home.forwarding.destinations.update(home.property, 'root', second, { paused: true });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    expect((await states()).sort()).toEqual([
      ['delivered', null],
      ['pending', null],
    ]);
    expect(await personal()).toEqual(['1']);
    await home.forwarding.destinations.update(home.property, 'root', second, { paused: false });
    await home.forwarding.runOnce();
    expect(await personal()).toEqual([]);
    expect(await conversions()).toMatchObject([
      { payload_digest: null, personal_until: null, value: '99.9' },
    ]);
  });

  it.each(['skipped', 'unknown', 'delivered'] as const)('%s is over at once', async (state) => {
    await home.connect();
    await home.post('purchase', order('1'));
    await home.db.kysely.updateTable('deliveries').set({ state, settled_at: home.now() }).execute();
    expect(await personal()).toEqual([]);
  });

  it('a dead one is over after a week, or when the platform would not take it any more', async () => {
    await home.connect();
    home.visit('visitor-1', { at: home.now() - 3 * DAY_MS });
    home.answer({ status: 400, body: 'no' });
    // The test platform takes nothing that is older than five days.
    await home.post('purchase', order('1', { event_time: (home.now() - 2 * DAY_MS) / 1_000 }));
    await home.post('purchase', order('2'));
    await home.forwarding.runOnce();
    expect(await states()).toEqual([
      ['dead', 'bad_event'],
      ['dead', 'bad_event'],
    ]);
    expect(await personal()).toEqual(['1', '2']);
    home.pass(3 * DAY_MS - 3 * HOUR_MS);
    expect(await personal()).toEqual(['1', '2']);
    expect(await personal()).toEqual(['2']);
    home.pass(2 * DAY_MS);
    expect(await personal()).toEqual([]);
  });

  it('a conversion without any delivery keeps its 30 days', async () => {
    await home.post('purchase', order('1'));
    await home.post('lead', order('2', { visitor_id: null }));
    expect(await personal()).toEqual(['1', '2']);
    home.pass(29 * DAY_MS);
    expect(await personal()).toEqual(['1', '2']);
    home.pass(DAY_MS);
    expect(await personal()).toEqual([]);
  });

  it('what waits longer than 30 days has lost its data, and is skipped for it', async () => {
    const id = await home.connect();
    await home.forwarding.destinations.update(home.property, 'root', id, { paused: true });
    await home.post('purchase', order('1'));
    home.pass(31 * DAY_MS);
    await home.hourly();
    await home.forwarding.destinations.update(home.property, 'root', id, { paused: false });
    await home.forwarding.runOnce();
    expect((await states())[0]?.[0]).toMatch(/skipped|dead/);
    expect(home.sent).toEqual([]);
  });

  it('requests and answers are shown for 30 days, deliveries as long as everything else', async () => {
    await home.connect();
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    home.pass(30 * DAY_MS);
    await home.hourly();
    expect((await home.deliveries())[0]?.request).not.toBeNull();
    home.pass(1_000);
    await home.hourly();
    expect(await home.deliveries()).toMatchObject([{ request: null, response: null, state: 'delivered' }]);
    home.pass(370 * DAY_MS);
    await home.hourly();
    expect(await home.deliveries()).toEqual([]);
  });

  it('of an erased visitor nothing is sent any more, and nothing can be read', async () => {
    await home.connect();
    const tiktok = await home.connect({ platform: 'tiktok' });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    await home.forwarding.destinations.update(home.property, 'root', tiktok, { paused: true });
    await home.post('refund', { conversion_id: '1', refund_id: 'r', value: '10', currency: 'EUR' });
    await home.post('purchase', order('2'));
    home.visit('visitor-2');
    await home.post('purchase', order('3', { visitor_id: 'visitor-2' }));
    await home.post('purchase', order('of-Visitor-1'));
    await home.db.kysely
      .updateTable('deliveries')
      .set({ state: 'sending', lease: 'mine', lease_until: home.now() + 60_000 })
      .where('conversion_id', '=', '2')
      .where('platform', '=', 'meta')
      .execute();
    await home.erase('visitor-1');
    const rows = await home.deliveries();
    for (const row of rows.filter(({ conversion_id }) => conversion_id !== '3'))
      expect(row).toMatchObject({
        ...{ visitor_id: null, request: null, response: null, lease: null },
        ...(row.state === 'delivered' ? {} : { state: 'skipped', reason: 'erased', next_at: null }),
      });
    expect(rows.filter(({ state }) => state === 'skipped')).toHaveLength(6);
    expect(JSON.stringify(rows)).not.toMatch(/visitor-1/i);
    expect(rows.filter((row) => row.conversion_id === row.conversion_row)).toHaveLength(2);
    expect(rows.filter(({ conversion_id }) => conversion_id === '3')).toMatchObject([
      { state: 'pending', visitor_id: 'visitor-2' },
      { state: 'pending', visitor_id: 'visitor-2' },
    ]);
    const before = home.sent.length;
    await home.forwarding.destinations.update(home.property, 'root', tiktok, { paused: false });
    await home.forwarding.runOnce();
    expect(home.sent.slice(before).every(({ body }) => body?.includes('"id":"3"'))).toBe(true);
  });

  it('of a deleted destination, and of a deleted property, nothing is sent any more', async () => {
    const first = await home.connect();
    await home.connect({ platform: 'tiktok' });
    await home.post('purchase', order('1'));
    await home.forwarding.destinations.delete(home.property, 'root', first);
    await home.forwarding.runOnce();
    expect(new Map((await home.deliveries()).map((row) => [row.platform, row.reason ?? row.state]))).toEqual(
      new Map([
        ['meta', 'destination_deleted'],
        ['tiktok', 'delivered'],
      ]),
    );
    home.pass(1_000);
    await home.post('purchase', order('2'));
    await home.deleteProperty();
    await home.forwarding.runOnce();
    expect(home.sent).toHaveLength(1);
    const [last] = await home.deliveries();
    expect(last).toMatchObject({ conversion_id: '2', state: 'skipped', reason: 'destination_deleted' });
    const rows = await home.db.reader
      .selectFrom('destinations')
      .select(['deleted_at', 'credentials'])
      .execute();
    expect(rows.map(({ credentials }) => credentials)).toEqual(['', '']);
    expect(rows.every(({ deleted_at }) => deleted_at !== null)).toBe(true);
  });
});
