import { DAY_MS } from '@ghostlight/core/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPeople, PASSWORD, tokenOf } from '../accounts/testing.ts';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { openTestDatabases, type TestDatabases } from '../database/testing.ts';
import { createProperties } from '../properties/index.ts';
import { hitSink } from '../warehouse/index.ts';
import { makeBatch, makeHit, openTestWarehouse, type TestWarehouse } from '../warehouse/testing/warehouse.ts';
import { createOnboarding } from './index.ts';

const NOW = Date.UTC(2026, 2, 15, 12);
let databases: TestDatabases;
let store: TestWarehouse;
beforeAll(async () => {
  databases = await openTestDatabases();
  store = await openTestWarehouse({ clock: () => NOW });
});
afterAll(async () => {
  await store.close();
  await databases.close();
});

it('knows what is done by what has arrived, and stays until it is dismissed', async () => {
  for (const backend of databases.backends) {
    const fresh = await backend.fresh({ clock: () => NOW });
    const database = await fresh.node();
    const root = { kind: 'all' } as const;
    const property = await createProperties(database, { clock: () => NOW }).create(root, 'root', {
      name: 'Shop',
      domain: 'shop.example',
    });
    const onboarding = createOnboarding({ database, warehouse: store.warehouse, clock: () => NOW });
    const done = async () => [...(await onboarding.state(property)).done];
    const put = async (values: Parameters<typeof makeHit>[1]) => {
      const scope = { organizationId: DEFAULT_ORGANIZATION_ID, attributionIds: [property.id] as const };
      await hitSink(store.warehouse).insert(makeBatch([makeHit(scope, { at: NOW, ...values })]));
    };
    expect(await done()).toEqual([]);
    const key = {
      id: crypto.randomUUID(),
      organization_id: property.organizationId,
      attribution_id: null,
      name: 'Key',
      provider: 'tail',
      prefix: 'svc_cf_abcde',
      digest: crypto.randomUUID(),
      created_at: NOW,
      last_used_at: null,
      revoked_at: null,
    };
    await database.kysely.insertInto('ingest_keys').values(key).execute();
    expect(await done()).toEqual([]);
    await database.kysely.updateTable('ingest_keys').set({ last_used_at: NOW }).execute();
    expect(await done()).toEqual(['source']);
    await database.kysely.updateTable('ingest_keys').set({ last_used_at: null }).execute();

    await put({ class: 'test', verified: true });
    expect(await done()).toEqual([]);
    // Before it is stored that a key was used.
    await put({ verified: false });
    expect(await done()).toEqual(['source', 'first_visit']);
    await put({ verified: true, at: NOW - 40 * DAY_MS });
    expect(await done()).toEqual(['source', 'first_visit']);
    await put({ verified: true });
    expect(await done()).toEqual(['source', 'first_visit', 'verification']);

    await onboarding.dismiss(property, 'root', true);
    await onboarding.dismiss(property, 'root', true);
    expect((await onboarding.state(property)).dismissedAt).toBe(NOW);
    await onboarding.dismiss(property, 'root', false);
    expect((await onboarding.state(property)).dismissedAt).toBeNull();
    const audited = await database.reader.selectFrom('audit_log').select('action').execute();
    expect(audited.map(({ action }) => action).filter((action) => action.startsWith('onboarding'))).toEqual([
      'onboarding.dismissed',
      'onboarding.shown',
    ]);
    await database.close();
  }
});

it.each([
  { by: 'an owner', isAccepted: false },
  // Who is no member: the colleague is the only one.
  { by: 'the admin token', isAccepted: true },
])(
  'counts an invitation by $by: while it is open, and when it was accepted ($isAccepted)',
  async ({ by, isAccepted }) => {
    for (const backend of databases.backends) {
      let now = NOW;
      const clock = () => now;
      const database = await (await backend.fresh({ clock })).node();
      const properties = createProperties(database, { clock });
      const shop = { name: 'Shop', domain: 'shop.example' };
      const property = await properties.create({ kind: 'all' }, 'root', shop);
      const onboarding = createOnboarding({ database, warehouse: store.warehouse, clock });
      const isInvited = async () => (await onboarding.state(property)).done.has('invite');
      const people = openPeople(database, { clock });
      const inviting = by === 'an owner' ? await people.owner() : people.root;
      expect(await isInvited()).toBe(false);

      now += DAY_MS;
      const { body } = await inviting.call('POST', '/organization/invitations', {
        email: 'bob@shop.example',
        role: 'viewer',
      });
      expect(await isInvited()).toBe(true);
      if (isAccepted) {
        now += DAY_MS;
        const token = tokenOf(body.link);
        const bob = { token, name: 'Bob', password: PASSWORD };
        expect((await people.browser().call('POST', '/invitations/accept', bob)).status).toBe(200);
      }
      // The invitation has expired by then.
      now += 8 * DAY_MS;
      expect(await isInvited()).toBe(isAccepted);
      await database.close();
    }
  },
);
