import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { daysIn, UTC } from '../common/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { rateOf, type Sums } from './accuracy.ts';
import { STATES, type State } from './states.ts';
import { openHome, order, START, type TestHome } from './testing.ts';
import { accuracyView } from './views.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const parts = ({ created: _created, skipped, ...sums }: Sums): number =>
  sums.delivered +
  sums.accepted +
  sums.waiting +
  sums.dead +
  sums.unknown +
  Object.values(skipped).reduce((sum, count) => sum + count, 0);

describe.each(databases.backends)('the accuracy report on $name', (backend) => {
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
  const report = (from = START - DAY_MS, to = home.now() + 1, timeZone = UTC) =>
    home.forwarding.accuracy(home.property, { from, to }, daysIn(timeZone));

  it('says what became of every conversion, by destination and day of its reception', async () => {
    const meta = await home.connect({ name: 'One' });
    const deleted = await home.connect({ platform: 'tiktok', name: 'Two' });
    await home.connect({ platform: 'tiktok', name: 'Idle' });
    await home.post('purchase', order('1'));
    await home.post('custom', order('2', { event_name: 'Quote' }));
    await home.post('lead', { conversion_id: '3' });
    await home.forwarding.runOnce();
    await home.forwarding.destinations.delete(home.property, 'root', deleted);
    home.pass(DAY_MS);
    home.answer({ status: 400, body: 'no' });
    await home.post('purchase', order('4'));
    await home.forwarding.runOnce();
    await home.post('purchase', order('5'));
    const { days, totals } = accuracyView(await report());
    expect(days.map(({ day, received, matched }) => [day, received, matched])).toEqual([
      ['2026-11-20', 0, 0],
      ['2026-11-21', 3, 2],
      ['2026-11-22', 2, 2],
    ]);
    expect(days[1]?.destinations.find(({ destination }) => destination === meta)).toEqual({
      ...{ destination: meta, platform: 'meta', created: 2, delivered: 1, accepted: 0, waiting: 0 },
      ...{ dead: 0, unknown: 0, skipped: { no_mapping: 1 } },
    });
    expect(totals).toMatchObject({ received: 5, matched: 4 });
    const named = new Map(totals.destinations.map((sums) => [sums.name, sums]));
    expect(named.get('One')).toEqual({
      ...{ destination: meta, platform: 'meta', name: 'One', deleted: false },
      ...{ created: 4, delivered: 1, accepted: 0, waiting: 1, dead: 1, unknown: 0 },
      ...{ skipped: { no_mapping: 1 }, rate: '0.5' },
    });
    expect(named.get('Two')).toMatchObject({ deleted: true, created: 2, delivered: 1, rate: '1' });
    expect(named.get('Idle')).toMatchObject({ created: 4 });
    const other = await home.newProperty();
    const empty = await home.forwarding.accuracy(
      other,
      { from: START - DAY_MS, to: home.now() },
      daysIn(UTC),
    );
    expect(empty.totals).toEqual({ received: 0, refunds: 0, matched: 0, destinations: [] });
  });

  it('has a rate of 1 where all has arrived, of 0 where nothing has, and nowhere else', () => {
    const rates = [
      { delivered: 20_000, dead: 0, unknown: 0 },
      { delivered: 19_999, dead: 1, unknown: 0 },
      { delivered: 1, dead: 19_998, unknown: 1 },
      { delivered: 0, dead: 1, unknown: 0 },
    ];
    expect(rates.map(rateOf)).toEqual(['1', '0.9999', '0.0001', '0']);
  });

  it('has no rate before any delivery is finished: what waits has not failed', async () => {
    await home.connect({ name: 'One' });
    await home.post('purchase', order('1'));
    expect(accuracyView(await report()).totals.destinations).toMatchObject([
      { created: 1, waiting: 1, rate: null },
    ]);
  });

  it('counts an order once that came as purchase and as subscription, and both of what was sent', async () => {
    await home.connect({ name: 'One' });
    await home.post('subscription', order('1'));
    await home.post('purchase', order('1'));
    await home.post('refund', { conversion_id: '1', refund_id: 'r1', value: '1', currency: 'EUR' });
    await home.forwarding.runOnce();
    const { totals } = await report();
    // The order and its refund.
    expect(totals).toMatchObject({ received: 2, refunds: 1, matched: 2 });
    expect(totals.destinations).toMatchObject([{ name: 'One', created: 3, delivered: 2 }]);
  });

  it('counts the days of the property’s zone', async () => {
    await home.connect();
    await home.post('purchase', order('1'));
    home.pass(3 * HOUR_MS);
    await home.post('purchase', order('2'));
    const newYork = daysIn('America/New_York');
    const { days } = await home.forwarding.accuracy(
      home.property,
      { from: newYork.startOf(newYork.dayAt(START)), to: home.now() + 1 },
      newYork,
    );
    // 22:00 and 01:00 there; 03:00 and 06:00 of one day in UTC.
    expect(days.map(({ day, received, destinations }) => [day, received, destinations[0]?.created])).toEqual([
      ['2026-11-20', 1, 1],
      ['2026-11-21', 1, 1],
    ]);
  });

  it('adds up, whatever happened: created is delivered, accepted, waiting, dead, unknown or skipped', async () => {
    const destinations = [await home.connect(), await home.connect({ platform: 'tiktok' })];
    await home.post('purchase', order('1'));
    const conversion = await home.db.reader.selectFrom('conversions').selectAll().executeTakeFirstOrThrow();
    const delivery = await home.db.reader.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();
    const hex = () => randomBytes(16).toString('hex');
    const made = fc.record({
      day: fc.integer({ min: 0, max: 4 }),
      matched: fc.boolean(),
      states: fc.array(fc.constantFrom<State>(...STATES), { minLength: 2, maxLength: 2 }),
      reason: fc.constantFrom('consent_denied', 'too_old', 'http_400', null),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 40 }), async (list) => {
        await home.db.kysely.deleteFrom('deliveries').execute();
        await home.db.kysely.deleteFrom('conversions').execute();
        for (const { day, matched, states, reason } of list) {
          const id = `cnv_${hex()}`;
          const at = START + day * DAY_MS;
          await home.db.kysely
            .insertInto('conversions')
            .values({
              ...conversion,
              ...{ id, idempotency_key: id, received_at: at, session_matched: matched ? 1 : 0 },
            })
            .execute();
          if (!matched) continue;
          const rows = destinations.map((destination, n) => ({
            ...delivery,
            ...{ id: `dlv_${hex()}`, conversion_row: id, destination_id: destination, reason },
            ...{ state: states[n] ?? ('pending' as const), created_at: at + DAY_MS },
          }));
          await home.db.kysely.insertInto('deliveries').values(rows).execute();
        }
        const { days, totals } = await report(START - DAY_MS, START + 6 * DAY_MS);
        const matched = list.filter((one) => one.matched).length;
        expect(totals).toMatchObject({ received: list.length, matched });
        for (const sums of totals.destinations) {
          expect([sums.created, parts(sums)]).toEqual([matched, matched]);
          const ofDays = days.flatMap((day) =>
            day.destinations.filter(({ destination }) => destination === sums.destination),
          );
          for (const name of ['created', 'delivered', 'accepted', 'waiting', 'dead', 'unknown'] as const)
            expect(ofDays.reduce((sum, day) => sum + day[name], 0)).toBe(sums[name]);
          for (const day of ofDays) expect(parts(day)).toBe(day.created);
        }
        for (const { day, received } of days)
          expect(received).toBe(
            list.filter((one) => new Date(START + one.day * DAY_MS).toISOString().startsWith(day)).length,
          );
      }),
      { numRuns: 15 },
    );
  });
});
