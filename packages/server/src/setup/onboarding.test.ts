import { afterAll, beforeAll, expect, it } from 'vitest';
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
    await put({ verified: true, at: NOW - 40 * 86_400_000 });
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
