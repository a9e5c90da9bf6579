/** Who changed what: the newest 100 changes of a property's manifest. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { VersionRow } from './current.ts';

export const HISTORY_PAGE = 50;

export type VersionLine = Omit<VersionRow, 'tools' | 'attribution_id' | 'organization_id'>;

/** Newest first, older than `before`. */
export function listVersions(
  database: Database,
  { id, organizationId }: Owner,
  before = Number.MAX_SAFE_INTEGER,
): Promise<VersionLine[]> {
  return database.reader
    .selectFrom('webmcp_versions')
    .select(['version', 'at', 'actor', 'action', 'hosts', 'tool_count', 'kid'])
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('version', '<', before)
    .orderBy('version', 'desc')
    .limit(HISTORY_PAGE)
    .execute();
}

export async function findVersion(
  database: Database,
  { id, organizationId }: Owner,
  version: number,
): Promise<VersionRow | null> {
  const row = await database.reader
    .selectFrom('webmcp_versions')
    .selectAll()
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ?? null;
}
