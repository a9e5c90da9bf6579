import { addDecimal } from '@ghostlight/core';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, daysIn, type Scope, UTC } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { conversionFile } from './conversion-file.ts';
import type { Webhooks } from './index.ts';
import { attributionReport } from './report.ts';
import { type TestSessions, testRequest, testSessions, testWebhooks } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 21, 12);

describe.each(databases.backends)('conversions read back on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let sessions: TestSessions;
  let webhooks: Webhooks;
  let property: Property;
  let key: string;
  beforeEach(async () => {
    now = NOON;
    home = await backend.fresh({ clock });
    db = await home.node();
    sessions = testSessions();
    webhooks = testWebhooks(db, { clock, log: silentLog, matching: sessions });
    property = await createProperties(db, { clock }).create(OURS, 'root', {
      name: 'Shop',
      domain: 'shop.example',
    });
    await webhooks.settings.update(property, 'root', { enabled: true });
    ({ key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 1_000 }));
  });
  afterEach(async () => {
    await webhooks.close();
    await home.remove();
  });
  const post = async (topic: string, body: unknown) =>
    (await webhooks.receive(testRequest(property.id, topic, key, body))).body;
  const period = { from: NOON - 10 * DAY, to: NOON + 10 * DAY };
  const report = (more: object = {}) =>
    webhooks.report(property, { ...period, by: 'channel', model: 'last_paid_click', days: null, ...more });
  /** A visit by an ad, then one by a newsletter, then one without a source. */
  const journey = (visitor: string) =>
    sessions.visit(
      visitor,
      { at: now - 8 * DAY },
      { at: now - DAY, channel: 'email', paid: false, platform: null, source: 'news', campaign: 'weekly' },
      { at: now - HOUR, channel: 'direct', paid: false, platform: null, source: '(direct)', campaign: '' },
    );

  it('lists them newest first, a page at a time, each once', async () => {
    for (let n = 0; n < 25; n += 1) {
      // Several of one instant: the cursor must tell them apart.
      if (n % 4 === 0) now += 1_000;
      await post('lead', { conversion_id: `lead_${n}` });
    }
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = await webhooks.conversions.list(property, period, { limit: 7, after });
      expect(page.items.length).toBeLessThanOrEqual(7);
      ids.push(...page.items.map(({ conversion_id: id }) => id));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
    expect(ids[0]).toBe('lead_24');

    // The file is all of its pages.
    const small = {
      list: (...[owner, filter, page]: Parameters<typeof webhooks.conversions.list>) =>
        webhooks.conversions.list(owner, filter, { ...page, limit: 7 }),
    };
    const { signal } = new AbortController();
    const fileOf = async (format: 'csv' | 'ndjson', wanted = signal) =>
      (await Array.fromAsync(conversionFile(small, property, period, format, wanted))).join('');
    const lines = (await fileOf('ndjson')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).conversion_id)).toEqual(ids);
    const [head, ...rows] = (await fileOf('csv')).trim().split('\r\n');
    expect(head).toMatch(/^at,topic,conversion_id,value,currency,/);
    expect(rows.map((row) => row.split(',')[2])).toEqual(ids);
    expect(await fileOf('ndjson', AbortSignal.abort())).toBe('');
    await expect(
      webhooks.conversions.list(property, period, { limit: 7, after: 'nonsense' }),
    ).rejects.toThrow();
  });

  it('filters them, and takes what is searched for as text', async () => {
    journey('v');
    await post('purchase', { conversion_id: 'A%_1', value: 1, currency: 'EUR', visitor_id: 'v' });
    await post('lead', { conversion_id: 'A2' });
    now += DAY;
    await post('lead', { conversion_id: 'B1', visitor_id: 'w' });
    const found = async (filter: object) =>
      (
        await webhooks.conversions.list(property, { ...period, ...filter }, { limit: 50, after: undefined })
      ).items
        .map(({ conversion_id: id }) => id)
        .sort();
    expect(await found({})).toEqual(['A%_1', 'A2', 'B1']);
    expect(await found({ topic: 'lead' })).toEqual(['A2', 'B1']);
    expect(await found({ matched: true })).toEqual(['A%_1']);
    expect(await found({ matched: false })).toEqual(['A2', 'B1']);
    expect(await found({ channel: 'email' })).toEqual(['A%_1']);
    expect(await found({ campaign: 'autumn' })).toEqual([]);
    expect(await found({ q: 'A' })).toEqual(['A%_1', 'A2']);
    expect(await found({ q: 'A%' })).toEqual(['A%_1']);
    expect(await found({ q: '%' })).toEqual([]);
    expect(await found({ q: 'w' })).toEqual(['B1']);
    expect(await found({ to: NOON + HOUR })).toEqual(['A%_1', 'A2']);
    const stranger = { id: property.id, organizationId: '00000000-0000-4000-8000-00000000000f' };
    expect((await webhooks.conversions.list(stranger, period, { limit: 5, after: undefined })).items).toEqual(
      [],
    );
  });

  it('finds those that are matched with a visit that landed on a page', async () => {
    const landing = (path: string, host = 'shop.example') => ({ landing: { host, path } });
    const quoted = '/a"},"landing":{"host":"shop.example","path":"/sale"}';
    sessions.visit('v', { at: now - DAY, ...landing('/guide') }, { at: now - HOUR, ...landing('/sale') });
    sessions.visit('w', { at: now - HOUR, ...landing('/sale', 'www.shop.example') });
    sessions.visit('x', { at: now - HOUR, ...landing('/sale/more'), campaign: quoted });
    for (const visitor of ['v', 'w', 'x', 'unknown'])
      await post('purchase', {
        ...{ conversion_id: `of-${visitor}`, visitor_id: visitor, value: '10', currency: 'EUR' },
      });
    const found = async (facets: object) => {
      const { items } = await webhooks.conversions.list(
        property,
        { ...period, ...facets },
        { limit: 50, after: undefined },
      );
      expect((await report({ ...facets, model: 'last_click' })).totals.conversions).toBe(
        String(items.length),
      );
      return items.map(({ conversion_id: id }) => id).sort();
    };
    // Not the page that was landed on last alone, and not a beginning of a path.
    expect(await found({ landing_path: '/guide' })).toEqual(['of-v']);
    expect(await found({ landing_path: '/sale' })).toEqual(['of-v', 'of-w']);
    expect(await found({ landing_path: '/sale', landing_host: 'Shop.example' })).toEqual(['of-v']);
    expect(await found({ landing_host: 'www.shop.example' })).toEqual(['of-w']);
    expect(await found({ landing_path: '/%' })).toEqual([]);
    expect(await found({ landing_path: '/guide', channel: 'email' })).toEqual([]);
  });

  it('finds those of an AI engine, and adds up what was bought', async () => {
    const from = (source: string, channel: 'ai_assistant' | 'email' = 'ai_assistant') => ({
      ...{ at: now - HOUR, source, channel, campaign: '', platform: null, paid: false },
    });
    sessions.visit('v', from('chatgpt.com'));
    sessions.visit('w', from('perplexity'));
    sessions.visit('x', from('news', 'email'));
    const lamp = { id: '7', name: 'Lamp', quantity: '2', price: '5.05' };
    const buy = async (id: string, visitor: string, products: object[], more: object = {}) =>
      await post('purchase', {
        ...{ conversion_id: id, visitor_id: visitor, value: '10', currency: 'EUR', products },
        ...more,
      });
    await buy('A1', 'v', [lamp, { name: 'Tea', quantity: 0.75, price: 20 }]);
    now += 1_000;
    await buy('A2', 'v', [lamp, { ...lamp, name: 'Old lamp', quantity: 1 }], { currency: 'USD' });
    await buy('A3', 'v', []);
    await buy('B1', 'w', [{ id: '9', price: 3 }]);
    await buy('C1', 'x', [lamp]);
    await post('refund', {
      conversion_id: 'A1',
      refund_id: 'r',
      value: 10,
      currency: 'EUR',
      products: [lamp],
    });
    const asked = async (facets: object) => await webhooks.byEngine(property, period).narrowed(facets);
    const found = async (facets: object) =>
      (
        await webhooks.conversions.list(property, await asked({ topic: 'purchase', ...facets }), {
          ...{ limit: 50, after: undefined },
        })
      ).items
        .map(({ conversion_id: id }) => id)
        .sort();
    for (const engine of ['ChatGPT', 'chatgpt', 'openai'])
      expect(await found({ engine })).toEqual(['A1', 'A2', 'A3']);
    expect(await found({ engine: 'Claude' })).toEqual([]);
    expect(await found({ source: 'perplexity' })).toEqual(['B1']);
    expect(await webhooks.byEngine(property, period).engines()).toEqual(['ChatGPT']);
    expect(
      (await report({ ...(await asked({ engine: 'openai' })), model: 'last_click' })).totals,
    ).toMatchObject({ conversions: '3' });

    expect(await webhooks.products(property, await asked({ engine: 'ChatGPT' }))).toEqual({
      items: [
        {
          ...{ id: '7', name: 'Lamp', conversions: 2, quantity: '5' },
          values: [
            { currency: 'EUR', value: '10.1' },
            { currency: 'USD', value: '15.15' },
          ],
        },
        {
          ...{ id: null, name: 'Tea', conversions: 1, quantity: '0.75' },
          values: [{ currency: 'EUR', value: '15' }],
        },
      ],
      totals: { with_products: 2, conversions: 3, products: 2 },
      cut: false,
    });
    expect((await webhooks.products(property, period)).totals).toEqual({
      ...{ with_products: 4, conversions: 5, products: 3 },
    });
    const stranger = { id: property.id, organizationId: '00000000-0000-4000-8000-00000000000f' };
    expect((await webhooks.products(stranger, period)).items).toEqual([]);
    expect(await webhooks.byEngine(stranger, period).engines()).toEqual([]);
  });

  it('lets others have their turn between the pages of a report', async () => {
    await post('purchase', {
      conversion_id: 'A1',
      value: 1,
      currency: 'EUR',
      products: [{ id: '7', price: 1 }],
    });
    const row = await db.reader.selectFrom('conversions').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 2_000 }, (_, n) => ({
      ...row,
      id: `${row.id}-${n}`,
      conversion_id: `B${n}`,
      idempotency_key: `B${n}`,
    }));
    await db.kysely.transaction().execute(async (transaction) => {
      for (let start = 0; start < copies.length; start += 100)
        await transaction
          .insertInto('conversions')
          .values(copies.slice(start, start + 100))
          .execute();
    });
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    try {
      expect((await webhooks.products(property, period)).totals.with_products).toBe(2_001);
      expect(turns).toBeGreaterThanOrEqual(10);
      turns = 0;
      expect((await report()).totals.conversions).toBe('2001');
      expect(turns).toBeGreaterThanOrEqual(1);
    } finally {
      clearImmediate(next);
    }
  });

  it('shows one with its journey, its refunds and its personal data masked', async () => {
    journey('v');
    const { id } = await post('purchase', {
      conversion_id: 'A1',
      value: '10.10',
      currency: 'EUR',
      visitor_id: 'v',
      user_data: { email: 'jane@mail.example', address: { city: 'Berlin' } },
      note: 'ring jane@mail.example',
      products: [{ id: 7, name: 'Lamp', quantity: '2', price: '5.05' }],
    });
    await post('refund', { conversion_id: 'A1', refund_id: 'r', value: 1, currency: 'EUR' });
    await webhooks.linkBrowserEvent(db.kysely, property, {
      topic: 'purchase',
      conversionId: 'A1',
      eventId: 'e',
      visitorId: 'v',
      sessionId: null,
      at: now,
    });
    const detail = await webhooks.conversions.get(property, id);
    expect(detail).toMatchObject({
      winner: { campaign: 'weekly' },
      linkedBrowserEvent: true,
      refunds: [{ refund_id: 'r', match_reason: 'inherited' }],
      extra: { note: 'ring ***' },
    });
    expect(detail.touches.map(({ channel }) => channel)).toEqual(['paid_search', 'email', 'direct']);
    expect(JSON.stringify(detail.personal)).toContain('Berlin');
    expect(JSON.stringify([detail.personal, detail.extra])).not.toContain('jane@');
    await expect(webhooks.conversions.get(property, 'cnv_x')).rejects.toThrow('no such conversion');
    const stranger = { id: property.id, organizationId: '00000000-0000-4000-8000-00000000000f' };
    await expect(webhooks.conversions.get(stranger, id)).rejects.toThrow('no such conversion');
  });

  it('adds them up exactly, per currency, with refunds subtracted', async () => {
    journey('v');
    for (let n = 0; n < 10; n += 1)
      await post('purchase', { conversion_id: `A${n}`, value: '0.1', currency: 'EUR', visitor_id: 'v' });
    await post('purchase', { conversion_id: 'Y', value: '1000', currency: 'JPY', visitor_id: 'v' });
    await post('purchase', { conversion_id: 'N', value: '12345678901234567890.12', currency: 'EUR' });
    await post('refund', { conversion_id: 'A1' });
    await post('lead', {});
    const { detail: _, ...answer } = await report();
    expect(answer).toEqual({
      rows: [
        {
          key: 'paid_search',
          platform: 'google',
          conversions: '11',
          values: [
            { currency: 'EUR', value: '0.9' },
            { currency: 'JPY', value: '1000' },
          ],
          refunds: [{ currency: 'EUR', value: '0.1' }],
        },
        {
          key: '',
          platform: null,
          conversions: '2',
          values: [{ currency: 'EUR', value: '12345678901234567890.12' }],
          refunds: [],
        },
      ],
      series: [],
      totals: {
        conversions: '13',
        matched: '11',
        values: [
          { currency: 'EUR', value: '12345678901234567891.02' },
          { currency: 'JPY', value: '1000' },
        ],
        refunds: [{ currency: 'EUR', value: '0.1' }],
      },
      cut: false,
    });
  });

  it('has values and refunds that together are what was paid, in each currency, in rows and in all', async () => {
    const order = fc.integer({ min: 1, max: 4 });
    const currency = fc.constantFrom('EUR', 'USD', 'JPY');
    const sale = fc.record({
      order,
      currency,
      value: fc.integer({ min: 1, max: 9_999 }),
      known: fc.boolean(),
    });
    const refund = fc.record({ order, currency, value: fc.integer({ min: 1, max: 99 }) });
    const model = fc.constantFrom('last_click', 'linear', 'time_decay', 'position_based');
    let runs = 0;
    journey('v');
    const sums = (lists: readonly (readonly { currency: string; value: string }[])[]) => {
      const found: Record<string, string> = {};
      for (const { currency: name, value } of lists.flat())
        found[name] = addDecimal(found[name] ?? '0', value);
      return Object.fromEntries(Object.entries(found).filter(([, value]) => Number(value) !== 0));
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(sale, { maxLength: 6 }),
        fc.array(refund, { maxLength: 6 }),
        model,
        async (sales, refunds, credited) => {
          runs += 1;
          const campaign = `run${runs}_`;
          const from = now;
          for (const [n, { known, order: id, value, currency: paid }] of sales.entries())
            await post('purchase', {
              ...{ conversion_id: `${campaign}${id}_${n % 2}`, value, currency: paid },
              ...(known ? { visitor_id: 'v' } : {}),
            });
          for (const [n, { order: id, ...amount }] of refunds.entries())
            await post('refund', {
              conversion_id: `${campaign}${id}_0`,
              refund_id: `${campaign}${n}`,
              ...amount,
            });
          now += 1_000;
          const of = { from, to: now, model: credited } as const;
          const [net, gross] = [await report(of), await report({ ...of, topic: 'purchase' })];
          expect(sums([net.totals.values, net.totals.refunds])).toEqual(sums([gross.totals.values]));
          for (const { key: row, values, refunds: taken } of net.rows)
            expect(sums([values, taken]), row).toEqual(
              sums(gross.rows.filter(({ key: other }) => other === row).map((other) => other.values)),
            );
        },
      ),
      { numRuns: 12 },
    );
  });

  it('says that it is cut from one conversion beyond the bound on, and counts the newest', async () => {
    for (let n = 0; n < 3; n += 1) {
      await post('lead', { value: n, currency: 'EUR' });
      now += 1_000;
    }
    const query = { ...period, by: 'channel', model: 'last_click', days: null } as const;
    const whole = await attributionReport(db, property, query, 3);
    expect([whole.cut, whole.totals.conversions]).toEqual([false, '3']);
    const { cut, totals } = await attributionReport(db, property, query, 2);
    expect([cut, totals.conversions, totals.values]).toEqual([true, '2', [{ currency: 'EUR', value: '3' }]]);
  });

  it('divides them by every model without losing or making a cent', async () => {
    journey('v');
    await post('purchase', { conversion_id: 'A', value: '100.01', currency: 'EUR', visitor_id: 'v' });
    await post('purchase', { conversion_id: 'B', value: '7', currency: 'JPY', visitor_id: 'v' });
    const keys: Record<string, string> = {};
    for (const model of [
      'last_paid_click',
      'last_click',
      'first_click',
      'linear',
      'position_based',
      'time_decay',
    ]) {
      const { rows, totals } = await report({ model });
      for (const currency of ['EUR', 'JPY']) {
        const sum = rows
          .flatMap(({ values }) => values.filter((amount) => amount.currency === currency))
          .reduce((total, { value }) => addDecimal(total, value), '0');
        expect(sum, `${model} ${currency}`).toBe(currency === 'EUR' ? '100.01' : '7');
      }
      expect(rows.reduce((total, { conversions }) => addDecimal(total, conversions), '0')).toBe('2');
      expect(totals.conversions).toBe('2');
      keys[model] = rows.map(({ key: name, conversions }) => `${name} ${conversions}`).join(', ');
    }
    expect(keys).toMatchObject({
      last_paid_click: 'paid_search 2',
      last_click: 'email 2',
      first_click: 'paid_search 2',
      linear: 'email 1, paid_search 1',
      time_decay: expect.stringMatching(/^email 1\.33\d*, paid_search 0\.66\d*$/),
    });
    expect((await report({ by: 'campaign', model: 'linear' })).rows.map(({ key: name }) => name)).toEqual([
      'autumn',
      'weekly',
    ]);
    expect((await report({ by: 'source', model: 'last_click' })).rows[0]?.key).toBe('news');
  });

  it('adds up what passes the filters of the list', async () => {
    journey('v');
    await post('purchase', { conversion_id: 'A-1', value: '10', currency: 'EUR', visitor_id: 'v' });
    await post('purchase', { conversion_id: 'A-2', value: '5', currency: 'EUR' });
    await post('refund', { conversion_id: 'A-1', value: '4', currency: 'EUR' });
    await post('lead', { conversion_id: 'L', visitor_id: 'v' });
    for (const facets of [
      { topic: 'purchase' },
      { topic: 'lead' },
      { matched: true },
      { matched: false },
      { channel: 'email' },
      { campaign: 'weekly', topic: 'purchase' },
      { q: 'A-' },
      { q: 'v' },
      { q: '%' },
      { topic: 'signup' },
    ] as const) {
      const { items } = await webhooks.conversions.list(
        property,
        { ...period, ...facets },
        { limit: 50, after: undefined },
      );
      const { totals, rows } = await report({ ...facets, model: 'last_click' });
      const counted = items.filter(({ topic }) => topic !== 'refund');
      expect(totals.conversions, JSON.stringify(facets)).toBe(String(counted.length));
      expect(rows.reduce((sum, { conversions }) => addDecimal(sum, conversions), '0')).toBe(
        totals.conversions,
      );
    }
    expect((await report({ channel: 'email', model: 'last_click' })).totals).toMatchObject({
      conversions: '2',
      values: [{ currency: 'EUR', value: '6' }],
      refunds: [{ currency: 'EUR', value: '4' }],
    });
  });

  it('shows them by the days of the property', async () => {
    await post('lead', {});
    now += 12 * HOUR - 1;
    await post('lead', { value: 1, currency: 'EUR' });
    now += 1;
    await post('lead', { value: 2, currency: 'EUR' });
    expect((await report({ days: daysIn(UTC) })).series).toEqual([
      { day: '2026-11-21', key: '', conversions: '2', values: [{ currency: 'EUR', value: '1' }] },
      { day: '2026-11-22', key: '', conversions: '1', values: [{ currency: 'EUR', value: '2' }] },
    ]);
    // Noon, and midnight with the moment before it, of UTC: 17:30, and half past five.
    expect((await report({ days: daysIn('Asia/Kolkata') })).series).toEqual([
      { day: '2026-11-21', key: '', conversions: '1', values: [] },
      { day: '2026-11-22', key: '', conversions: '2', values: [{ currency: 'EUR', value: '3' }] },
    ]);
  });
});
