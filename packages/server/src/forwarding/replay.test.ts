import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../common/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { openHome, order, type TestHome } from './testing.ts';
import { deliveryDetailView, deliveryView } from './views.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('replay on $name', (backend) => {
  let database: TestDatabase;
  let home: TestHome;
  let destination: string;
  beforeEach(async () => {
    database = await backend.fresh();
    home = await openHome(database);
    destination = await home.connect();
    home.visit('visitor-1');
  });
  afterEach(async () => {
    await home.close();
    await database.remove();
  });

  const one = async () => {
    const [delivery] = await home.deliveries();
    if (delivery === undefined) throw new Error('there is no delivery');
    return delivery;
  };
  const replay = (id: string, confirmDuplicate = false) =>
    home.forwarding.replay.one(home.property, 'root', id, { confirmDuplicate });
  const refusal = async (id: string, confirmDuplicate = false): Promise<string> => {
    const error = await replay(id, confirmDuplicate).catch((thrown: unknown) => thrown);
    return error instanceof ServiceError ? `${error.code}: ${error.message}` : 'replayed';
  };
  const replayAll = (filter: object = {}) =>
    home.forwarding.replay.many(home.property, 'root', { from: 0, to: home.now() + DAY_MS, ...filter });
  const audits = async () =>
    (
      await home.db.reader
        .selectFrom('audit_log')
        .select(['action', 'subject'])
        .where('action', 'like', 'deliver%')
        .execute()
    ).map(({ action, subject }) => [action, subject]);

  it('sends a dead one again, with its history', async () => {
    home.answer({ status: 400, body: 'bad event' });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    const dead = await one();
    expect(deliveryView(dead)).toMatchObject({
      ...{ status: 'dead', reason: 'bad_event', attempts: 1, replayable: true },
    });
    home.pass(2 * HOUR_MS);
    home.answer({ status: 200, body: '' });
    expect(deliveryView(await replay(dead.id))).toMatchObject({
      ...{ status: 'pending', reason: null, message: null, attempts: 0, sent_at: null, settled_at: null },
      ...{ next_at: new Date(home.now()).toISOString(), replayable: false },
    });
    await home.forwarding.runOnce();
    const again = deliveryDetailView(await one(), home.now());
    expect(again).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(again.history.map(({ verdict }) => verdict)).toEqual(['refused', 'delivered']);
    expect(home.sent).toHaveLength(2);
    expect(await audits()).toEqual([['delivery.replayed', dead.id]]);
  });

  it('is refused with a sentence for what is on its way, delivered, or of a deleted destination', async () => {
    await home.post('purchase', order('1'));
    const { id } = await one();
    expect(await refusal(id)).toMatch(/^conflict: It is already being sent/);
    await home.forwarding.runOnce();
    expect(await refusal(id)).toMatch(/^conflict: The platform already has it/);
    await home.db.kysely.updateTable('deliveries').set({ state: 'dead' }).execute();
    await home.forwarding.destinations.delete(home.property, 'root', destination);
    expect(await refusal(id)).toMatch(/^conflict: Its destination is deleted/);
    expect(await refusal('dlv_00')).toMatch(/^not_found/);
    expect((await one()).state).toBe('dead');
    expect(await audits()).toEqual([]);
  });

  it('sends one that waits for its next attempt now, first of all, through an open breaker', async () => {
    home.answer({ status: 503 });
    await home.post('purchase', order('1'));
    for (let n = 0; n < 6; n += 1) {
      await home.forwarding.runOnce();
      home.pass(15 * 60_000);
    }
    await home.post('purchase', order('2'));
    await home.forwarding.runOnce();
    const last = await home.deliveries();
    const first = last.find(({ conversion_id }) => conversion_id === '1');
    if (first === undefined) throw new Error('there is no delivery');
    expect(first.state).toBe('retry');
    expect(first.not_before).toBeGreaterThan(home.now());
    const before = home.sent.length;
    await home.forwarding.runOnce();
    expect(home.sent).toHaveLength(before);

    expect(deliveryView(first).replayable).toBe(true);
    const attempts = first.attempts;
    expect(await replay(first.id)).toMatchObject({ state: 'retry', attempts, history: first.history });
    home.answer({ status: 200 });
    await home.forwarding.runOnce();
    // The breaker is closed by it: what waited behind it follows.
    expect(home.sent.slice(before).map(({ body }) => /"id":"(\d)"/.exec(String(body))?.[1])).toEqual([
      '1',
      '2',
    ]);
    expect((await home.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(await audits()).toEqual([['delivery.replayed', first.id]]);
  });

  it('sends what waits but once, called twice and while the worker takes it up', async () => {
    home.answer({ status: 503 });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    const { id } = await one();
    home.answer({ status: 200 });
    home.pass(HOUR_MS);
    const answers = await Promise.all([refusal(id), home.forwarding.runOnce(), refusal(id)]);
    await home.forwarding.runOnce();
    expect(home.sent).toHaveLength(2);
    expect(await one()).toMatchObject({ state: 'delivered', attempts: 2 });
    for (const answer of [answers[0], answers[2]])
      expect(answer).toMatch(/^replayed$|^conflict: (It is already being sent|The platform already has it)/);
  });

  it('of what waits is refused where its destination is paused or the platform asked to wait', async () => {
    home.answer({ status: 503 });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    const { id } = await one();
    await home.forwarding.destinations.update(home.property, 'root', destination, { paused: true });
    expect(await refusal(id)).toBe('conflict: Its destination is paused. Resume it first.');
    expect(deliveryView(await one()).replayable).toBe(false);
    await home.forwarding.destinations.update(home.property, 'root', destination, { paused: false });
    const wait = (failures: number, history: string) =>
      Promise.all([
        home.db.kysely
          .updateTable('destinations')
          .set({ failures, not_before: home.now() + HOUR_MS })
          .execute(),
        home.db.kysely.updateTable('deliveries').set({ history }).execute(),
      ]);
    await wait(0, '[]');
    expect(await refusal(id)).toMatch(/^conflict: The platform has asked for fewer requests/);
    await wait(3, JSON.stringify([{ at: 0, http_status: 429, ms: 1, verdict: 'throttled', message: null }]));
    expect(await refusal(id)).toMatch(/^conflict: The platform has asked for fewer requests/);
    expect(await audits()).toEqual([]);
  });

  it('leaves the breaker alone while another attempt is under way', async () => {
    home.answer({ status: 503 });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    await home.post('purchase', order('2'));
    const until = home.now() + HOUR_MS;
    await home.db.kysely.updateTable('destinations').set({ failures: 5, not_before: until }).execute();
    const [second, first] = await home.deliveries();
    await home.db.kysely
      .updateTable('deliveries')
      .set({ state: 'sending' })
      .where('id', '=', first?.id ?? '')
      .execute();
    expect(await refusal(second?.id ?? '')).toBe('replayed');
    expect((await home.deliveries()).map(({ not_before }) => not_before)).toEqual([until, until]);
  });

  it('of what may have arrived needs to be confirmed', async () => {
    await home.post('lead', order('1'));
    await home.db.kysely.updateTable('deliveries').set({ state: 'unknown' }).execute();
    const { id } = await one();
    expect(await refusal(id)).toMatch(/^conflict: .*confirm_duplicate/);
    expect(await refusal(id, true)).toBe('replayed');
    await home.forwarding.runOnce();
    expect((await one()).state).toBe('delivered');
  });

  it('of a skip is for those that a change of settings fixes', async () => {
    await home.post('custom', order('1', { event_name: 'Quote' }));
    await home.forwarding.runOnce();
    const { id } = await one();
    expect(await one()).toMatchObject({ state: 'skipped', reason: 'no_mapping' });
    await home.forwarding.destinations.update(home.property, 'root', destination, {
      events: { 'custom:Quote': 'Lead' },
    });
    expect(await refusal(id)).toBe('replayed');
    await home.forwarding.runOnce();
    expect(await one()).toMatchObject({ state: 'delivered', platform_event: 'Lead' });
    await home.db.kysely.updateTable('deliveries').set({ state: 'skipped', reason: 'too_old' }).execute();
    expect(await refusal(id)).toMatch(/^conflict: It was skipped/);
  });

  it('says data_expired once the personal data is deleted', async () => {
    home.answer({ status: 400, body: 'bad event' });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    home.pass(8 * DAY_MS);
    await home.hourly();
    await home.hourly();
    const dead = await one();
    expect(deliveryView(dead).replayable).toBe(false);
    expect(await refusal(dead.id)).toMatch(/^conflict: data_expired/);
    expect(await replayAll()).toEqual({ replayed: 0, expired: 1, remaining: 0 });
    expect((await one()).state).toBe('dead');
  });

  it('keeps the personal data as long as what is replayed needs it', async () => {
    home.answer({ status: 400, body: 'bad event' });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    await home.hourly();
    home.pass(DAY_MS);
    home.answer({ status: 503 });
    await replay((await one()).id);
    await home.forwarding.runOnce();
    home.pass(7 * DAY_MS);
    await home.hourly();
    const { personal } = await home.db.reader
      .selectFrom('conversions')
      .select('personal')
      .executeTakeFirstOrThrow();
    expect(personal).not.toBeNull();
  });

  it('of many goes by platform, destination, reason and time, and is audited as one', async () => {
    const other = await home.connect({ platform: 'tiktok' });
    home.answer({ status: 400, body: 'bad event' });
    for (const id of ['1', '2']) {
      await home.post('purchase', order(id));
      await home.forwarding.runOnce();
      home.pass(HOUR_MS);
    }
    expect(await replayAll({ platform: 'snap' })).toEqual({ replayed: 0, expired: 0, remaining: 0 });
    expect(await replayAll({ reason: 'other' })).toMatchObject({ replayed: 0 });
    expect(await replayAll({ to: home.now() - 3 * HOUR_MS })).toMatchObject({ replayed: 0 });
    expect(await audits()).toEqual([]);
    expect(await replayAll({ destination: other, reason: 'bad_event' })).toMatchObject({ replayed: 2 });
    expect(await replayAll({ from: home.now() - HOUR_MS - 1 })).toMatchObject({ replayed: 1 });
    expect(await replayAll()).toEqual({ replayed: 1, expired: 0, remaining: 0 });
    expect(await audits()).toEqual(Array(3).fill(['deliveries.replayed', home.property.id]));
    home.answer({ status: 200 });
    await home.forwarding.runOnce();
    expect((await home.deliveries()).map(({ state }) => state)).toEqual(Array(4).fill('delivered'));
  });

  it('of many is bounded, and says what is left', async () => {
    await home.post('purchase', order('1'));
    const row = await home.db.reader.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();
    const conversion = await home.db.reader.selectFrom('conversions').selectAll().executeTakeFirstOrThrow();
    await home.db.kysely.deleteFrom('deliveries').execute();
    const hex = (n: number) => n.toString(16).padStart(32, '0');
    for (let from = 0; from < 10_200; from += 300) {
      const numbers = Array.from({ length: 300 }, (_, n) => from + n);
      await home.db.kysely
        .insertInto('conversions')
        .values(numbers.map((n) => ({ ...conversion, id: `cnv_${hex(n)}`, idempotency_key: `x:${n}` })))
        .execute();
      await home.db.kysely
        .insertInto('deliveries')
        .values(
          numbers.map((n) => ({
            ...row,
            ...{ id: `dlv_${hex(n)}`, conversion_row: `cnv_${hex(n)}`, state: 'dead' as const },
          })),
        )
        .execute();
    }
    expect(await replayAll()).toEqual({ replayed: 10_000, expired: 0, remaining: 200 });
    expect(await replayAll()).toEqual({ replayed: 200, expired: 0, remaining: 0 });
  });

  it('of another property is not found', async () => {
    home.answer({ status: 400, body: 'bad event' });
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    const other = await home.newProperty();
    const { id } = await one();
    const { replay: theirs, deliveries } = home.forwarding;
    await expect(theirs.one(other, 'root', id, { confirmDuplicate: true })).rejects.toThrow(
      /no such delivery/,
    );
    await expect(deliveries.get(other, id)).rejects.toThrow(/no such delivery/);
    const all = { from: 0, to: home.now() + DAY_MS };
    expect(await theirs.many(other, 'root', all)).toEqual({ replayed: 0, expired: 0, remaining: 0 });
    expect((await deliveries.list(other, all, { limit: 10, after: undefined })).items).toEqual([]);
  });
});
