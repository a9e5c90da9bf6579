/** What the report of conversions says of the days before. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, dateOf, dayOf, daysIn, type Scope, UTC } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createProperties, type Property } from '../properties/index.ts';
import type { Webhooks } from './index.ts';
import { type TestSessions, testRequest, testSessions, testWebhooks } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const days = daysIn(UTC);
const at = (day: string, hour = 12): number => Date.parse(day) + hour * 3_600_000;

describe.each(databases.backends)('conversions compared with earlier days on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let sessions: TestSessions;
  let webhooks: Webhooks;
  let property: Property;
  let key: string;
  let orders = 0;
  beforeEach(async () => {
    now = at('2026-11-01');
    home = await backend.fresh({ clock });
    db = await home.node();
    sessions = testSessions();
    webhooks = testWebhooks(db, { clock, log: silentLog, matching: sessions });
    property = await createProperties(db, { clock }).create(OURS, 'root', {
      name: 'Shop',
      domain: 'x.example',
    });
    await webhooks.settings.update(property, 'root', { enabled: true });
    ({ key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 10_000 }));
  });
  afterEach(async () => {
    await webhooks.close();
    await home.remove();
  });
  const buy = async (day: string, count: number, more: object = {}) => {
    now = at(day);
    for (let left = count; left > 0; left -= 1) {
      orders += 1;
      const order = { conversion_id: `A${orders}`, value: '10', currency: 'EUR', ...more };
      await webhooks.receive(testRequest(property.id, 'purchase', key, order));
    }
  };
  /** The period and what it is compared with, by days; today is the day of `now`. */
  const compared = async (from: string, to: string, compareFrom: string, cut = false) => {
    const keptFrom = await webhooks.keptFrom(property);
    const read = (of: { readonly from: number; readonly to: number }) =>
      webhooks.report(property, { ...of, by: 'channel', model: 'last_click', days });
    const [first, last] = [dayOf(from), dayOf(to)];
    const report = await read({ from: days.startOf(first), to: days.startOf(last + 1) });
    return await webhooks.comparison(property, {
      ...{ from: first, to: last, compareFrom: dayOf(compareFrom) },
      ...{ days, today: days.dayAt(now), keptFrom, report: { ...report, cut }, read },
    });
  };

  it('has their figures, and the change without the day that is not over', async () => {
    sessions.visit('v', { at: at('2026-11-01') });
    await buy('2026-11-01', 12, { visitor_id: 'v' });
    await buy('2026-11-02', 8, { visitor_id: 'v' });
    await buy('2026-11-02', 2);
    await buy('2026-11-02', 1, { currency: 'JPY', value: '900' });
    await buy('2026-11-04', 15, { visitor_id: 'v' });
    await buy('2026-11-05', 15, { visitor_id: 'v' });
    await buy('2026-11-06', 7, { visitor_id: 'v' });
    expect(await compared('2026-11-04', '2026-11-06', '2026-11-01')).toEqual({
      period: {
        ...{ from: '2026-11-04', to: '2026-11-06', days: 3 },
        previous: { from: '2026-11-01', to: '2026-11-02' },
      },
      compared_until: '2026-11-05',
      not_compared: null,
      data_since: '2026-11-01',
      totals: {
        ...{ conversions: '23', change: 0.3043478, change_stands_out: false, matched: '20', refunds: [] },
        values: [
          { currency: 'EUR', value: '220', change: 0.3636364, change_stands_out: false },
          // One order is no base of a percentage.
          { currency: 'JPY', value: '900', change: null, change_stands_out: null },
        ],
      },
      rows: [
        {
          ...{ key: 'paid_search', gone: false, conversions: '20', change: 0.5, change_stands_out: false },
          values: [{ currency: 'EUR', value: '200', change: 0.5, change_stands_out: false }],
        },
        {
          ...{ key: '', gone: true, conversions: '3', change: null, change_stands_out: null },
          values: [
            { currency: 'EUR', value: '20', change: null, change_stands_out: null },
            { currency: 'JPY', value: '900', change: null, change_stands_out: null },
          ],
        },
      ],
      series: expect.arrayContaining([
        expect.objectContaining({ day: '2026-11-01', key: 'paid_search', conversions: '12' }),
        expect.objectContaining({ day: '2026-11-02', key: 'paid_search', conversions: '8' }),
        expect.objectContaining({ day: '2026-11-02', key: '', conversions: '3' }),
      ]),
      hours: null,
    });
  });

  it('has the hours of both sides, counted from the first moment of each', async () => {
    await buy('2026-11-01', 2);
    await buy('2026-11-02', 3);
    now = at('2026-11-03');
    const span = (day: string) => ({ from: days.startOf(dayOf(day)), to: days.startOf(dayOf(day) + 1) });
    const read = (of: { readonly from: number; readonly to: number }) =>
      webhooks.report(property, { ...of, by: 'channel', model: 'last_click', days, byHour: true });
    const report = await read(span('2026-11-02'));
    expect(report.hours).toEqual([
      {
        ...{ at: '2026-11-02T12:00:00.000Z', key: '', conversions: '3' },
        values: [{ currency: 'EUR', value: '30' }],
      },
    ]);
    const day = dayOf('2026-11-02');
    const { hours } = await webhooks.comparison(property, {
      ...{ from: day, to: day, compareFrom: day - 1, days, today: days.dayAt(now), byHour: true },
      ...{ keptFrom: await webhooks.keptFrom(property), report, read },
    });
    expect(hours).toMatchObject({
      ...{ from: '2026-11-01T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z' },
      points: [{ at: '2026-11-01T12:00:00.000Z', conversions: '2' }],
    });
  });

  it('says why there are no figures, instead of zeros', async () => {
    await buy('2026-11-03', 1);
    const nothing = { totals: null, rows: null, series: null };
    expect(await compared('2026-11-03', '2026-11-03', '2026-11-02')).toMatchObject({
      ...{ not_compared: 'not_over', compared_until: null, data_since: '2026-11-03', ...nothing },
      period: { previous: null },
    });
    now = at('2026-11-10');
    expect(await compared('2026-11-04', '2026-11-06', '2026-11-01')).toMatchObject({
      ...{ not_compared: 'no_earlier_data', data_since: '2026-11-03', ...nothing },
      period: { previous: { from: '2026-11-01', to: '2026-11-03' } },
    });
    expect(await compared('2026-11-04', '2026-11-04', '2026-11-03', true)).toMatchObject({
      ...{ not_compared: 'cut', ...nothing },
    });
    // Few conversions give figures, and no percentage of them.
    expect((await compared('2026-11-04', '2026-11-04', '2026-11-03')).totals).toMatchObject({
      ...{ conversions: '1', change: null, change_stands_out: null },
    });
  });

  it('has the rows and currencies of the days before that are gone', async () => {
    sessions.visit('v', { at: at('2026-11-01') });
    await buy('2026-11-01', 1);
    await buy('2026-11-02', 25, { visitor_id: 'v', currency: 'GBP' });
    await buy('2026-11-03', 25);
    now = at('2026-11-10');
    const { rows, totals } = await compared('2026-11-03', '2026-11-03', '2026-11-02');
    const gone = { currency: 'GBP', value: '250', change: -1 };
    expect(rows).toMatchObject([
      { key: 'paid_search', gone: true, conversions: '25', change: -1, values: [gone] },
    ]);
    expect(totals).toMatchObject({ conversions: '25', change: 0, values: [gone] });
  });

  it('compares no day of which retention has deleted a part, nor one that it may have', async () => {
    property = { ...property, retention: { conversions: 30 } };
    await buy('2026-11-01', 30);
    // Reported late, and so deleted late.
    now = at('2026-11-20');
    for (const id of ['late1', 'late2'])
      await webhooks.receive(
        testRequest(property.id, 'purchase', key, {
          ...{ conversion_id: id, value: '10', currency: 'EUR', event_time: '2026-11-01T12:00:00Z' },
        }),
      );
    await buy('2026-11-21', 30);
    await buy('2026-11-22', 30);
    now = at('2026-12-01');
    expect(await compared('2026-11-21', '2026-11-21', '2026-11-01')).toMatchObject({
      ...{ not_compared: null, data_since: '2026-11-01', totals: { conversions: '32' } },
    });
    now = at('2026-12-02');
    expect(dateOf(await webhooks.keptFrom(property))).toBe('2026-11-02');
    expect(await compared('2026-11-21', '2026-11-21', '2026-11-01')).toMatchObject({
      ...{ not_compared: 'no_earlier_data', data_since: '2026-11-02', totals: null, rows: null },
    });
    expect(await compared('2026-11-21', '2026-11-21', '2026-11-02')).toMatchObject({ not_compared: null });
    // Days that an earlier rule cut stay cut.
    property = { ...property, retention: {} };
    await db.kysely
      .insertInto('retention_runs')
      .values({
        ...{ attribution_id: property.id, organization_id: property.organizationId, class: 'conversions' },
        ...{ days: 30, cut_at: at('2026-11-21', 6), at: now, deleted: 1, total: 1, rest: 0 },
      })
      .execute();
    expect(dateOf(await webhooks.keptFrom(property))).toBe('2026-11-22');
    now = at('2028-01-01');
    expect(dateOf(await webhooks.keptFrom(property))).toBe('2026-11-28');
  });

  it('compares nothing with those of another organization', async () => {
    await buy('2026-11-01', 1);
    now = at('2026-11-10');
    property = { ...property, organizationId: '00000000-0000-4000-8000-00000000000f' };
    expect(await compared('2026-11-04', '2026-11-04', '2026-11-03')).toMatchObject({
      ...{ not_compared: 'no_earlier_data', data_since: null },
    });
  });
});
