import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_ORGANIZATION_ID, type Scope, ServiceError } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import { createProperties, type Property } from '../properties/index.ts';
import type { Webhooks } from './index.ts';
import { type TestSessions, testRequest, testSessions, testWebhooks } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const order = (more: object = {}) => ({ conversion_id: 'ord_1', value: 99.9, currency: 'EUR', ...more });

describe.each(databases.backends)('a webhook on $name', (backend) => {
  let now: number;
  const clock = () => now;
  let home: TestDatabase;
  let db: Database;
  let sessions: TestSessions;
  let webhooks: Webhooks;
  let property: Property;
  let key: string;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 21, 3);
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
  const post = async (topic: string, body: unknown, idempotencyKey?: string) =>
    (
      await webhooks.receive(
        testRequest(property.id, topic, key, body, idempotencyKey === undefined ? {} : { idempotencyKey }),
      )
    ).body;
  const refusal = async (attempt: Promise<unknown>): Promise<ServiceError> => {
    const thrown = await attempt.then(
      () => null,
      (error: unknown) => error,
    );
    if (thrown instanceof ServiceError) return thrown;
    throw new Error(`not refused: ${thrown}`);
  };
  const stored = () => db.reader.selectFrom('conversions').selectAll().orderBy('received_at').execute();
  const activity = () => webhooks.activity.list(property);

  it('is answered, stored and shown', async () => {
    const body = await post('purchase', order({ tax: '15.95', visitor_id: 'nobody' }));
    expect(body).toEqual({
      id: expect.stringMatching(/^cnv_[0-9a-f]{32}$/),
      status: 'success',
      topic: 'purchase',
      session_matched: false,
      duplicate: false,
      warnings: [],
    });
    expect(await stored()).toMatchObject([
      {
        id: body.id,
        conversion_id: 'ord_1',
        value: '99.9',
        currency: 'EUR',
        match_reason: 'unknown_visitor',
      },
    ]);
    expect(await activity()).toMatchObject([
      {
        status: 'success',
        http_status: 200,
        topic: 'purchase',
        session_matched: 0,
        match_reason: 'unknown_visitor',
        conversion_row: body.id,
        conversion_id: 'ord_1',
        value: '99.9',
        currency: 'EUR',
        key_prefix: key.slice(0, 12),
        count: 1,
      },
    ]);
  });

  it('is checked in one order: address, key, rate, body', async () => {
    const unread = async (): Promise<never> => {
      throw new Error('the body was read');
    };
    const { key: once } = await webhooks.keys.issue(property, 'root', { name: 'Once', rateLimit: 1 });
    const other = await createProperties(db, { clock }).create(OURS, 'root', {
      name: 'Other',
      domain: 'other.example',
    });
    const { key: foreign } = await webhooks.keys.issue(other, 'root', { name: 'Other', rateLimit: 60 });
    const request = (id: string, withKey: string | null) => ({
      ...testRequest(id, 'nonsense', withKey, null),
      readBody: unread,
    });
    // Everything is wrong: the address is said.
    for (const id of [other.id, randomUUID(), 'x', '']) {
      expect((await refusal(webhooks.receive(request(id, null)))).code, id).toBe('not_found');
      expect((await refusal(webhooks.receive(request(id, key)))).code, id).toBe('not_found');
    }
    const elsewhere = { ...request(property.id, key), boundTo: other.id };
    expect((await refusal(webhooks.receive(elsewhere))).code).toBe('not_found');
    // Then the key, whatever is wrong with it.
    for (const wrong of [null, foreign, `svc_wh_${'x'.repeat(43)}`, `${key} `, once.toLowerCase()])
      expect((await refusal(webhooks.receive(request(property.id, wrong)))).code).toBe('unauthorized');
    // Then the rate, with a body that would be refused.
    const first = await refusal(webhooks.receive(testRequest(property.id, 'nonsense', once, [])));
    expect(first).toMatchObject({ code: 'invalid', headers: { RateLimit: '"webhook";r=0;t=60' } });
    const second = await refusal(webhooks.receive(request(property.id, once)));
    expect(second).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '60' } });
    // In any letter case of the address.
    const upper = testRequest(property.id.toUpperCase(), 'purchase', key, order());
    expect((await webhooks.receive(upper)).body.status).toBe('success');
    expect((await activity()).map(({ status }) => status).sort()).toEqual([
      'auth_error',
      'rate_limited',
      'success',
      'validation_error',
    ]);
  });

  it('refuses no good key for the wrong ones that come from the same address', async () => {
    const { key: rare } = await webhooks.keys.issue(property, 'root', { name: 'Rare', rateLimit: 60 });
    const wrong: string[] = [];
    let id = 0;
    for (let second = 0; second < 21; second += 1) {
      for (let n = 0; n < 30; n += 1) {
        const guess = `svc_wh_${String(second * 30 + n).padStart(43, 'x')}`;
        wrong.push((await refusal(webhooks.receive(testRequest(property.id, 'lead', guess, {})))).code);
      }
      await post('purchase', order({ conversion_id: `steady_${id++}` }));
      // Beyond what the cache holds a key for, so that it is looked up again each time.
      if (second % 7 === 0)
        await webhooks.receive(
          testRequest(property.id, 'purchase', rare, order({ conversion_id: `rare_${id++}` })),
        );
      now += 1_000;
    }
    expect(await stored()).toHaveLength(24);
    // The wrong ones are slowed: after the first 60 about one a second still gets the reason.
    const told = wrong.filter((code) => code === 'unauthorized').length;
    expect(told).toBeGreaterThanOrEqual(60);
    expect(told).toBeLessThanOrEqual(60 + 21);
    expect(new Set(wrong)).toEqual(new Set(['unauthorized', 'rate_limited']));
  });

  it('makes one conversion of a hundred that arrive at once', async () => {
    const bodies = await Promise.all(Array.from({ length: 100 }, () => post('purchase', order())));
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
    expect(bodies.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(bodies.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(await stored()).toHaveLength(1);
  });

  it('is one over two nodes, and a refund finds its purchase on the other', async () => {
    const second = testWebhooks(await home.node(), { clock, log: silentLog, matching: sessions });
    sessions.visit('v', { at: now - HOUR });
    const both = (topic: string, body: unknown) =>
      Promise.all(
        Array.from(
          { length: 20 },
          async (_, n) =>
            (await (n % 2 === 0 ? webhooks : second).receive(testRequest(property.id, topic, key, body)))
              .body,
        ),
      );
    const orders = await both('purchase', order({ visitor_id: 'v' }));
    const refunds = await both('refund', {
      conversion_id: 'ord_1',
      refund_id: 'r',
      value: 1,
      currency: 'EUR',
    });
    for (const bodies of [orders, refunds]) {
      expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
      expect(bodies.every(({ session_matched: matched }) => matched)).toBe(true);
    }
    expect(await stored()).toHaveLength(2);
    await second.close();
  });

  it('stores a sale whatever single member of it is invalid, except for its id and its amount', async () => {
    const whole: Record<string, unknown> = order({
      ...{
        visitor_id: 'v',
        event_time: now / 1_000,
        tax: 1,
        shipping: 1,
        discount_code: 'A',
        lead_type: 'b',
      },
      user_data: { email: 'jane@shop.example', address: { city: 'Berlin' } },
      products: [{ id: 1, quantity: 1 }],
      consent: { advertising: true },
    });
    const spoils = [
      true,
      -1,
      1e300,
      [],
      ['x'],
      { x: 1 },
      'x'.repeat(70_000),
      'a\u0000\ud83d',
      '2026-11-22 04:00',
      'a=b',
    ];
    let n = 0;
    const refused = new Set<string>();
    const statuses = await Promise.all(
      Object.keys(whole).flatMap((name) =>
        spoils.map(async (spoiled) => {
          const body = { ...whole, conversion_id: `ord_${n++}`, [name]: spoiled };
          const answer = await post('purchase', body).catch((error: unknown) => {
            if (!(error instanceof ServiceError) || error.code !== 'invalid') throw error;
            refused.add(name);
            return null;
          });
          return answer?.status ?? null;
        }),
      ),
    );
    expect([...refused].sort()).toEqual(['conversion_id', 'currency', 'value']);
    const taken = statuses.filter((status) => status === 'success').length;
    // Of the three, a text or a whole number may be an id, and 1e300 no amount.
    expect(taken).toBeGreaterThanOrEqual((Object.keys(whole).length - 3) * spoils.length);
  });

  it('names what was left out in the answer and in Recent Activity', async () => {
    const { warnings } = await post(
      'purchase',
      order({
        currency: 'JPY',
        visitor_id: 'a b',
        products: [
          { id: 1, quantity: -1 },
          { id: 2, quantity: '0.750' },
        ],
      }),
    );
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/visitor_id', '/value', '/products/0/quantity']);
    expect(warnings[1]?.message).toMatch(/^too_many_decimals: /);
    const [row] = await activity();
    expect(JSON.parse(row?.judgement ?? '')).toMatchObject({ warnings });
    const [stored_] = await stored();
    expect(stored_?.value).toBe('99.9');
    expect(JSON.parse(stored_?.products ?? '')).toEqual([{ id: '1' }, { id: '2', quantity: '0.75' }]);
  });

  it('takes the visitor of a whole cookie and of an id in capitals', async () => {
    const id = '0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11';
    sessions.visit(id, { at: now - HOUR });
    for (const visitor of [`v1.${id}.1796169600`, id.toUpperCase(), `v1.${id.toUpperCase()}.1`])
      expect(await post('lead', { visitor_id: visitor })).toMatchObject({
        session_matched: true,
        warnings: [{ pointer: '/visitor_id' }],
      });
  });

  it('says when no order is known by a refund’s conversion_id, and takes an empty PHP array for an object', async () => {
    await post('purchase', order());
    now += 1_000;
    const refund = await post('refund', { conversion_id: 'refund_7', value: 10, currency: 'EUR' });
    expect(refund.warnings).toMatchObject([
      { pointer: '/conversion_id', message: expect.stringMatching(/^no_such_order: /) },
    ]);
    const [row] = await activity();
    expect(JSON.parse(row?.judgement ?? '').warnings).toEqual(refund.warnings);
    expect(await post('lead', [])).toMatchObject({ status: 'success', warnings: [] });
    expect((await post('refund', { conversion_id: 'ord_1', value: 10, currency: 'EUR' })).warnings).toEqual(
      [],
    );
  });

  it('counts an order once that came as purchase and as subscription, and says so', async () => {
    const both = [await post('subscription', order()), await post('purchase', order())];
    expect(both.map(({ duplicate }) => duplicate)).toEqual([false, false]);
    expect(both[0]?.warnings).toEqual([]);
    expect(both[1]?.warnings).toMatchObject([
      { pointer: '/conversion_id', message: expect.stringMatching(/^same_order: .* as subscription before/) },
    ]);
    await post('purchase', order({ conversion_id: 'ord_2', value: 1 }));
    await post('refund', { conversion_id: 'ord_1', refund_id: 'r', value: '9.9', currency: 'EUR' });
    const period = {
      from: now - DAY,
      to: now + DAY,
      by: 'channel',
      model: 'last_click',
      days: null,
    } as const;
    const { totals } = await webhooks.report(property, period);
    expect(totals).toMatchObject({ conversions: '2', values: [{ currency: 'EUR', value: '91' }] });
    const first = (await stored()).find(({ topic }) => topic === 'subscription');
    expect((await webhooks.conversions.get(property, first?.id ?? '')).refunds).toHaveLength(1);
  });

  it('counts an order once that comes as purchase and as subscription at the same instant, to two nodes', async () => {
    const meeting = Promise.withResolvers<void>();
    let met = 0;
    const matching: TestSessions = {
      ...sessions,
      // Inside the transaction: until both are there, or one waits for the other.
      async touchesOf(...asked) {
        met += 1;
        if (met === 2) meeting.resolve();
        await Promise.race([meeting.promise, sleep(300)]);
        return await sessions.touchesOf(...asked);
      },
    };
    // On SQLite there is one.
    const nodes = [db, db.adapter.isShared ? await home.node() : db].map((node) =>
      testWebhooks(node, { clock, log: silentLog, matching }),
    );
    const body = order({ visitor_id: 'visitor-1' });
    const answers = await Promise.all(
      nodes.map((node, n) =>
        node.receive(testRequest(property.id, n === 0 ? 'purchase' : 'subscription', key, body)),
      ),
    );
    const warned = answers.filter(({ body: { warnings } }) =>
      JSON.stringify(warnings).includes('same_order'),
    );
    expect(warned).toHaveLength(1);
    expect((await stored()).filter(({ purchase_row }) => purchase_row === null)).toHaveLength(1);
    const period = { from: now - DAY, to: now + DAY, by: 'channel', days: null } as const;
    const { totals } = await webhooks.report(property, { ...period, model: 'last_click' });
    expect(totals).toMatchObject({ conversions: '1', values: [{ currency: 'EUR', value: '99.9' }] });
    for (const node of nodes) await node.close();
  });

  it('takes nothing with a key that is revoked while the body arrives', async () => {
    const { key: leaving, id } = await webhooks.keys.issue(property, 'root', { name: 'Old', rateLimit: 60 });
    for (const body of [order(), 'no conversion']) {
      const request = testRequest(property.id, 'purchase', leaving, body);
      const readBody = async () => {
        await webhooks.keys.revoke(property, 'root', id);
        return body;
      };
      expect((await refusal(webhooks.receive({ ...request, readBody }))).code).toBe('unauthorized');
    }
    expect(await stored()).toEqual([]);
    expect((await activity()).map(({ status }) => status)).toEqual(['auth_error']);
  });

  it('takes nothing off for a refund in another currency, and says so', async () => {
    await post('purchase', order());
    const { warnings } = await post('refund', { conversion_id: 'ord_1', value: 50, currency: 'USD' });
    expect(warnings).toMatchObject([
      { pointer: '/currency', message: expect.stringMatching(/^currency_mismatch: /) },
    ]);
    const period = {
      from: now - DAY,
      to: now + DAY,
      by: 'channel',
      model: 'last_click',
      days: null,
    } as const;
    expect((await webhooks.report(property, period)).totals).toMatchObject({
      values: [{ currency: 'EUR', value: '99.9' }],
      refunds: [],
    });
  });

  it('takes nothing off for a refund whose order is unknown, until that order comes', async () => {
    await post('purchase', order());
    await post('refund', { conversion_id: 'ord_2', refund_id: 'r', value: 1, currency: 'EUR' });
    const period = {
      from: now - DAY,
      to: now + DAY,
      by: 'channel',
      model: 'last_click',
      days: null,
    } as const;
    const totals = async () => (await webhooks.report(property, period)).totals;
    expect(await totals()).toMatchObject({ values: [{ currency: 'EUR', value: '99.9' }], refunds: [] });
    await post('purchase', order({ conversion_id: 'ord_2', value: 10 }));
    expect(await totals()).toMatchObject({
      values: [{ currency: 'EUR', value: '108.9' }],
      refunds: [{ currency: 'EUR', value: '1' }],
    });
  });

  it('is known again by refund id, conversion id, or the header, each per topic', async () => {
    const first = await post('purchase', order());
    const repeated = await post('purchase', order({ value: '99.90' }));
    expect(repeated).toEqual({ ...first, duplicate: true });
    const differing = await post('purchase', order({ value: 1, user_data: { email: 'a@b.example' } }));
    expect(differing).toMatchObject({ id: first.id, duplicate: true });
    expect(differing.warnings[0]?.message).toContain('payload_differs');
    expect(await post('lead', order())).toMatchObject({ duplicate: false });
    const lead = await post('lead', {}, 'once');
    expect(await post('lead', {}, 'once')).toMatchObject({ id: lead.id, duplicate: true });
    expect(await post('lead', {})).toMatchObject({ duplicate: false });
    const [partial, another] = [
      await post('refund', { conversion_id: 'ord_1', refund_id: 'r1', value: 10, currency: 'EUR' }),
      await post('refund', { conversion_id: 'ord_1', refund_id: 'r2', value: 10, currency: 'EUR' }),
    ];
    expect(partial.id).not.toBe(another.id);
    expect(
      await post('refund', { conversion_id: 'ord_1', refund_id: 'r1', value: 10, currency: 'EUR' }),
    ).toMatchObject({ id: partial.id, duplicate: true });
    // A generated id is the row's own.
    expect((await stored()).find(({ id }) => id === lead.id)?.conversion_id).toBe(lead.id);
    expect(await stored()).toHaveLength(6);
  });

  it('matches a click of thirty days ago to the second, and none of longer ago', async () => {
    const at = now - (now % 1_000) + 600;
    now = at;
    sessions.visit('inside', { at: at - 30 * DAY - 500 });
    sessions.visit('outside', { at: at - 30 * DAY - 1_100 });
    sessions.visit('month', { at: at - 31 * DAY });
    sessions.visit('after', { at: at + 6 * MINUTE });
    const reasons = [];
    sessions.visit('known');
    for (const visitor of ['inside', 'outside', 'month', 'after', 'known', 'nobody', null]) {
      const { id } = await post('lead', visitor === null ? {} : { visitor_id: visitor });
      const row = (await stored()).find((candidate) => candidate.id === id);
      reasons.push([visitor, row?.session_matched, row?.match_reason, row?.campaign]);
    }
    expect(reasons).toEqual([
      ['inside', 1, 'matched', 'autumn'],
      ['outside', 0, 'outside_lookback', null],
      ['month', 0, 'outside_lookback', null],
      ['after', 0, 'outside_lookback', null],
      ['known', 1, 'direct', ''],
      ['nobody', 0, 'unknown_visitor', null],
      [null, 0, 'no_visitor_id', null],
    ]);
    await webhooks.settings.update(property, 'root', { lookbackDays: 31 });
    expect(await post('lead', { visitor_id: 'month' })).toMatchObject({ session_matched: true });
  });

  it('freezes winner and path, and takes the time of the event where it can be right', async () => {
    sessions.visit(
      'v',
      { at: now - 3 * HOUR, campaign: 'spring' },
      { at: now - HOUR, channel: 'direct', paid: false, campaign: '' },
    );
    const { id } = await post('purchase', order({ visitor_id: 'v', event_time: (now - 2 * HOUR) / 1_000 }));
    const [row] = await stored();
    expect(row).toMatchObject({
      id,
      occurred_at: now - 2 * HOUR,
      channel: 'paid_search',
      campaign: 'spring',
    });
    expect(JSON.parse(row?.winner ?? '')).toMatchObject({ id: 'v-0', clickIds: { gclid: 'Abc' } });
    expect(JSON.parse(row?.touches ?? '').map((touch: { id: string }) => touch.id)).toEqual(['v-0']);
    for (const [n, off] of [-31 * DAY, 6 * MINUTE].entries()) {
      const late = await post('purchase', order({ conversion_id: `late${n}`, event_time: now + off }));
      expect(late.warnings).toMatchObject([{ pointer: '/event_time' }]);
    }
    expect((await stored()).map(({ occurred_at: at }) => at).sort()).toEqual([now - 2 * HOUR, now, now]);
  });

  it('lets refunds inherit whatever their age, in part, and warns of more than was paid', async () => {
    sessions.visit('v', { at: now - HOUR });
    await post('purchase', order({ value: '100.00', visitor_id: 'v' }));
    now += 200 * DAY;
    const refund = (more: object) => post('refund', { conversion_id: 'ord_1', ...more });
    expect(await refund({ refund_id: 'a', value: -30, currency: 'EUR' })).toMatchObject({
      session_matched: true,
      warnings: [],
    });
    expect(await refund({ refund_id: 'b', value: '80', currency: 'EUR' })).toMatchObject({
      warnings: [{ pointer: '/value', message: expect.stringContaining('total 110 EUR') }],
    });
    expect(await refund({ refund_id: 'c', value: 1, currency: 'USD' })).toMatchObject({
      warnings: [{ pointer: '/currency' }],
    });
    expect(await refund({ refund_id: 'd' })).toMatchObject({ session_matched: true, warnings: [] });
    const refunds = (await stored()).filter(({ topic }) => topic === 'refund');
    expect(
      refunds.map(({ match_reason, value, campaign }) => [match_reason, value, campaign]).sort(),
    ).toEqual([
      ['inherited', '0', 'autumn'],
      ['inherited', '1', 'autumn'],
      ['inherited', '30', 'autumn'],
      ['inherited', '80', 'autumn'],
    ]);
  });

  it('gives a refund that overtook its purchase what it was missing', async () => {
    sessions.visit('v', { at: now - HOUR });
    const early = await post('refund', { conversion_id: 'ord_1' });
    expect(early).toMatchObject({
      session_matched: false,
      warnings: [{ pointer: '/conversion_id' }, { pointer: '/value' }],
    });
    await post('purchase', order({ visitor_id: 'v' }));
    expect((await stored()).find(({ id }) => id === early.id)).toMatchObject({
      match_reason: 'inherited',
      value: '99.9',
      currency: 'EUR',
      session_matched: 1,
    });
    expect((await activity()).map(({ match_reason }) => match_reason).sort()).toEqual([
      'inherited',
      'matched',
    ]);
  });

  it('matches late, within the hour and only by touches from before it, with its refunds', async () => {
    const visitor = { attributionId: '', visitorId: 'v' };
    visitor.attributionId = property.id;
    const { id } = await post('purchase', order({ visitor_id: 'v' }));
    await post('refund', { conversion_id: 'ord_1', value: 1, currency: 'EUR' });
    sessions.visit('v', { at: now + 6 * MINUTE });
    now += 10 * MINUTE;
    await webhooks.onVisitors([visitor]);
    expect((await activity()).every(({ session_matched: matched }) => matched === 0)).toBe(true);
    sessions.visit('v', { at: now - 15 * MINUTE });
    await webhooks.onVisitors([visitor, { attributionId: property.id, visitorId: 'other' }]);
    expect((await stored()).map(({ match_reason, match_until }) => [match_reason, match_until])).toEqual([
      ['late', null],
      ['inherited', null],
    ]);
    const shown = (await activity()).find(({ conversion_row: row }) => row === id);
    expect(shown).toMatchObject({ session_matched: 1, match_reason: 'late' });
    expect(await post('purchase', order({ visitor_id: 'v' }))).toMatchObject({
      duplicate: true,
      session_matched: true,
    });
  });

  it('finds in the sweep what two commits passed each other over, and gives up after an hour', async () => {
    await post('purchase', order({ visitor_id: 'v' }));
    await post('purchase', order({ conversion_id: 'ord_2', visitor_id: 'w' }));
    sessions.visit('v', { at: now });
    now += 59 * MINUTE;
    await webhooks.sweep();
    now += 2 * MINUTE;
    sessions.visit('w', { at: now - HOUR });
    await webhooks.sweep();
    await webhooks.onVisitors([{ attributionId: property.id, visitorId: 'w' }]);
    expect(
      (await stored()).map(({ match_reason, match_until }) => [match_reason, match_until]).sort(),
    ).toEqual([
      ['late', null],
      ['unknown_visitor', null],
    ]);
  });

  it('encrypts personal data, shows it masked, and deletes it after thirty days', async () => {
    const personal = {
      email: 'Jane.Doe@mail.example',
      phone: '+49 30 901820',
      // Ids and ciphertexts of the same rows could spell what is shorter.
      first_name: 'Jane-Marie',
      address: { city: 'Berlin', postal_code: 101_150_042 },
    };
    const { id } = await post(
      'purchase',
      order({
        user_data: personal,
        note: 'call +4930901820 or jane.doe@mail.example',
        client_ip: '203.0.113.9',
      }),
    );
    await post('purchase', { user_data: personal, value: 'x', phone: '030 901820' }).catch(() => undefined);
    const dump = JSON.stringify([
      await stored(),
      await db.reader.selectFrom('webhook_requests').selectAll().execute(),
    ]);
    const names = ['Jane-', 'Jane.', 'jane.doe'];
    for (const secret of [...names, '30 901820', '30901820', '101150042', '203.0.113.9', key.slice(12)])
      expect(dump, secret).not.toContain(secret);
    expect(dump).toContain('J***@m***.example');
    const [row] = await stored();
    const cipher = createSecretCipher('a secret of at least thirty-two characters');
    expect(JSON.parse(cipher.decrypt(row?.personal ?? '', `conversion:${id}`))).toMatchObject({
      user_data: { email: 'Jane.Doe@mail.example', address: { postal_code: '101150042' } },
      extra: { client_ip: '203.0.113.9' },
    });
    now += 30 * DAY - 1;
    await webhooks.forgetOld();
    expect((await stored())[0]?.personal).not.toBeNull();
    now += 1;
    await webhooks.forgetOld();
    expect((await stored())[0]).toMatchObject({ personal: null, personal_until: null, payload_digest: null });
    // What can't be compared any longer is taken for the same.
    expect(await post('purchase', order({ value: 5 }))).toMatchObject({ duplicate: true, warnings: [] });
    now += 371 * DAY;
    await webhooks.forgetOld();
    expect(await stored()).toEqual([]);
  });

  it('re-encrypts what is encrypted with the old secret, while both are there', async () => {
    const { id } = await post('purchase', order({ user_data: { email: 'a@b.example' } }));
    const [old, next] = [
      'a secret of at least thirty-two characters',
      'another secret of more than thirty-two',
    ];
    const node = testWebhooks(db, {
      clock,
      log: silentLog,
      cipher: createSecretCipher(next, old),
      rotating: true,
    });
    await node.forgetOld();
    await node.close();
    const [row] = await stored();
    expect(createSecretCipher(next).decrypt(row?.personal ?? '', `conversion:${id}`)).toContain(
      'a@b.example',
    );
  });

  it('links a refund that matched by itself to its order nevertheless', async () => {
    sessions.visit('v', { at: now - HOUR });
    sessions.visit('w', { at: now - HOUR, campaign: 'winter' });
    await post('refund', { conversion_id: 'ord_1', value: 1, currency: 'EUR', visitor_id: 'v' });
    const { id } = await post('purchase', order({ visitor_id: 'w' }));
    const refund = (await stored()).find(({ topic }) => topic === 'refund');
    expect(refund).toMatchObject({ purchase_row: id, match_reason: 'inherited', campaign: 'winter' });
  });

  it('keeps the newest twenty per status, whatever attackers do', async () => {
    for (let n = 0; n < 25; n += 1) {
      now += 1_000;
      await post('purchase', order({ conversion_id: `ord_${n}` }));
    }
    for (let n = 0; n < 100; n += 1) {
      if (n % 2 === 0) now += 1_000;
      await refusal(webhooks.receive(testRequest(property.id, 'purchase', null, order())));
      if (n % 4 === 3) await webhooks.activity.list(property);
    }
    const shown = await activity();
    expect(shown).toHaveLength(20);
    expect(shown.filter(({ status }) => status === 'success')).toHaveLength(19);
    // What came one after the other is one row with its number.
    expect(shown[0]).toMatchObject({ status: 'auth_error', count: 80 });
    now += 1_000;
    await post('purchase', order({ conversion_id: 'last' }));
    expect((await activity()).slice(0, 3).map(({ status, count }) => [status, count])).toEqual([
      ['success', 1],
      ['auth_error', 80],
      ['success', 1],
    ]);
    const rows = await db.reader.selectFrom('webhook_requests').selectAll().execute();
    for (const status of ['success', 'auth_error'])
      expect(rows.filter((row) => row.status === status)).toHaveLength(20);
    expect(rows.filter(({ status }) => status === 'success').at(0)?.conversion_id).not.toBe('ord_0');
  });

  it('slows guessing per address without shutting out a key that is known', async () => {
    await post('lead', {});
    const guess = (n: number) => `svc_wh_${String(n).padStart(43, '0')}`;
    const codes = new Set<string>();
    for (let n = 0; n < 70; n += 1)
      codes.add((await refusal(webhooks.receive(testRequest(property.id, 'lead', guess(n), {})))).code);
    expect([...codes]).toEqual(['unauthorized', 'rate_limited']);
    expect(await post('lead', {})).toMatchObject({ status: 'success' });
  });

  it('links the browser’s own event, in either order, and forgets a visitor who asks for it', async () => {
    sessions.visit('v', { at: now });
    const { id } = await post('purchase', order({ visitor_id: 'v', user_data: { email: 'a@b.example' } }));
    await post('refund', { conversion_id: 'ord_1' });
    const event = {
      topic: 'purchase' as const,
      conversionId: 'ord_1',
      eventId: randomUUID(),
      visitorId: 'v',
      sessionId: null,
      at: now,
    };
    await webhooks.linkBrowserEvent(db.kysely, property, event);
    await webhooks.linkBrowserEvent(db.kysely, property, { ...event, eventId: randomUUID() });
    expect(await db.reader.selectFrom('browser_conversions').selectAll().execute()).toMatchObject([
      { event_id: event.eventId },
    ]);
    const erased = await db.kysely
      .transaction()
      .execute((trx) => webhooks.eraseVisitor(trx, property, { visitors: ['v'], conversions: [] }));
    expect(erased).toEqual({ conversions: 1, requests: 2, browserEvents: 1 });
    const rows = await stored();
    expect(rows.find((row) => row.id === id)).toMatchObject({
      visitor_id: null,
      personal: null,
      campaign: 'autumn',
    });
    expect(JSON.stringify(rows)).not.toContain('"gclid');
  });

  it('forgets the ids too that a sender made of an address or a visitor, and still knows a repetition', async () => {
    const email = 'ada@forgotten.example';
    const visitor = 'visitor-7F';
    sessions.visit(visitor, { at: now });
    const about = { visitor_id: visitor, user_data: { email } };
    const lead = { ...about, conversion_id: email, lead_type: `of ${email}` };
    await post('lead', lead);
    await post('custom', { ...about, event_name: 'call' }, `call ${visitor.toUpperCase()}`);
    const { id } = await post('purchase', order({ ...about, conversion_id: `order-${email}` }));
    await post('refund', { conversion_id: `order-${email}`, refund_id: `back-${email}` });
    await post('purchase', order({ ...about, conversion_id: 'ord_7' }));
    await db.kysely
      .transaction()
      .execute((trx) => webhooks.eraseVisitor(trx, property, { visitors: [visitor], conversions: [] }));
    const rows = await stored();
    expect(JSON.stringify(rows)).not.toMatch(/forgotten|visitor-7f/i);
    expect(rows.filter((row) => row.purchase_row === id).map((row) => row.conversion_id)).toEqual([id]);
    expect(rows.map((row) => row.conversion_id)).toContain('ord_7');
    await post('lead', lead);
    await post('custom', { ...about, event_name: 'call' }, `call ${visitor.toUpperCase()}`);
    await post('refund', { conversion_id: `order-${email}`, refund_id: `back-${email}` });
    expect(await stored()).toHaveLength(rows.length);
  });
});
