import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../../database/testing.ts';
import type { OAuth } from '../../destinations/index.ts';
import type { BoundDestination, Delivery, DeliveryDeps, DestinationRow } from './ports.ts';
import {
  deliveriesOf,
  destinationOf,
  HOST,
  insertDeliveries,
  insertDestination,
  insertProperty,
  openPlatform,
  sealed,
  type TestPlatform,
  testDelivery,
  testDestination,
  unsealed,
} from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 12);

const oauth: OAuth = {
  tokenRequest: ({ refresh_token: token }) => ({
    ...{ method: 'POST', url: `https://${HOST}/token`, headers: {} },
    body: `refresh_token=${token}`,
  }),
  readToken: ({ status, body }) => {
    if (status === 200) return JSON.parse(body) as { accessToken: string; expiresInMs: number };
    const said = { code: 'invalid_grant', message: 'The authorisation was withdrawn.' };
    return status === 400 ? { kind: 'auth', ...said } : { kind: 'retry', ...said };
  },
};

describe.each(databases.backends)('a destination with OAuth on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let platform: TestPlatform;
  let token: (body: string) => { status?: number; body?: string };
  const running: Delivery[] = [];
  beforeEach(async () => {
    now = START;
    home = await backend.fresh({ clock });
    db = await home.node();
    platform = await openPlatform();
    await insertProperty(db);
    await insertDestination(db, { credentials: sealed('dst_1', { refresh_token: 'first' }) });
    let issued = 0;
    token = () => {
      issued += 1;
      return { body: JSON.stringify({ accessToken: `access-${issued}`, expiresInMs: 60 * MINUTE }) };
    };
    platform.answer = ({ path, body }) => (path === '/token' ? token(body) : {});
  });
  afterEach(async () => {
    platform.close();
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await home.remove();
  });

  const bound = (row: DestinationRow): BoundDestination =>
    testDestination({ oauth, credentials: unsealed(row) });
  const delivery = (database = db, deps: Partial<DeliveryDeps> = {}): Delivery => {
    const one = testDelivery(database, platform, { clock, log: silentLog, destination: bound, ...deps });
    running.push(one);
    return one;
  };
  const tokens = () => platform.asked.filter(({ path }) => path === '/token');
  const bearers = () =>
    platform.asked.filter(({ path }) => path !== '/token').map(({ headers }) => headers.authorization);
  const due = () => db.kysely.updateTable('deliveries').set({ state: 'pending', next_at: now }).execute();

  it('gets one token for many requests at once, and another a minute before it ends', async () => {
    await insertDeliveries(db, 60, now);
    const one = delivery(db);
    const small = (row: DestinationRow) => ({
      ...bound(row),
      limits: { ...testDestination().limits, maxBatch: 3 },
    });
    const many = testDelivery(db, platform, { clock, log: silentLog, destination: small });
    running.push(many);
    expect(await many.runOnce()).toBe(60);
    expect(tokens()).toHaveLength(1);
    expect(new Set(bearers())).toEqual(new Set(['Bearer access-1']));
    now += 59 * MINUTE;
    await due();
    await many.runOnce();
    expect(tokens()).toHaveLength(2);
    await one.stop();
  });

  it('has a replaced refresh token encrypted and used by every node from then on, each only once', async () => {
    const other = backend.name === 'sqlite' ? db : await home.node();
    const used: string[] = [];
    token = (body) => {
      used.push(body);
      return {
        body: JSON.stringify({
          accessToken: `a-${used.length}`,
          expiresInMs: 5 * MINUTE,
          refreshToken: `next-${used.length}`,
        }),
      };
    };
    await insertDeliveries(db, 40, now);
    const nodes = [delivery(db), delivery(other, { node: 'b' })];
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(nodes.map((node) => node.runOnce()));
      now += 10 * MINUTE;
      await due();
    }
    expect(new Set(used).size).toBe(used.length);
    expect(unsealed(await destinationOf(db))).toEqual({ refresh_token: `next-${used.length}` });
    expect((await destinationOf(db)).credentials_at).toBe(0);
    expect((await destinationOf(db)).alarm).toBeNull();
  });

  it('keeps credentials that were entered while the old ones were being used', async () => {
    await insertDeliveries(db, 1, now);
    platform.answer = async ({ path }) => {
      if (path !== '/token') return {};
      const credentials = sealed('dst_1', { refresh_token: 'entered' });
      await db.kysely.updateTable('destinations').set({ credentials, revision: 7 }).execute();
      return { body: JSON.stringify({ accessToken: 'a', expiresInMs: MINUTE, refreshToken: 'replaced' }) };
    };
    await delivery().runOnce();
    expect(unsealed(await destinationOf(db))).toEqual({ refresh_token: 'entered' });
  });

  it('asks for a new token when one is refused before its time, and gives an alarm only when that is refused too', async () => {
    await insertDeliveries(db, 1, now);
    const one = delivery();
    await one.runOnce();
    await due();
    const refused = new Set(['Bearer access-1']);
    platform.answer = ({ path, body, headers }) =>
      path === '/token' ? token(body) : { status: refused.has(headers.authorization ?? '') ? 401 : 200 };
    await one.runOnce();
    expect((await deliveriesOf(db))[0]).toMatchObject({ state: 'delivered', attempts: 2 });
    expect((await destinationOf(db)).alarm).toBeNull();
    await due();
    for (const n of [2, 3, 4]) refused.add(`Bearer access-${n}`);
    await one.runOnce();
    expect((await deliveriesOf(db))[0]?.state).toBe('retry');
    expect(JSON.parse((await destinationOf(db)).alarm ?? '')).toMatchObject({
      kind: 'auth',
      code: 'http_401',
    });
  });

  it('gets an alarm when no token is to be had any more, and waits when the other side is ill', async () => {
    await insertDeliveries(db, 1, now);
    token = () => ({ status: 503 });
    await delivery().runOnce();
    expect(await destinationOf(db)).toMatchObject({ failures: 1, not_before: now + 5_000, alarm: null });
    expect((await deliveriesOf(db))[0]).toMatchObject({ state: 'pending', attempts: 0, lease: null });
    now += 5_000;
    token = () => ({ status: 400 });
    await delivery().runOnce();
    expect(JSON.parse((await destinationOf(db)).alarm ?? '')).toMatchObject({
      kind: 'auth',
      code: 'invalid_grant',
    });
    expect(bearers()).toEqual([]);
  });
});
