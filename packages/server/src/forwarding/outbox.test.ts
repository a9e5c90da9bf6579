import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@ghostlight/core/time';
import type { KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { createOutbox } from './outbox.ts';
import { openHome, order, type TestHome } from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('the outbox on $name', (backend) => {
  let database: TestDatabase;
  let home: TestHome;
  beforeEach(async () => {
    database = await backend.fresh();
    home = await openHome(database);
  });
  afterEach(async () => {
    await home.close();
    await database.remove();
  });

  it('has one delivery of a matched conversion for each destination, however often it is announced', async () => {
    const [first, second] = [await home.connect(), await home.connect({ platform: 'tiktok' })];
    home.visit('visitor-1');
    const conversion = await home.post('purchase', order('1'));
    await home.post('purchase', order('1'));
    const row = await home.db.reader
      .selectFrom('conversions')
      .selectAll()
      .where('id', '=', conversion)
      .executeTakeFirstOrThrow();
    await home.db.kysely.transaction().execute((trx) => home.forwarding.onConversion(trx, row));
    const deliveries = await home.deliveries();
    expect(deliveries.map(({ destination_id }) => destination_id).sort()).toEqual([first, second].sort());
    for (const delivery of deliveries)
      expect(delivery).toMatchObject({
        id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
        conversion_row: conversion,
        conversion_id: '1',
        visitor_id: 'visitor-1',
        topic: 'purchase',
        state: 'pending',
        attempts: 0,
        next_at: home.now(),
      });
  });

  it('has each of a hundred that arrive at once, once', async () => {
    await home.connect();
    home.visit('visitor-1');
    await Promise.all(Array.from({ length: 100 }, (_, n) => home.post('purchase', order(String(n % 10)))));
    const ids = (await home.deliveries()).map(({ conversion_id }) => conversion_id);
    expect(ids.sort()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('has nothing of a conversion that matches no visit, until it is matched late', async () => {
    await home.connect();
    await home.post('purchase', order('1'));
    await home.post('lead', { conversion_id: '2' });
    expect(await home.deliveries()).toEqual([]);
    home.pass(HOUR_MS / 2);
    home.visit('visitor-1', { at: home.now() - HOUR_MS / 2 });
    await home.webhooks.onVisitors([{ attributionId: home.property.id, visitorId: 'visitor-1' }]);
    await home.webhooks.sweep();
    expect(await home.deliveries()).toMatchObject([{ conversion_id: '1', next_at: home.now() }]);
  });

  it('has a refund with its purchase, whichever of them came first', async () => {
    await home.connect({ platform: 'tiktok' });
    home.visit('visitor-1');
    await home.post('purchase', order('1'));
    await home.post('refund', { conversion_id: '1', refund_id: 'r1', value: '10', currency: 'EUR' });
    await home.post('refund', { conversion_id: '2', refund_id: 'r2', value: '10', currency: 'EUR' });
    expect(await home.deliveries()).toHaveLength(2);
    await home.post('purchase', order('2'));
    const found = (await home.deliveries()).map(({ topic, conversion_id }) => `${topic} ${conversion_id}`);
    expect(found.sort()).toEqual(['purchase 1', 'purchase 2', 'refund 1', 'refund 2']);
  });

  it('waits for a paused destination, and forgets a deleted one and those of other properties', async () => {
    const paused = await home.connect();
    await home.forwarding.destinations.update(home.property, 'root', paused, { paused: true });
    const deleted = await home.connect();
    await home.forwarding.destinations.delete(home.property, 'root', deleted);
    const other = await home.newProperty();
    await home.forwarding.destinations.create(other, 'root', {
      ...{ platform: 'meta', name: 'Other', config: { account: '1' }, events: {} },
      credentials: { access_token: randomUUID() },
    });
    home.visit('visitor-1');
    await home.post('purchase', order('1'));
    expect(await home.deliveries()).toMatchObject([{ destination_id: paused }]);
    expect(await home.forwarding.runOnce()).toBe(0);
    expect(home.sent).toEqual([]);
  });

  it('knows at once of a destination that another node has connected', async () => {
    const far = await openHome(database);
    home.visit('visitor-1');
    await home.post('purchase', order('1'));
    await far.forwarding.destinations.create(home.property, 'root', {
      ...{ platform: 'meta', name: 'Shop', config: { account: '1' }, events: {} },
      credentials: { access_token: randomUUID() },
    });
    await home.post('purchase', order('2'));
    expect(await home.deliveries()).toMatchObject([{ conversion_id: '2' }]);
    await far.close();
  });

  it('costs a conversion one look-up, and one insert for all its destinations', async () => {
    home.visit('visitor-1');
    const row = async (id: string) =>
      await home.db.reader
        .selectFrom('conversions')
        .selectAll()
        .where('id', '=', await home.post('purchase', order(id)))
        .executeTakeFirstOrThrow();
    const before = await row('1');
    const statements: string[] = [];
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const announce = async () => {
      statements.length = 0;
      await createOutbox(home.now)(home.db.kysely.withPlugin(counting), before);
      return statements;
    };
    expect(await announce()).toEqual(['SelectQueryNode']);
    for (let n = 0; n < 3; n += 1) await home.connect();
    expect(await announce()).toEqual(['SelectQueryNode', 'InsertQueryNode']);
    expect(await home.deliveries()).toHaveLength(3);
  });
});
