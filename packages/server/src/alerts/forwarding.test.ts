/** The rule about forwarding, on real destinations and deliveries. */
import { HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { retentionLimits } from '../common/index.ts';
import { createSecretCipher } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { openHome, type TestHome } from '../forwarding/testing.ts';
import { createSend } from '../outbound/index.ts';
import { openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { type Alerts, createAlerts } from './index.ts';

const databases = await openTestDatabases();
let store: TestWarehouse;
beforeAll(async () => {
  store = await openTestWarehouse();
});
afterAll(async () => {
  await store.close();
  await databases.close();
});

let database: TestDatabase;
let home: TestHome;
let alerts: Alerts;
beforeEach(async () => {
  const [backend] = databases.backends;
  if (backend === undefined) throw new Error('There is no backend');
  database = await backend.fresh();
  home = await openHome(database);
  alerts = createAlerts({
    database: home.db,
    warehouse: store.warehouse,
    cipher: createSecretCipher('a secret of at least thirty-two characters'),
    forwarding: home.forwarding,
    retention: retentionLimits({ retentionDays: 90, visitorRetentionDays: 90, dailyDays: 400 }),
    send: createSend({ hosts: new Map() }),
    mailer: null,
    appBaseUrl: () => 'https://app.example',
    rotating: false,
    clock: home.now,
    log: silentLog,
  });
});
afterEach(async () => {
  await home.close();
  await database.remove();
});

const found = async () => {
  await alerts.look();
  const { items } = await alerts.list(home.property, { limit: 50 });
  return items.map(({ alert }) => ({
    title: alert.title,
    text: alert.text,
    isOpen: alert.resolved_at === null,
  }));
};
const purchases = async (count: number) => {
  home.pass(1_000);
  home.visit('v1');
  for (let index = 0; index < count; index += 1)
    await home.post('purchase', {
      ...{ conversion_id: `order-${home.now()}-${index}`, visitor_id: 'v1', value: '10', currency: 'EUR' },
      user_data: { email: 'a@b.example' },
    });
  await home.forwarding.runOnce();
};

it('a destination that needs a configuration fix opens an alert, until it is fixed', async () => {
  const id = await home.connect({ name: 'Shop ads' });
  expect(await found()).toEqual([]);
  home.answer({ status: 401, body: 'the token has expired' });
  await purchases(1);
  expect(await found()).toEqual([
    {
      title: 'Forwarding to Shop ads is failing',
      text: expect.stringMatching(/^It needs a configuration fix: .*token/),
      isOpen: true,
    },
  ]);
  // It is shown as it is now: its page has no days.
  const { items } = await alerts.list(home.property, { limit: 50 });
  expect(items.map(({ link }) => link)).toEqual([`/destinations/${id}`]);
  home.answer({ status: 200 });
  await home.forwarding.destinations.update(home.property, 'root', id, { clearAlarm: true });
  await home.forwarding.runOnce();
  expect(await found()).toMatchObject([{ title: 'Forwarding to Shop ads failed', isOpen: false }]);
});

it('a few lost deliveries are no alert, more of them are; a deleted destination opens none', async () => {
  const id = await home.connect({ name: 'Shop ads' });
  home.answer({ status: 400, body: 'no' });
  await purchases(4);
  expect(await found()).toEqual([]);
  await purchases(1);
  expect(await found()).toEqual([
    {
      title: 'Forwarding to Shop ads is failing',
      text: 'All 5 deliveries in 24 hours failed or had an unknown outcome.',
      isOpen: true,
    },
  ]);
  await home.forwarding.destinations.delete(home.property, 'root', id);
  expect(await found()).toMatchObject([{ isOpen: false }]);
});

it('a delivery that waits for hours opens an alert, unless a person has paused the destination', async () => {
  const id = await home.connect({ name: 'Shop ads' });
  home.answer({ status: 500 });
  await purchases(1);
  home.pass(5 * HOUR_MS);
  expect(await found()).toEqual([]);
  home.pass(HOUR_MS);
  expect(await found()).toEqual([
    {
      title: 'Forwarding to Shop ads is failing',
      text: 'A delivery has been waiting for 6 hours.',
      isOpen: true,
    },
  ]);
  await home.forwarding.destinations.update(home.property, 'root', id, { paused: true });
  expect(await found()).toMatchObject([{ isOpen: false }]);
});
