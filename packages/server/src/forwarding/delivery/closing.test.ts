import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../../database/testing.ts';
import { SKIP_REASONS } from '../../destinations/index.ts';
import type { State } from '../states.ts';
import { endDeleted } from './closing.ts';
import {
  deliveriesOf,
  destinationOf,
  insertDeliveries,
  insertDestination,
  insertProperty,
} from './testing.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

const CREATED = Date.UTC(2026, 10, 21, 12);
const NOW = CREATED + 60_000;

describe.each(databases.backends)('the deliveries of a deleted destination on $name', (backend) => {
  let home: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    home = await backend.fresh();
    db = await home.node();
    await insertProperty(db);
    await insertDestination(db, { id: 'gone', deleted_at: NOW });
    await insertDestination(db, { id: 'stays' });
  });
  afterEach(() => home.remove());

  const put = (destination: string, state: State, count = 1) =>
    insertDeliveries(db, count, CREATED, {
      ...{ destination_id: destination, state, next_at: CREATED, lease: 'lease', lease_until: NOW },
    });
  const end = async () => await endDeleted({ database: db }, await destinationOf(db, 'gone'), NOW);
  const states = async (destination: string) =>
    (await deliveriesOf(db)).filter((row) => row.destination_id === destination).map(({ state }) => state);

  it.each(['pending', 'retry'] as const)('that are %s are skipped, and say why', async (state) => {
    await put('gone', state);
    expect(await end()).toBe(1);
    expect(await deliveriesOf(db)).toMatchObject([
      {
        ...{ state: 'skipped', reason: 'destination_deleted', message: SKIP_REASONS.destination_deleted },
        ...{ next_at: null, lease: null, lease_until: null, settled_at: NOW, updated_at: NOW },
      },
    ]);
  });

  it('that the platform has acknowledged are delivered', async () => {
    await put('gone', 'accepted_async');
    expect(await end()).toBe(1);
    expect(await deliveriesOf(db)).toMatchObject([
      { state: 'delivered', reason: null, message: expect.stringContaining('acknowledged'), settled_at: NOW },
    ]);
  });

  it.each(['sending', 'delivered', 'dead', 'skipped', 'unknown'] as const)(
    'that are %s stay what they are',
    async (state) => {
      await put('gone', state);
      const before = await deliveriesOf(db);
      expect(await end()).toBe(0);
      expect(await deliveriesOf(db)).toEqual(before);
    },
  );

  it('come to their end however many there are, once, and none of another destination with them', async () => {
    await put('gone', 'pending', 401);
    await put('stays', 'pending', 3);
    expect(await end()).toBe(401);
    expect(new Set(await states('gone'))).toEqual(new Set(['skipped']));
    expect(await states('stays')).toEqual(['pending', 'pending', 'pending']);
    expect(await end()).toBe(0);
  });

  it('of another organization’s destination of the same id are not touched', async () => {
    await put('gone', 'pending');
    const row = { ...(await destinationOf(db, 'gone')), organization_id: 'another' };
    expect(await endDeleted({ database: db }, row, NOW)).toBe(0);
    expect(await states('gone')).toEqual(['pending']);
  });
});
