/** The database's state of one property, and the one transaction that changes it. */

import { ServiceError } from '../common/index.ts';
import { audit, type Database, type NewRow, type Row } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { KeyRow } from './signing-keys.ts';

export type ManifestRow = Row<'webmcp_manifests'>;
export type VersionRow = Row<'webmcp_versions'>;
type Queries = Database['kysely'];

/** Changes that are remembered per property. */
export const MAX_VERSIONS = 100;

export interface Current {
  readonly key: KeyRow | null;
  readonly manifest: ManifestRow | null;
  /** Of the newest change; 0 before the first. */
  readonly lastVersion: number;
}

/** What a change leaves behind. */
export interface Next {
  /** The active key; written where it isn't the standing one, which is gone then. */
  readonly key: KeyRow;
  /** null: nothing is published. */
  readonly manifest: NewRow<'webmcp_manifests'> | null;
  /** null: signed again, nothing that a person did. */
  readonly change: Pick<VersionRow, 'action' | 'actor' | 'at' | 'hosts' | 'tools' | 'tool_count'> | null;
}

export async function readCurrent(db: Queries, { id, organizationId }: Owner): Promise<Current> {
  const key = await db
    .selectFrom('webmcp_keys')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const manifest = await db
    .selectFrom('webmcp_manifests')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const newest = await db
    .selectFrom('webmcp_versions')
    .select('version')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { key: key ?? null, manifest: manifest ?? null, lastVersion: newest?.version ?? 0 };
}

/**
 * Writes the change if nothing has changed since `seen` was read, all of it or nothing: key, manifest, version, audit row.
 * @returns false when another change was faster; read again and decide again
 * @throws ServiceError `not_found` when the property was deleted meanwhile
 */
export async function commit(database: Database, owner: Owner, seen: Current, next: Next): Promise<boolean> {
  return await database.kysely.transaction().execute(async (trx) => {
    await holdProperty(trx, owner, database.adapter);
    const now = await readCurrent(trx, owner);
    if (!same(now, seen)) return false;
    if (next.key.kid !== seen.key?.kid) {
      await trx
        .insertInto('webmcp_keys')
        .values(next.key)
        .onConflict((conflict) => conflict.column('attribution_id').doUpdateSet(next.key))
        .execute();
    }
    if (next.manifest === null) await remove(trx, 'webmcp_manifests', owner);
    else await writeManifest(trx, next.manifest);
    if (next.change !== null) {
      const kid = next.change.action === 'unpublished' ? null : next.key.kid;
      await remember(trx, owner, seen.lastVersion + 1, next.change, kid);
    }
    return true;
  });
}

/** Waits for another change of this property to end, and keeps others (its deletion too) out until the transaction ends. */
export async function holdProperty(
  trx: Queries,
  { id, organizationId }: Owner,
  { forNoKeyUpdate }: Database['adapter'],
): Promise<void> {
  const found = await trx
    .selectFrom('properties')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .$call(forNoKeyUpdate)
    .executeTakeFirst();
  if (found === undefined)
    throw new ServiceError('not_found', 'There is no such property; list the properties to find its ID.');
}

/** In the transaction that deletes a property: nothing of its manifest may outlive it. */
export async function forgetManifest(trx: Queries, owner: Owner): Promise<void> {
  for (const table of ['webmcp_keys', 'webmcp_manifests', 'webmcp_drafts', 'webmcp_versions'] as const)
    await remove(trx, table, owner);
}

/** One table of those that hold a property's manifest. */
export async function remove(
  trx: Queries,
  table: 'webmcp_keys' | 'webmcp_manifests' | 'webmcp_drafts' | 'webmcp_versions',
  { id, organizationId }: Owner,
): Promise<void> {
  await trx
    .deleteFrom(table)
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .execute();
}

async function writeManifest(trx: Queries, row: NewRow<'webmcp_manifests'>): Promise<void> {
  await trx
    .insertInto('webmcp_manifests')
    .values(row)
    .onConflict((conflict) => conflict.column('attribution_id').doUpdateSet(row))
    .execute();
}

async function remember(
  trx: Queries,
  owner: Owner,
  version: number,
  change: NonNullable<Next['change']>,
  kid: string | null,
): Promise<void> {
  const { id, organizationId } = owner;
  await trx
    .insertInto('webmcp_versions')
    .values({ ...change, attribution_id: id, organization_id: organizationId, version, kid })
    .execute();
  await trx
    .deleteFrom('webmcp_versions')
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('version', '<=', version - MAX_VERSIONS)
    .execute();
  // What was being edited is what is published now.
  if (change.action === 'published') await remove(trx, 'webmcp_drafts', owner);
  const { at, actor } = change;
  await audit(trx, { at, actor, action: `webmcp.${change.action}`, subject: id, organizationId });
}

const same = (a: Current, b: Current): boolean =>
  a.key?.kid === b.key?.kid && a.manifest?.etag === b.manifest?.etag && a.lastVersion === b.lastVersion;
