import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import type { Verdict } from '../../destinations/index.ts';
import type { BoundPoll, Delivery } from './ports.ts';
import {
  type Asked,
  deliveriesOf,
  destinationOf,
  HOST,
  insertDeliveries,
  insertDestination,
  insertProperty,
  openPlatform,
  type TestPlatform,
  testDelivery,
  testDestination,
} from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 12);

/** Takes the outcome from the answer's body; an empty one: not yet. */
const poll: BoundPoll = {
  ...{ firstAfterMs: 30 * MINUTE, everyMs: 10 * MINUTE, giveUpAfterMs: 24 * HOUR },
  build: (ref) => ({ method: 'GET', url: `https://${HOST}/status?ref=${ref}`, headers: {}, body: null }),
  classify: ({ body }) => (body === '' ? null : (JSON.parse(body) as Verdict)),
};

describe.each(databases.backends)('a platform that evaluates later on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let platform: TestPlatform;
  let one: Delivery;
  let accepted: Map<string, readonly string[]>;
  let status: (ids: readonly string[], asked: Asked) => { status?: number; body?: string };
  beforeEach(async () => {
    now = START;
    home = await backend.fresh({ clock });
    db = await home.node();
    platform = await openPlatform();
    await insertProperty(db);
    await insertDestination(db);
    accepted = new Map();
    status = () => ({ body: '' });
    platform.answer = (asked) => {
      const ref = new URL(asked.path, platform.base).searchParams.get('ref');
      if (ref !== null) return status(accepted.get(ref) ?? [], asked);
      accepted.set(`r${accepted.size + 1}`, asked.ids);
      return { body: `r${accepted.size}` };
    };
    const destination = () =>
      testDestination({
        poll,
        classify: ({ body }, events) => events.map(() => ({ kind: 'accepted', ref: body })),
      });
    one = testDelivery(db, platform, { clock, log: silentLog, destination });
  });
  afterEach(async () => {
    platform.close();
    await one.stop();
    await home.remove();
  });
  const questions = () => platform.asked.filter(({ path }) => path.startsWith('/status')).length;
  const states = async () => (await deliveriesOf(db)).map(({ state }) => state);
  const say = (verdict: Verdict) => ({ body: JSON.stringify(verdict) });

  it('is asked once for each request, after the time that it needs, and then what it said counts', async () => {
    await insertDeliveries(db, 3, now);
    await one.runOnce();
    expect(await deliveriesOf(db)).toMatchObject(
      [0, 1, 2].map(() => ({
        state: 'accepted_async',
        ref: 'r1',
        next_at: now + 30 * MINUTE,
        settled_at: null,
      })),
    );
    now += 30 * MINUTE - 1;
    await one.runOnce();
    expect(questions()).toBe(0);
    now += 1;
    await one.runOnce();
    expect(questions()).toBe(1);
    expect((await deliveriesOf(db))[0]).toMatchObject({
      state: 'accepted_async',
      next_at: now + 10 * MINUTE,
    });
    now += 10 * MINUTE;
    status = () => say({ kind: 'delivered', message: 'All three.' });
    expect(await one.runOnce()).toBe(3);
    expect(questions()).toBe(2);
    const [row] = await deliveriesOf(db);
    expect(row).toMatchObject({
      state: 'delivered',
      attempts: 1,
      message: 'All three.',
      sent_at: START,
      settled_at: now,
    });
    expect(row?.request).toContain('dlv_dst_1_00000');
    expect(row?.response).toContain('All three.');
  });

  it('finds the one bad event of many by halves, though it names none', async () => {
    await insertDeliveries(db, 64, now);
    const bad = 'dlv_dst_1_00041';
    status = (ids) =>
      say(
        ids.includes(bad)
          ? { kind: 'bisect', code: 'partly', message: 'One was bad.' }
          : { kind: 'delivered' },
      );
    for (let round = 0; round < 10; round += 1) {
      await one.runOnce();
      now += 30 * MINUTE;
    }
    const rows = await deliveriesOf(db);
    expect(rows.filter(({ state }) => state === 'dead').map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      `${bad} partly`,
    ]);
    expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(63);
    expect(accepted.size - 1).toBeLessThanOrEqual(2 * Math.log2(64) + 2);
  });

  it('that can not be asked is asked again, and what it has is not sent twice', async () => {
    await insertDeliveries(db, 2, now);
    await one.runOnce();
    now += 30 * MINUTE;
    status = () => ({ status: 500, body: JSON.stringify({ kind: 'retry', code: 'x', message: 'x' }) });
    await one.runOnce();
    expect(await states()).toEqual(['accepted_async', 'accepted_async']);
    status = () => say({ kind: 'retry', code: 'internal', message: 'It was lost there.' });
    now += 10 * MINUTE;
    await one.runOnce();
    expect(await states()).toEqual(['retry', 'retry']);
    expect(accepted.size).toBe(1);
  });

  it('that never says anything has acknowledged it, which counts after its time', async () => {
    await insertDeliveries(db, 1, now);
    for (const end = now + 25 * HOUR; now < end; now += 10 * MINUTE) await one.runOnce();
    const [row] = await deliveriesOf(db);
    expect(row?.state).toBe('delivered');
    expect(row?.message).toContain('has not reported on it');
    expect((row?.settled_at ?? 0) - START).toBeLessThanOrEqual(24 * HOUR + 10 * MINUTE);
  });

  it('gives an alarm when it does not accept the credential, and is asked again when it has been fixed', async () => {
    await insertDeliveries(db, 1, now);
    await one.runOnce();
    now += 30 * MINUTE;
    status = () => say({ kind: 'auth', code: 'denied', message: 'No.' });
    await one.runOnce();
    expect(JSON.parse((await destinationOf(db)).alarm ?? '')).toMatchObject({ kind: 'auth', code: 'denied' });
    expect(await states()).toEqual(['accepted_async']);
    await db.kysely.updateTable('destinations').set({ alarm: null, revision: 2 }).execute();
    status = () => say({ kind: 'refused', code: 'EVENT_TOO_OLD', message: 'Too old.' });
    now += 10 * MINUTE;
    await one.runOnce();
    expect((await deliveriesOf(db))[0]).toMatchObject({
      state: 'dead',
      reason: 'EVENT_TOO_OLD',
      message: 'Too old.',
    });
  });
});
