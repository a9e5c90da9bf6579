import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { traceWith } from '../../common/index.ts';
import { recordingTracer } from '../../common/testing-tracer.ts';
import { type Database, DecryptError } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import type { BoundDestination, Delivery, DeliveryDeps } from './ports.ts';
import type { HistoryEntry } from './records.ts';
import {
  deliveriesOf,
  destinationOf,
  EMAIL,
  insertDeliveries,
  insertDestination,
  insertProperty,
  loaded,
  openPlatform,
  recorder,
  type TestPlatform,
  TOKEN,
  testDelivery,
  testDestination,
} from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 12);

describe.each(databases.backends)('delivery on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let platform: TestPlatform;
  const running: Delivery[] = [];
  beforeEach(async () => {
    now = START;
    home = await backend.fresh({ clock });
    db = await home.node();
    platform = await openPlatform();
    await insertProperty(db);
    await insertDestination(db);
  });
  afterEach(async () => {
    platform.close();
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await home.remove();
  });

  const delivery = (
    changes: Partial<BoundDestination> = {},
    deps: Partial<DeliveryDeps> = {},
    database = db,
  ): Delivery => {
    const one = testDelivery(database, platform, {
      clock,
      log: silentLog,
      destination: () => testDestination(changes),
      ...deps,
    });
    running.push(one);
    return one;
  };
  /** Another node's way to the database; on SQLite, which one process alone opens, another loop over the same. */
  const another = (): Promise<Database> => (backend.name === 'sqlite' ? Promise.resolve(db) : home.node());
  const states = async () => (await deliveriesOf(db)).map(({ state }) => state);
  const only = async () => {
    const [row] = await deliveriesOf(db);
    if (row === undefined) throw new Error('there is no delivery');
    return row;
  };
  const ONCE: Partial<BoundDestination> = { guarantee: () => 'at_most_once' };

  describe('what is due', () => {
    it('leaves in one request, oldest first, and is written down as delivered, masked', async () => {
      await insertDeliveries(db, 3, now);
      expect(await delivery().runOnce()).toBe(3);
      expect(platform.asked).toHaveLength(1);
      expect(platform.asked[0]?.ids).toEqual(['dlv_dst_1_00000', 'dlv_dst_1_00001', 'dlv_dst_1_00002']);
      expect(platform.asked[0]?.body).toContain(EMAIL);
      const row = await only();
      expect(row).toMatchObject({
        state: 'delivered',
        attempts: 1,
        sent_at: now,
        settled_at: now,
        next_at: null,
      });
      expect(row).toMatchObject({
        platform_event: 'Purchase',
        guarantee: 'dedup',
        lease: null,
        lease_until: null,
      });
      expect(row.request).toContain('dlv_dst_1_00000');
      expect(row.request).not.toContain('dlv_dst_1_00001');
      for (const secret of [TOKEN, EMAIL]) expect(row.request).not.toContain(secret);
      expect(JSON.parse(row.response ?? '')).toEqual({ status: 200, body: '{}' });
      expect(JSON.parse(row.history)).toEqual([
        { at: now, http_status: 200, ms: 0, verdict: 'delivered', message: null },
      ]);
      expect(await delivery().runOnce()).toBe(0);
    });

    it('is a trace for each request: platform, events and outcome, nothing of a person', async () => {
      const tracer = recordingTracer();
      await insertDeliveries(db, 3, now);
      await delivery({}, { trace: traceWith(tracer) }).runOnce();
      const { platform: name } = testDestination();
      expect(tracer.roots).toMatchObject([
        {
          name: `forward ${name}`,
          kind: 'client',
          ended: true,
          attributes: {
            'ghostlight.platform': name,
            'ghostlight.events': 3,
            'ghostlight.effect': 'ok',
            'http.response.status_code': 200,
          },
        },
      ]);
      for (const secret of [TOKEN, EMAIL]) expect(JSON.stringify(tracer.roots)).not.toContain(secret);
    });

    it('leaves in as many requests as groups, sizes and numbers ask for', async () => {
      await insertDeliveries(db, 10, now);
      const limits = { ...testDestination().limits, maxBatch: 4 };
      await delivery({ limits }).runOnce();
      expect(platform.asked.map(({ ids }) => ids.length).sort()).toEqual([2, 4, 4]);
      await insertDestination(db, { id: 'dst_2' });
      await insertDeliveries(db, 4, now, { destination_id: 'dst_2' });
      platform.asked.length = 0;
      const event = { pad: 'x'.repeat(600) };
      const decide: BoundDestination['decide'] = ({ id }) => ({
        event: { id, ...event },
        name: 'Purchase',
        group: id.slice(-1) < '2' ? 'a' : 'b',
      });
      await delivery({ decide, limits: { ...limits, maxBatch: 9, maxBytes: 4_000 } }).runOnce();
      expect(platform.asked).toHaveLength(2);
      expect(await states()).toEqual(Array.from({ length: 14 }, () => 'delivered'));
    });

    it('is cut to the bytes that a request may have, however many events fit its number', async () => {
      await insertDeliveries(db, 200, now);
      const decide: BoundDestination['decide'] = ({ id }) => ({
        event: { id: id.replace('cnv', 'dlv'), pad: 'x'.repeat(16_000) },
        name: 'x',
      });
      const loads: number[] = [];
      await delivery(
        { decide, limits: { ...testDestination().limits, maxBatch: 2_000, maxBytes: 500_000 } },
        {
          contexts: {
            load: async (rows) => {
              loads.push(rows.length);
              return new Map(rows.map((row) => [row.id, loaded(row)]));
            },
          },
        },
      ).runOnce();
      expect(Math.max(...platform.asked.map(({ body }) => body.length))).toBeLessThanOrEqual(500_000);
      expect(Math.max(...loads)).toBeLessThanOrEqual(100);
      expect(new Set(platform.asked.flatMap(({ ids }) => ids)).size).toBe(200);
      expect(platform.asked.flatMap(({ ids }) => ids)).toHaveLength(200);
    });

    it('is skipped where a rule says so, waits where another has to come first, and is held while it lies ahead', async () => {
      await insertDeliveries(db, 4, now);
      const contexts: DeliveryDeps['contexts'] = {
        load: async (rows) =>
          new Map(
            rows.map((row) => [
              row.id,
              row.id.endsWith('0')
                ? { skip: 'data_expired' }
                : row.id.endsWith('1')
                  ? { wait: MINUTE }
                  : loaded(row, row.id.endsWith('2') ? { occurredAt: START + 5 * MINUTE } : {}),
            ]),
          ),
      };
      await delivery(
        { decide: () => ({ skip: 'no_identifier', detail: 'Not even a click.' }) },
        { contexts },
      ).runOnce();
      const rows = await deliveriesOf(db);
      expect(rows.map(({ state, reason, next_at }) => ({ state, reason, next_at }))).toEqual([
        { state: 'skipped', reason: 'data_expired', next_at: null },
        { state: 'pending', reason: null, next_at: now + MINUTE },
        { state: 'pending', reason: null, next_at: now + 4 * MINUTE },
        { state: 'skipped', reason: 'no_identifier', next_at: null },
      ]);
      expect(rows[3]?.message).toMatch(/Not even a click\.$/);
      expect(rows[0]).toMatchObject({ attempts: 0, sent_at: null, settled_at: now });
      expect(platform.asked).toEqual([]);
    });

    it('ends with its destination', async () => {
      await insertDeliveries(db, 2, now);
      const accepted = { state: 'accepted_async', ref: 'x', next_at: now + HOUR } as const;
      await db.kysely.updateTable('deliveries').set(accepted).where('id', 'like', '%1').execute();
      await db.kysely.updateTable('destinations').set({ deleted_at: now }).execute();
      await delivery().runOnce();
      expect((await deliveriesOf(db)).map(({ state, reason }) => `${state} ${reason}`)).toEqual([
        'skipped destination_deleted',
        'delivered null',
      ]);
      expect(platform.asked).toEqual([]);
    });

    it('waits while its destination is paused, has an alarm, or is put off', async () => {
      await insertDeliveries(db, 1, now);
      for (const hindrance of [{ paused: 1 }, { alarm: '{}' }, { not_before: now + 1 }]) {
        await db.kysely
          .updateTable('destinations')
          .set({ paused: 0, alarm: null, not_before: null, ...hindrance })
          .execute();
        expect(await delivery().runOnce()).toBe(0);
      }
      await db.kysely.updateTable('destinations').set({ not_before: now }).execute();
      expect(await delivery().runOnce()).toBe(1);
    });

    it('tells who counts what came to its end', async () => {
      await insertDeliveries(db, 2, now);
      const counts: unknown[] = [];
      await delivery(
        {},
        {
          onOutcome: (...count) => void counts.push(count),
        },
      ).runOnce();
      expect(counts).toEqual([['webhook', 'delivered', 2]]);
    });
  });

  describe('two nodes', () => {
    it('never send one delivery twice, and share the work', async () => {
      const second = await another();
      const ids = await insertDeliveries(db, 400, now);
      platform.answer = async () => {
        await sleep(5);
        return {};
      };
      const limits = { ...testDestination().limits, maxBatch: 10 };
      const settled = await Promise.all([
        delivery({ limits }, { node: 'a' }).runOnce(),
        delivery({ limits }, { node: 'b' }, second).runOnce(),
      ]);
      expect(settled[0] + settled[1]).toBe(400);
      expect(platform.asked.flatMap(({ ids: sent }) => sent).sort()).toEqual(ids);
    });

    it('do not mix up an answer that comes after another has taken the delivery over', async () => {
      const second = await another();
      await insertDeliveries(db, 1, now);
      const slow = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      platform.answer = async () => {
        if (platform.asked.length > 1) return { status: 202 };
        arrived.resolve();
        await slow.promise;
        return { status: 500 };
      };
      const log = recorder();
      const first = delivery({}, { log }).runOnce();
      await arrived.promise;
      now += HOUR;
      expect(await delivery({}, {}, second).runOnce()).toBe(1);
      slow.resolve();
      expect(await first).toBe(0);
      expect(await only()).toMatchObject({ state: 'accepted_async', ref: 'ref-1', attempts: 1 });
      expect(log.lines.join()).toContain('answers came too late');
    });

    it('keep an answer that comes late, but before another node has claimed the delivery', async () => {
      await insertDeliveries(db, 1, now);
      platform.answer = async () => {
        now += HOUR;
        await db.kysely.updateTable('destinations').set({ paused: 1 }).execute();
        await delivery().runOnce();
        expect(await states()).toEqual(['unknown']);
        return {};
      };
      await delivery(ONCE).runOnce();
      expect(await states()).toEqual(['delivered']);
    });
  });

  describe('a crash', () => {
    /** The process ends while the platform has the request. */
    const crash = async (changes: Partial<BoundDestination>) => {
      const first = delivery(changes);
      const arrived = Promise.withResolvers<void>();
      platform.answer = () => {
        arrived.resolve();
        return 'hang';
      };
      first.runOnce().catch(() => undefined);
      await arrived.promise;
      platform.answer = () => ({});
    };

    it('leaves what may have left and would count twice as unknown, and does not send it again', async () => {
      await insertDeliveries(db, 2, now);
      await crash(ONCE);
      expect(await states()).toEqual(['sending', 'sending']);
      now += HOUR;
      await delivery(ONCE).runOnce();
      expect(await states()).toEqual(['unknown', 'unknown']);
      expect(await only()).toMatchObject({
        reason: 'interrupted',
        guarantee: 'at_most_once',
        settled_at: now,
        lease_until: null,
      });
      expect(platform.asked).toHaveLength(1);
    });

    it('has what the platform deduplicates sent again', async () => {
      await insertDeliveries(db, 2, now);
      await crash({});
      now += 10 * SECOND;
      expect(await delivery({}, { node: 'b' }).runOnce()).toBe(0);
      now += HOUR;
      expect(await delivery({}, { node: 'b' }).runOnce()).toBe(2);
      expect(platform.asked.map(({ ids }) => ids)).toEqual([platform.asked[0]?.ids, platform.asked[0]?.ids]);
    });

    it('of this node is made good when it starts again, without waiting for the lease', async () => {
      await insertDeliveries(db, 1, now);
      await crash({});
      const again = delivery();
      again.start();
      await expect.poll(states).toEqual(['delivered']);
    });

    it('before the request gives what had not left to the next node, whatever the guarantee', async () => {
      await insertDeliveries(db, 1, now);
      const stuck = Promise.withResolvers<never>();
      const begun = Promise.withResolvers<void>();
      const first = delivery(ONCE, {
        contexts: {
          load: () => {
            begun.resolve();
            return stuck.promise;
          },
        },
      }).runOnce();
      await begun.promise;
      expect(await states()).toEqual(['sending']);
      now += HOUR;
      expect(await delivery(ONCE, { node: 'b' }).runOnce()).toBe(1);
      expect(await states()).toEqual(['delivered']);
      stuck.reject(new Error('the end of the test'));
      await first;
    });

    it.each(['dedup', 'at_most_once'] as const)(
      'finds a delivery on disk as sending before its first byte leaves (%s)',
      async (guarantee) => {
        await insertDeliveries(db, 1, now);
        const seen: unknown[] = [];
        platform.answer = async () => {
          const { state, lease, lease_until } = await only();
          seen.push({ state, left: lease?.endsWith('/left'), until: (lease_until ?? 0) > now });
          return {};
        };
        await delivery({ guarantee: () => guarantee }).runOnce();
        expect(seen).toEqual([{ state: 'sending', left: guarantee === 'at_most_once', until: true }]);
      },
    );
  });

  describe('a batch that is refused', () => {
    it('is halved until the one bad event of a thousand is alone, in at most 2·log2(1000)+2 further requests', async () => {
      await insertDeliveries(db, 1_000, now);
      const bad = 'dlv_dst_1_00637';
      platform.answer = ({ ids }) => (ids.includes(bad) ? { status: 400 } : {});
      await delivery().runOnce();
      const rows = await deliveriesOf(db);
      expect(rows.filter(({ state }) => state === 'dead').map(({ id }) => id)).toEqual([bad]);
      expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(999);
      expect(platform.asked.length - 1).toBeLessThanOrEqual(2 * Math.log2(1_000) + 2);
      expect(rows.find(({ id }) => id === bad)).toMatchObject({ reason: 'http_400', split: null });
      expect((await destinationOf(db)).failures).toBe(0);
    });

    it('goes on with its halves after a crash in the middle', async () => {
      await insertDeliveries(db, 8, now);
      let requests = 0;
      platform.answer = ({ ids }) => {
        requests += 1;
        if (requests === 3) return { status: 401 };
        return ids.includes('dlv_dst_1_00000') ? { status: 400 } : {};
      };
      await delivery().runOnce();
      const labels = new Set(
        (await deliveriesOf(db)).filter(({ state }) => state !== 'delivered').map(({ split }) => split),
      );
      expect(labels.size).toBeGreaterThan(1);
      await db.kysely.updateTable('destinations').set({ alarm: null }).execute();
      await delivery({}, { node: 'b' }).runOnce();
      expect((await states()).sort()).toEqual(['dead', ...Array.from({ length: 7 }, () => 'delivered')]);
    });

    it('is halved when it is larger than the platform takes, and an event that is so alone is refused', async () => {
      await insertDeliveries(db, 4, now);
      const build: BoundDestination['build'] = (events, auth) => {
        const request = testDestination().build(events, auth);
        return { ...request, body: `${request.body}${' '.repeat(events.length * 1_500)}` };
      };
      const small = { ...testDestination().limits, maxBytes: 4_000 };
      await delivery({ build, limits: small }).runOnce();
      expect(await states()).toEqual(Array.from({ length: 4 }, () => 'delivered'));
      expect(platform.asked.every(({ body }) => body.length <= 4_000)).toBe(true);
      await db.kysely.updateTable('deliveries').set({ state: 'pending', next_at: now }).execute();
      await delivery({ build, limits: { ...small, maxBytes: 1_000 } }).runOnce();
      expect((await deliveriesOf(db)).map(({ reason }) => reason)).toEqual(
        Array.from({ length: 4 }, () => 'too_large'),
      );
    });
  });

  describe('what failed', () => {
    it('is tried again later and later, and is dead a day after the first attempt', async () => {
      await insertDeliveries(db, 1, now);
      platform.answer = () => ({ status: 500 });
      const waits: number[] = [];
      for (let guard = 0; guard < 500; guard += 1) {
        await delivery().runOnce();
        const { state, next_at } = await only();
        if (state === 'dead') break;
        const put = (await destinationOf(db)).not_before ?? 0;
        waits.push((next_at ?? 0) - now);
        now = Math.max(next_at ?? 0, put);
      }
      expect(waits.slice(0, 4)).toEqual([5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND]);
      expect(Math.max(...waits)).toBe(15 * MINUTE);
      const row = await only();
      expect(row).toMatchObject({ state: 'dead', reason: 'gave_up' });
      expect(row.message).toContain('It answered 500.');
      expect((row.settled_at ?? 0) - START).toBeGreaterThanOrEqual(24 * HOUR);
      expect((row.settled_at ?? 0) - START).toBeLessThan(24 * HOUR + 15 * MINUTE);
      expect(JSON.parse(row.history) as HistoryEntry[]).toHaveLength(10);
    });

    it('is dead, not skipped, when it grew too old in the meantime; and skipped without an attempt', async () => {
      await insertDeliveries(db, 2, now);
      await db.kysely
        .updateTable('deliveries')
        .set({ next_at: now + HOUR })
        .where('id', '=', 'dlv_dst_1_00001')
        .execute();
      platform.answer = () => ({ status: 500 });
      await delivery().runOnce();
      now += 8 * 24 * HOUR;
      await delivery({ decide: () => ({ skip: 'too_old' }) }).runOnce();
      expect((await deliveriesOf(db)).map(({ state, reason }) => `${state} ${reason}`)).toEqual([
        'dead gave_up',
        'skipped too_old',
      ]);
    });

    it.each([
      ['seconds', () => '120', 120 * SECOND],
      ['a date', () => new Date(START + 300 * SECOND).toUTCString(), 300 * SECOND],
      ['too little', () => '0', SECOND],
      ['too much', () => '86400', HOUR],
      ['nonsense', () => 'soon', MINUTE],
    ])('waits as Retry-After asks: %s', async (_name, header, expected) => {
      await insertDeliveries(db, 2, now);
      platform.answer = () => ({ status: 429, headers: { 'Retry-After': header() } });
      await delivery({ limits: { ...testDestination().limits, maxBatch: 1 } }).runOnce();
      expect((await destinationOf(db)).not_before).toBe(now + expected);
      expect(platform.asked.length).toBeLessThanOrEqual(2);
      platform.answer = () => ({});
      now += expected - 1;
      expect(await delivery().runOnce()).toBe(0);
      now += 1;
      expect(await delivery().runOnce()).toBe(2);
      expect((await only()).attempts).toBe(1);
    });

    it('of a server that is overloaded waits as it asks too', async () => {
      await insertDeliveries(db, 1, now);
      platform.answer = () => ({ status: 503, headers: { 'Retry-After': '90' } });
      await delivery(ONCE).runOnce();
      expect(await only()).toMatchObject({ state: 'retry', next_at: now + 90 * SECOND, attempts: 1 });
      expect((await destinationOf(db)).not_before).toBe(now + 90 * SECOND);
    });

    it('for the quota of a day waits for the next one', async () => {
      await insertDeliveries(db, 1, now);
      const classify: BoundDestination['classify'] = (_response, events) =>
        events.map(() => ({ kind: 'throttled', scope: 'day', code: 'quota', message: 'No more today.' }));
      await delivery({ classify }).runOnce();
      expect((await destinationOf(db)).not_before).toBe(Date.UTC(2026, 10, 22));
      expect(await only()).toMatchObject({ state: 'retry', reason: 'quota', attempts: 0, sent_at: null });
    });

    it.each([
      ['dedup', 'retry'],
      ['at_most_once', 'unknown'],
    ] as const)('without an answer is, for %s, %s', async (guarantee, state) => {
      await insertDeliveries(db, 1, now);
      platform.answer = () => 'cut';
      await delivery({ guarantee: () => guarantee }).runOnce();
      expect(await only()).toMatchObject({ state, reason: 'unreachable', guarantee });
      await db.kysely.updateTable('deliveries').set({ state: 'pending', next_at: now }).execute();
      await db.kysely.updateTable('destinations').set({ not_before: null, failures: 0 }).execute();
      platform.answer = () => ({ status: 500 });
      await delivery({ guarantee: () => guarantee }).runOnce();
      expect(await only()).toMatchObject({ state, reason: 'http_500' });
    });

    it('before it could leave is tried again, whatever the guarantee', async () => {
      await insertDeliveries(db, 1, now);
      platform.close();
      await delivery(ONCE).runOnce();
      expect(await only()).toMatchObject({ state: 'retry', reason: 'unreachable' });
    });

    it('by a bug of ours is tried again alone, and delays no other', async () => {
      await insertDeliveries(db, 3, now);
      const decide: BoundDestination['decide'] = (conversion, context, at) => {
        if (conversion.id.endsWith('1')) throw new TypeError(`what of ${EMAIL}`);
        return testDestination().decide(conversion, context, at);
      };
      const log = recorder();
      await delivery({ decide }, { log }).runOnce();
      expect(await states()).toEqual(['delivered', 'retry', 'delivered']);
      expect(log.lines.join()).toContain('TypeError at delivery.test.ts');
      expect(log.lines.join()).not.toContain(EMAIL);
    });
  });

  describe('the breaker', () => {
    it('opens after five requests that failed in a row, tries one event, and closes when that gets through', async () => {
      await insertDeliveries(db, 20, now);
      platform.answer = () => ({ status: 500 });
      const limits = { ...testDestination().limits, maxBatch: 2 };
      const one = delivery({ limits });
      await one.runOnce();
      expect(await destinationOf(db)).toMatchObject({ failures: 5, not_before: now + 30 * SECOND });
      const before = platform.asked.length;
      now += 30 * SECOND - 1;
      expect(await one.runOnce()).toBe(0);
      now += 1;
      await one.runOnce();
      expect(platform.asked.slice(before).map(({ ids }) => ids.length)).toEqual([1]);
      expect(await destinationOf(db)).toMatchObject({ failures: 6, not_before: now + 60 * SECOND });
      now += 60 * SECOND;
      platform.answer = () => ({});
      await one.runOnce();
      expect(await destinationOf(db)).toMatchObject({ failures: 0, not_before: null });
      expect(
        platform.asked
          .slice(before + 1)
          .map(({ ids }) => ids.length)
          .slice(0, 2),
      ).toEqual([1, 2]);
      now += HOUR;
      await one.runOnce();
      expect(new Set(await states())).toEqual(new Set(['delivered']));
    });

    it('stays open a quarter of an hour at most', async () => {
      await insertDeliveries(db, 3, now);
      await db.kysely.updateTable('destinations').set({ failures: 40, not_before: now }).execute();
      platform.answer = () => ({ status: 500 });
      await delivery().runOnce();
      expect(((await destinationOf(db)).not_before ?? 0) - now).toBe(15 * MINUTE);
    });

    it('lets one node alone try', async () => {
      const second = await another();
      await insertDeliveries(db, 5, now);
      await db.kysely.updateTable('destinations').set({ failures: 7, not_before: now }).execute();
      platform.answer = () => ({ status: 500 });
      await Promise.all([delivery().runOnce(), delivery({}, { node: 'b' }, second).runOnce()]);
      expect(platform.asked.map(({ ids }) => ids.length)).toEqual([1]);
    });
  });

  describe('a destination', () => {
    it('that is dead delays no other', async () => {
      await insertDestination(db, { id: 'dst_2' });
      await insertDeliveries(db, 50, now);
      await insertDeliveries(db, 50, now, { destination_id: 'dst_2' });
      platform.answer = ({ ids }) => (ids.some((id) => id.includes('dst_1')) ? 'hang' : {});
      // Who waited for the dead one would not come to an end.
      const limits = { ...testDestination().limits, maxBatch: 5, timeoutMs: 600_000 };
      const one = delivery({ limits });
      one.start();
      const sound = async () =>
        (await deliveriesOf(db)).filter((row) => row.destination_id === 'dst_2' && row.state === 'delivered')
          .length;
      await expect.poll(sound).toBe(50);
      platform.close();
    });

    it('whose credential is refused waits with an alarm, and nothing is lost or counted', async () => {
      await insertDeliveries(db, 30, now);
      platform.answer = () => ({ status: 401 });
      await delivery({ limits: { ...testDestination().limits, maxBatch: 10 } }).runOnce();
      const row = await destinationOf(db);
      expect(JSON.parse(row.alarm ?? '')).toEqual({
        kind: 'auth',
        code: 'http_401',
        message: 'It answered 401.',
        at: now,
      });
      expect(row).toMatchObject({ paused: 0, failures: 0, updated_at: 0 });
      const rows = await deliveriesOf(db);
      expect(
        rows.every(
          ({ state, attempts, sent_at, next_at }) =>
            state === 'pending' && attempts === 0 && sent_at === null && next_at === START,
        ),
      ).toBe(true);
      const asked = platform.asked.length;
      now += 2 * 24 * HOUR;
      expect(await delivery().runOnce()).toBe(0);
      expect(platform.asked).toHaveLength(asked);
      platform.answer = () => ({});
      await db.kysely.updateTable('destinations').set({ alarm: null, revision: 2 }).execute();
      expect(await delivery().runOnce()).toBe(30);
    });

    it('whose settings can not be read any more gets an alarm too', async () => {
      await insertDeliveries(db, 1, now);
      const destinations = {
        open: () => {
          throw new Error('x');
        },
        seal: () => '',
      };
      await delivery({}, { destinations }).runOnce();
      expect(JSON.parse((await destinationOf(db)).alarm ?? '')).toMatchObject({
        kind: 'config',
        code: 'settings_unreadable',
      });
      expect(await states()).toEqual(['pending']);
    });

    it('whose credentials this node can not open is left to the others, and only what no node takes is an alarm', async () => {
      await insertDeliveries(db, 3, now);
      let isReadable = false;
      const destinations = {
        open: () => {
          if (isReadable) return testDestination();
          throw new DecryptError('Set SECRET_KEY_PREVIOUS.');
        },
        seal: () => '',
      };
      const old = delivery({}, { destinations });
      expect(await old.runOnce()).toBe(0);
      expect((await destinationOf(db)).alarm).toBeNull();
      // A node with the key works meanwhile.
      await delivery({}, { node: 'node-b' }).runOnce();
      expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
      await insertDeliveries(db, 1, now, { id: 'dlv_late', conversion_row: 'cnv_late' });
      now += 5 * MINUTE;
      await old.runOnce();
      expect(JSON.parse((await destinationOf(db)).alarm ?? '')).toMatchObject({
        kind: 'config',
        code: 'credentials_unreadable',
        message: 'Set SECRET_KEY_PREVIOUS.',
      });
      // Another restart, with the key: the alarm goes by itself.
      isReadable = true;
      await delivery({}, { destinations }).runOnce();
      expect((await destinationOf(db)).alarm).toBeNull();
      expect(await states()).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
    });

    it('whose conversions this node can not open gives them back until another can, or until they are too old', async () => {
      await insertDeliveries(db, 200, now);
      const occurred = now;
      const blind: DeliveryDeps['contexts'] = {
        load: async (rows) => new Map(rows.map((row) => [row.id, { sealed: occurred }])),
      };
      await delivery({}, { contexts: blind }).runOnce();
      expect(new Set(await states())).toEqual(new Set(['pending']));
      const [first] = await deliveriesOf(db);
      expect(first).toMatchObject({
        ...{ reason: 'data_sealed', attempts: 0, sent_at: null, lease: null, next_at: now + 10_000 },
        message: 'The node that tried has no SECRET_KEY that decrypts its data; another node may have it.',
      });
      now += 10_000;
      expect(await delivery({}, { node: 'node-b' }).runOnce()).toBe(200);
      expect(new Set(await states())).toEqual(new Set(['delivered']));
      expect(platform.asked.flatMap(({ ids }) => ids)).toHaveLength(200);
      // Lost permanently: it ends as too old, which is what it is by then.
      await insertDeliveries(db, 1, now, { id: 'dlv_lost', conversion_row: 'cnv_lost' });
      now += 8 * 24 * HOUR;
      await delivery({}, { contexts: blind }).runOnce();
      expect((await deliveriesOf(db)).find(({ id }) => id === 'dlv_lost')).toMatchObject({
        state: 'skipped',
        reason: 'too_old',
      });
    });

    it('whose settings lead elsewhere is not sent to', async () => {
      await insertDeliveries(db, 1, now);
      const build: BoundDestination['build'] = (events, auth) => ({
        ...testDestination().build(events, auth),
        url: 'https://platform.example@evil.example/',
      });
      await delivery({ build }).runOnce();
      expect(JSON.parse((await destinationOf(db)).alarm ?? '')).toMatchObject({
        kind: 'config',
        code: 'wrong_host',
      });
      expect(platform.asked).toEqual([]);
    });

    it('that was changed since it was read is read again before anything leaves', async () => {
      await insertDeliveries(db, 1, now);
      let opened = 0;
      const one = testDelivery(db, platform, {
        clock,
        log: silentLog,
        destination: (row) => {
          opened = row.revision;
          return testDestination();
        },
      });
      running.push(one);
      await db.kysely.updateTable('destinations').set({ revision: 9 }).execute();
      await one.runOnce();
      expect(opened).toBe(9);
    });

    it('gets no more requests in a minute than it allows', async () => {
      await insertDeliveries(db, 40, now);
      const one = delivery({ limits: { ...testDestination().limits, maxBatch: 1, perMinute: 10 } });
      for (const end = now + MINUTE; now < end; now += SECOND) await one.runOnce();
      expect(platform.asked.length).toBeGreaterThan(5);
      expect(platform.asked.length).toBeLessThanOrEqual(10);
      expect((await states()).filter((state) => state === 'pending')).toHaveLength(
        40 - platform.asked.length,
      );
    });
  });

  describe('a stop', () => {
    it('waits for what is under way and gives the rest back', async () => {
      await insertDeliveries(db, 10, now);
      const arrived = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      platform.answer = async () => {
        arrived.resolve();
        await go.promise;
        return {};
      };
      const decide: BoundDestination['decide'] = (conversion) => ({
        event: { id: conversion.id },
        name: 'x',
        group: conversion.id,
      });
      const one = delivery({ decide, ...ONCE });
      one.start();
      await arrived.promise;
      const stopping = one.stop();
      go.resolve();
      await stopping;
      const after = await states();
      expect(after.filter((state) => state === 'delivered')).toHaveLength(platform.asked.length);
      expect(after.filter((state) => state === 'pending')).toHaveLength(10 - platform.asked.length);
      expect(platform.asked.length).toBeLessThanOrEqual(4);
      expect((await deliveriesOf(db)).every(({ lease }) => lease === null)).toBe(true);
    });

    it('finds nothing to do in a loop that was never started', async () => {
      await delivery().stop();
    });

    it('begins with what is due, and a nudge wakes it', async () => {
      const one = delivery();
      one.start();
      await insertDeliveries(db, 1, now);
      one.nudge();
      await expect.poll(states).toEqual(['delivered']);
    });
  });

  it('writes no credential and no email into its log, whatever happens', async () => {
    await insertDeliveries(db, 3, now);
    const log = recorder();
    const one = delivery({}, { log });
    for (const status of [500, 401, 400]) {
      platform.answer = () => ({ status, body: JSON.stringify({ error: `${EMAIL} with ${TOKEN}` }) });
      await one.runOnce();
      now += HOUR;
      if (status === 401) await db.kysely.updateTable('destinations').set({ alarm: null }).execute();
    }
    platform.close();
    await db.kysely.updateTable('destinations').set({ failures: 4 }).execute();
    await db.kysely.updateTable('deliveries').set({ state: 'pending', next_at: now }).execute();
    await one.runOnce();
    expect(log.lines.length).toBeGreaterThan(1);
    for (const secret of [TOKEN, EMAIL]) {
      expect(log.lines.join()).not.toContain(secret);
      expect(JSON.stringify(await deliveriesOf(db))).not.toContain(secret);
      expect((await destinationOf(db)).alarm ?? '').not.toContain(secret);
    }
  });
});
