import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Touch } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import type { Property } from '../properties/index.ts';
import { openSpool, type Spool } from '../spool/index.ts';
import { toEventRow } from '../warehouse/index.ts';
import type { AcceptedEvent } from './accepted.ts';
import { createErasure } from './erasure.ts';
import { createMatching } from './matching.ts';
import type { VisitorKey } from './ports.ts';
import { record } from './record.ts';
import { createErasedFilter, createRecorder } from './recorder.ts';
import { forgetOld } from './retention.ts';
import { rotateClients } from './rotate-secrets.ts';
import { accepted, cipher, NOON, newProperty, SECRET } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const LOOKBACK_MS = 30 * DAY_MS;

describe.each(databases.backends)('recording on $name', (backend) => {
  let home: TestDatabase;
  let db: Database;
  let property: Property;
  /** Conversions that pages reported. */
  let told: string[];
  beforeEach(async () => {
    told = [];
    home = await backend.fresh({ clock: () => NOON });
    db = await home.node();
    property = await newProperty(db);
  });
  afterEach(() => home.remove());

  const save = (...events: AcceptedEvent[]) =>
    db.kysely
      .transaction()
      .execute((trx) =>
        record(trx, events, async (_trx, _property, { conversionId }) => void told.push(conversionId)),
      );
  const touchesOf = async (visitorId = 'visitor-1', at = NOON): Promise<readonly Touch[]> =>
    (await createMatching(cipher).touchesOf(db.kysely, property.id, visitorId, at, LOOKBACK_MS)).touches;
  const visitOf = async (visitorId: string, touchId: string) =>
    (await createMatching(cipher).visitsOf(db.kysely, property.id, [{ visitorId, touchId }])).get(touchId);
  const sources = async () => (await touchesOf()).map(({ source, medium }) => `${source}/${medium}`);
  const sessions = () => db.reader.selectFrom('sessions').selectAll().orderBy('id').execute();
  const page = (location: string, at: number, values: Record<string, unknown> = {}) =>
    accepted(property, { page_location: location, event_time: at / 1_000, ...values });

  test('an event makes visitor, session and touch, and goes on to the warehouse', async () => {
    const event = page(
      'https://shop.example/lamp?utm_source=news&utm_medium=email&token=secret',
      NOON - 1_000,
      {
        session_start: true,
      },
    );
    expect(await save(event)).toEqual({
      onward: [event],
      repeated: 0,
      erased: 0,
      touched: [{ attributionId: property.id, visitorId: 'visitor-1' }],
    });
    expect(await touchesOf()).toMatchObject([
      {
        at: NOON - 1_000,
        sessionId: 'session-1',
        source: 'news',
        channel: 'email',
        landing: { path: '/lamp' },
      },
    ]);
    expect(await sessions()).toMatchObject([
      { started_at: NOON - 1_000, landing_host: 'shop.example', landing_path: '/lamp', pages: 1, events: 1 },
    ]);
    expect(JSON.stringify(await db.reader.selectFrom('touches').selectAll().execute())).not.toContain(
      'secret',
    );
  });

  test('an event that comes again is one, and its own batch knows it after a crash', async () => {
    const event = page('https://shop.example/', NOON);
    const again = { ...event, receipt: randomUUID() };
    await save(event);
    expect(await save(again)).toMatchObject({ onward: [], repeated: 1, touched: [] });
    // Perhaps it was not announced before the crash: it is announced again.
    const retold = [{ attributionId: property.id, visitorId: 'visitor-1' }];
    expect(await save(event)).toMatchObject({ onward: [event], repeated: 0, touched: retold });
    expect(
      await save(
        page('https://shop.example/', NOON, { event_id: 'same' }),
        page('https://shop.example/', NOON, { event_id: 'same' }),
      ),
    ).toMatchObject({ repeated: 1 });
    expect(await sessions()).toMatchObject([{ events: 2 }]);
  });

  test('batches that record the same visitors at the same time, on two nodes too, count all once and never block each other', async () => {
    // SQLite belongs to one process.
    const far = backend.name === 'postgres' ? await home.node() : db;
    const batch = (node: number) =>
      Array.from({ length: 60 }, (_, n) =>
        accepted(property, {
          event_id: `shared-${n % 40}`,
          visitor_id: `v${(n * (node === 0 ? 7 : 13)) % 40}`,
          session_id: `s${(n * (node === 0 ? 11 : 3)) % 40}`,
        }),
      );
    const results = await Promise.all(
      [0, 1].flatMap((node) =>
        [1, 2, 3].map(() =>
          (node === 0 ? db : far).kysely
            .transaction()
            .execute((trx) => record(trx, batch(node), async () => undefined)),
        ),
      ),
    );
    expect(results.reduce((sum, { onward }) => sum + onward.length, 0)).toBe(40);
    expect((await sessions()).reduce((sum, { events }) => sum + events, 0)).toBe(40);
  });

  test('the same event id of two properties is two events', async () => {
    const other = await newProperty(db, 'other.example');
    await save(accepted(property, { event_id: 'one' }), accepted(other, { event_id: 'one' }));
    expect(await db.reader.selectFrom('seen_events').select('event_id').execute()).toHaveLength(2);
  });

  test('a touch is the first page of a session, and what comes by other tags within it', async () => {
    const ad = 'https://shop.example/?gclid=A1&utm_source=google&utm_medium=cpc';
    await save(
      page(ad, NOON - 9_000, { session_start: true, page_referrer: 'https://www.google.com/' }),
      // The SDK sends the landing's tags with every event of the session.
      page('https://shop.example/2', NOON - 8_000, { page_referrer: ad, click_ids: { gclid: 'A1' } }),
      page('https://shop.example/3', NOON - 7_000, { page_referrer: 'https://www.bing.com/' }),
      page('https://shop.example/?utm_source=news&utm_medium=email', NOON - 6_000),
      page(ad, NOON - 5_000),
      page('https://shop.example/thanks', NOON - 4_000, { page_referrer: 'https://www.paypal.com/' }),
      page('https://shop.example/', NOON - 3_000, { session_id: 'session-2', session_start: true }),
    );
    expect(await sources()).toEqual(['google/cpc', 'news/email', 'google/cpc', '(direct)/(none)']);
    expect(await sessions()).toMatchObject([{ pages: 6 }, { pages: 1 }]);
  });

  test('a session has no more touches than a person makes', async () => {
    const tagged = (n: number) => page(`https://shop.example/?utm_source=s${n}`, NOON + n);
    await save(...Array.from({ length: 40 }, (_, n) => tagged(n)));
    await save(...Array.from({ length: 40 }, (_, n) => tagged(40 + n)));
    expect(await touchesOf()).toHaveLength(50);
    expect(await sessions()).toMatchObject([{ events: 80 }]);
  });

  test('in whatever order events come, and however they are batched, the same is known', async () => {
    const events = [
      page('https://shop.example/?gclid=A1', NOON - 60_000, { session_start: true }),
      page('https://shop.example/two', NOON - 50_000, { page_referrer: 'https://shop.example/' }),
      accepted(property, {
        event_name: 'purchase',
        event_time: (NOON - 40_000) / 1_000,
        page_location: null,
      }),
      page('https://shop.example/three', NOON - 30_000, { page_referrer: 'https://shop.example/two' }),
    ];
    const snapshot = async () => ({
      sessions: await sessions(),
      touches: (await touchesOf()).map(({ id: _, ...touch }) => touch),
      visitors: await db.reader.selectFrom('visitors').selectAll().execute(),
    });
    await save(...events);
    const expected = await snapshot();
    expect(expected.sessions).toMatchObject([
      { started_at: NOON - 60_000, last_at: NOON - 30_000, landing_path: '/', pages: 3, events: 4 },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (order, size) => {
          for (const table of ['seen_events', 'touches', 'sessions', 'visitors'] as const)
            await db.kysely.deleteFrom(table).execute();
          const shuffled = order.flatMap((index) => events[index] ?? []);
          for (let from = 0; from < shuffled.length; from += size)
            await save(...shuffled.slice(from, from + size));
          expect(await snapshot()).toEqual(expected);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('a machine leaves no visitor, and neither does who refused analytics', async () => {
    const events = [
      accepted(property, { bot: true }),
      accepted(property, {}, { userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2)' }),
      accepted(property, {}, { userAgent: '' }),
      accepted(property, { consent: { analytics: false } }),
      accepted(property, { visitor_id: null }),
    ];
    expect((await save(...events)).onward).toHaveLength(5);
    for (const table of ['touches', 'sessions', 'visitors'] as const)
      expect(await db.reader.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(events.map(({ row }) => [row.sdk_bot, row.bot_name, row.visitor_id])).toEqual([
      [true, '', 'visitor-1'],
      [true, 'GPTBot', 'visitor-1'],
      [true, '', 'visitor-1'],
      [false, '', ''],
      [false, '', ''],
    ]);
  });

  test('a page’s report of a conversion is passed on once, a machine’s never', async () => {
    const purchase = { event_name: 'purchase', conversion_id: 'A-1', value: '9.90', currency: 'EUR' };
    const event = accepted(property, purchase);
    await save(
      event,
      accepted(property, { ...purchase, bot: true }),
      accepted(property, { conversion_id: 'A-2' }),
    );
    await save(event);
    expect(told).toEqual(['A-1']);
    expect(event.row).toMatchObject({ conversion_id: 'A-1', value: '9.9', currency: 'EUR' });
  });

  test('a page’s clock is trusted within bounds', () => {
    const at = (told: number) => accepted(property, { event_time: told / 1_000 }).row.at;
    expect(at(NOON + 5 * 60_000)).toBe(NOON + 5 * 60_000);
    expect(at(NOON + 5 * 60_000 + 1_000)).toBe(NOON);
    expect(at(NOON - DAY_MS)).toBe(NOON - DAY_MS);
    expect(at(NOON - DAY_MS - 1_000)).toBe(NOON);
    expect(accepted(property, {}).row.at).toBe(NOON);
  });

  test('a touch has its encrypted address only with consent to advertising', async () => {
    const agreed = { session_start: true };
    await save(
      page('https://shop.example/', NOON, agreed),
      page('https://shop.example/', NOON, {
        ...agreed,
        visitor_id: 'visitor-2',
        consent: { analytics: true, advertising: false },
        browser_ids: { _fbp: 'fb.1.2.3' },
      }),
      page('https://shop.example/', NOON, { ...agreed, visitor_id: 'visitor-3', consent: null }),
    );
    const clientOf = async (visitorId: string) => {
      const [touch] = await touchesOf(visitorId);
      return (await visitOf(visitorId, touch?.id ?? ''))?.client;
    };
    expect(await clientOf('visitor-1')).toMatchObject({ ip: '203.0.113.7' });
    expect(await clientOf('visitor-2')).toBeNull();
    expect(await clientOf('visitor-3')).toBeNull();
    expect((await touchesOf('visitor-2'))[0]?.browserIds).toEqual({});
    expect(JSON.stringify(await db.reader.selectFrom('touches').selectAll().execute())).not.toContain(
      '203.0.113',
    );
  });

  test('beside a touch stands what its visitor said, from where, and since when they are known', async () => {
    await save(
      page('https://shop.example/', NOON - 1_000, { consent: null, timezone: 'Europe/Berlin' }),
      page('https://shop.example/?gclid=Cj0abc', NOON, {
        consent: { analytics: true, advertising: true, sale_of_data: false },
        timezone: 'America/New_York',
      }),
    );
    const [first, second] = await touchesOf();
    expect(await visitOf('visitor-1', first?.id ?? '')).toEqual({
      client: null,
      firstSeen: NOON - 1_000,
      consent: { advertising: null, analytics: null, saleOfData: null },
      region: 'DE',
    });
    expect(await visitOf('visitor-1', second?.id ?? '')).toMatchObject({
      firstSeen: NOON - 1_000,
      consent: { advertising: true, analytics: true, saleOfData: false },
      region: null,
    });
    expect(await visitOf('visitor-2', first?.id ?? '')).toBeUndefined();
    const { visitsOf } = createMatching(createSecretCipher('another secret of the tests, long enough'));
    const sealed = await visitsOf(db.kysely, property.id, [
      { visitorId: 'visitor-1', touchId: second?.id ?? '' },
    ]);
    expect(sealed.get(second?.id ?? '')?.client).toBe('sealed');
  });

  test('addresses are re-encrypted while both secrets are there, and can be decrypted without the old one after', async () => {
    await save(page('https://shop.example/', NOON, { session_start: true }));
    const next = 'the next secret of the tests, long enough';
    expect(await rotateClients(db, createSecretCipher(next, SECRET))).toBe(1);
    expect(await rotateClients(db, createSecretCipher(next, SECRET))).toBe(0);
    const [touch] = await touchesOf();
    const { visitsOf } = createMatching(createSecretCipher(next));
    const found = await visitsOf(db.kysely, property.id, [
      { visitorId: 'visitor-1', touchId: touch?.id ?? '' },
    ]);
    expect(found.get(touch?.id ?? '')?.client).toMatchObject({ ip: '203.0.113.7' });
  });

  test('touches are found from the lookback’s first moment to five minutes after', async () => {
    const at = (n: number, session: string) =>
      accepted(
        property,
        { session_id: session, session_start: true, event_time: n / 1_000 },
        { receivedAt: n },
      );
    await save(at(NOON - LOOKBACK_MS, 'first'), at(NOON - LOOKBACK_MS - 1_000, 'old'));
    await save(at(NOON + 300_000, 'last'), at(NOON + 301_000, 'after'));
    expect((await touchesOf()).map(({ sessionId }) => sessionId)).toEqual(['first', 'last']);
    const { touchesOf: find } = createMatching(cipher);
    expect(await find(db.kysely, property.id, 'visitor-1', NOON - 90 * DAY_MS, DAY_MS)).toEqual({
      known: true,
      elsewhen: true,
      touches: [],
    });
    expect(await find(db.kysely, property.id, 'nobody', NOON, LOOKBACK_MS)).toEqual({
      known: false,
      elsewhen: false,
      touches: [],
    });
    expect(await find(db.kysely, randomUUID(), 'visitor-1', NOON, LOOKBACK_MS)).toEqual({
      known: false,
      elsewhen: false,
      touches: [],
    });
  });

  test('what is old is forgotten, addresses first', async () => {
    const at = (n: number, visitor: string) =>
      accepted(property, { visitor_id: visitor, session_start: true }, { receivedAt: n });
    await save(at(NOON - 200 * DAY_MS, 'old'), at(NOON - 40 * DAY_MS, 'faded'), at(NOON, 'new'));
    expect(await forgetOld(db, () => NOON, 180)).toEqual({ touches: 1, sessions: 1, visitors: 1 });
    const rows = await db.reader
      .selectFrom('touches')
      .select(['visitor_id', 'client'])
      .orderBy('visitor_id')
      .execute();
    expect(rows).toMatchObject([
      { visitor_id: 'faded', client: null },
      { visitor_id: 'new', client: expect.any(String) },
    ]);
    expect(await db.reader.selectFrom('seen_events').select('event_id').execute()).toHaveLength(1);
  });

  test('an erased visitor is gone, with what waits, and may come again as another', async () => {
    let now = NOON + 1_000;
    let away = true;
    const erasedTo: number[] = [];
    const erasure = createErasure({
      database: db,
      events: {
        erase: async (_scope, _visitor, until) => {
          if (away) throw new Error('the warehouse is down');
          erasedTo.push(until);
          return 3;
        },
      },
      onErase: async () => ({ conversions: 2, requests: 1, deliveries: 0 }),
      findByEmail: async () => ({ conversions: [], visitors: [] }),
      spools: { accepted: { scrub: async () => undefined }, rows: { scrub: async () => undefined } },
      clock: () => now,
      log: silentLog,
    });
    const event = page('https://shop.example/', NOON, { session_start: true });
    await save(event, accepted(property, { visitor_id: 'visitor-2' }));
    const erased = await erasure.eraseVisitor(property, 'root', 'visitor-1');
    expect(erased).toEqual({
      ...{ erasureId: erased.erasureId, visitors: 1, requests: 1, deliveries: 0, goneBy: null },
      sessions: 1,
      touches: 1,
      conversions: 2,
      events: null,
    });
    expect(await save(page('https://shop.example/', NOON))).toMatchObject({ onward: [], erased: 1 });
    expect(await touchesOf()).toEqual([]);
    expect(await touchesOf('visitor-2')).toHaveLength(1);
    const leaveOut = createErasedFilter({ database: db, lateRows: async () => [] });
    const body = [event, accepted(property, { visitor_id: 'visitor-2' })].map(
      ({ row }) => `${toEventRow(row)}\n`,
    );
    expect(await leaveOut({ body: Buffer.from(body.join('')) })).toEqual([0]);

    away = false;
    await erasure.sweep();
    expect(erasedTo).toEqual([]);
    now += 3 * 60_000;
    await erasure.sweep();
    await erasure.sweep();
    expect(erasedTo).toEqual([NOON + 1_000]);
    await save(accepted(property, {}, { receivedAt: now }));
    expect(await touchesOf('visitor-1', now)).toHaveLength(1);
    const log = await db.reader.selectFrom('audit_log').select(['action', 'subject']).execute();
    expect(log).toContainEqual({ action: 'visitor.erased', subject: `${property.id}/${erased.erasureId}` });
  });

  test('an erasure that fails is tried again, ever more rarely, and keeps no other waiting', async () => {
    let away = true;
    const asked: string[] = [];
    let at = NOON;
    const other = await newProperty(db, 'other.example');
    const erasure = createErasure({
      database: db,
      events: {
        erase: async ({ attributionIds }) => {
          asked.push(attributionIds[0] === property.id ? 'first' : 'second');
          if (away && attributionIds[0] === property.id) throw new Error('a replica is down');
          return 0;
        },
      },
      onErase: async () => ({ conversions: 0, requests: 0, deliveries: 0 }),
      findByEmail: async () => ({ conversions: [], visitors: [] }),
      spools: { accepted: { scrub: async () => undefined }, rows: { scrub: async () => undefined } },
      clock: () => at,
      log: silentLog,
    });
    expect(await erasure.eraseVisitor(property, 'root', 'visitor-1')).toMatchObject({ goneBy: null });
    at += 1;
    await erasure.eraseVisitor(other, 'root', 'visitor-1');
    at += 3 * 60_000;
    asked.length = 0;
    await erasure.sweep();
    expect(asked).toEqual(['first', 'second']);
    for (let minute = 0; minute < 6; minute += 1) {
      at += 60_000;
      await erasure.sweep();
    }
    expect(asked).toEqual(['first', 'second', 'first', 'first']);
    expect(await erasure.overdue()).toEqual({ count: 0, since: null });
    away = false;
    at += 3_600_000;
    expect(await erasure.overdue()).toEqual({ count: 1, since: NOON });
    await erasure.sweep();
    expect(await erasure.overdue()).toEqual({ count: 0, since: null });
    at += 3_600_000;
    await erasure.sweep();
    expect(asked).toEqual(['first', 'second', 'first', 'first', 'first']);
  });

  test('who asks for an erasure is answered though the warehouse hangs', async () => {
    const erasure = createErasure({
      database: db,
      events: { erase: () => new Promise<number>(() => undefined) },
      onErase: async () => ({ conversions: 0, requests: 0, deliveries: 0 }),
      findByEmail: async () => ({ conversions: [], visitors: [] }),
      spools: { accepted: { scrub: async () => undefined }, rows: { scrub: async () => undefined } },
      clock: () => NOON,
      log: silentLog,
      warehouseWaitMs: 20,
    });
    expect(await erasure.eraseVisitor(property, 'root', 'visitor-1')).toMatchObject({
      events: null,
      // No page has reported this visitor.
      ...{ visitors: 0, sessions: 0, touches: 0 },
    });
    expect(await db.reader.selectFrom('erased_visitors').select('swept').execute()).toEqual([{ swept: 0 }]);
  });

  describe('from spool to spool', () => {
    const directory = mkdtempSync(join(tmpdir(), 'ghostlight-recorder-'));
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    const open = (name: string): Promise<Spool> =>
      openSpool({ directory, name, maxBytes: 1e9, clock: () => NOON, log: silentLog });

    test('a kill at any step loses and doubles nothing, and what the database can’t take stands aside', async () => {
      const from = await open(`accepted-${backend.name}`);
      const to = await open(`rows-${backend.name}`);
      const told: VisitorKey[] = [];
      let failures = 3;
      let refuseRows = 1;
      const recorder = createRecorder({
        database: db,
        rows: {
          append: async (entry) => {
            if (refuseRows-- > 0) throw new Error('killed between the database and the second spool');
            return await to.append(entry);
          },
        },
        toRow: toEventRow,
        onBrowserConversion: async () => undefined,
        lateRows: async () => [],
        onVisitors: async (seen) => {
          told.push(...seen);
          throw new Error('late matching is broken');
        },
        log: silentLog,
      });
      const events = Array.from({ length: 450 }, (_, n) =>
        accepted(property, { visitor_id: `v${n % 7}`, event_id: `e${n}` }),
      );
      const stranger = { ...accepted(property, { event_id: 'stranger' }), attribution_id: randomUUID() };
      const rows = [...events, stranger].map((event) => ({
        line: JSON.stringify(event),
        month: '202603',
        dedupKey: null,
        label: 'event',
      }));
      await from.append({
        endpoint: 'browser',
        received: rows.length,
        rows,
        dropped: {},
        rejected: {},
        quarantine: [],
      });
      const shipper = from.startShipper(
        {
          ...recorder,
          insert: async (batch) => {
            await recorder.insert(batch);
            if (failures-- > 0) throw new Error('killed between the second spool and the end of the batch');
          },
        },
        { backoffMs: { first: 1, longest: 2 }, gatherMs: 1 },
      );
      expect(await shipper.drain(20_000)).toBe(true);
      await shipper.stop();
      expect(from.stats().counters).toMatchObject({ stored: 450, unstorable: 1 });
      expect(to.stats().counters.kept.get('browser')).toEqual(new Map([['event', 450]]));
      expect(new Set(told.map(({ visitorId }) => visitorId)).size).toBe(7);
      expect(await db.reader.selectFrom('seen_events').select('event_id').execute()).toHaveLength(450);
      expect((await sessions()).reduce((sum, { events: count }) => sum + count, 0)).toBe(450);
      const [aside] = await from.uncollectedQuarantine(1);
      expect(aside).toMatchObject({
        endpoint: 'browser',
        attributionId: stranger.attribution_id,
        reason: 'unstorable',
      });
      await from.close();
      await to.close();
    });
  });
});
