/**
 * Addresses that an earlier version stored as they were entered: encrypts them in place, and shortens them in displayed requests.
 * Done at each start, and hourly while nodes of the earlier version may still run. A node that can't open the credentials leaves it to one that can.
 */
import type { Database } from '../database/index.ts';
import { DecryptError } from '../database/index.ts';
import type { AnyDestination } from '../destinations/index.ts';
import { isPlain, shownUrl, takenApart } from './encrypted-urls.ts';
import type { ShownRequest } from './masking.ts';
import type { DestinationRow, Vault } from './vault.ts';

const PAGE = 200;

/** @returns how many destinations were encrypted */
export async function encryptPlainAddresses(
  database: Database,
  platforms: readonly AnyDestination[],
  vault: Vault,
): Promise<number> {
  let count = 0;
  for (const platform of platforms.filter(({ sealedUrls = [] }) => sealedUrls.length > 0))
    for (let after = ''; ; ) {
      const rows = await database.reader
        .selectFrom('destinations')
        .selectAll()
        .where('platform', '=', platform.platform)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute();
      for (const row of rows) if (await encryptOne(database, platform, vault, row)) count += 1;
      after = rows.at(-1)?.id ?? '';
      if (rows.length < PAGE) break;
    }
  return count;
}

async function encryptOne(
  database: Database,
  platform: AnyDestination,
  vault: Vault,
  row: DestinationRow,
): Promise<boolean> {
  const config = JSON.parse(row.config) as Record<string, unknown>;
  if (!isPlain(platform, config)) return false;
  const { column, sealed } = takenApart(platform, config);
  let { credentials } = row;
  // Of a deleted one nothing is needed any more.
  if (row.deleted_at === null) {
    try {
      credentials = vault.seal(row.id, { ...vault.opened(row), ...sealed });
    } catch (error) {
      if (error instanceof DecryptError) return false;
      throw error;
    }
  }
  // Before the row: what a crash leaves undone is found again by it.
  await shortenRequests(database, row);
  const { numUpdatedRows } = await database.kysely
    .updateTable('destinations')
    .set({ config: JSON.stringify(column), credentials })
    .where('id', '=', row.id)
    .where('organization_id', '=', row.organization_id)
    // Another change came first: the next time.
    .where('config', '=', row.config)
    .where('credentials', '=', row.credentials)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function shortenRequests(
  { reader, kysely }: Database,
  { id: destinationId, organization_id: organizationId }: DestinationRow,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await reader
      .selectFrom('deliveries')
      .select(['id', 'request'])
      .where('destination_id', '=', destinationId)
      .where('organization_id', '=', organizationId)
      .where('request', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const { id, request } of rows) {
      if (request === null) continue;
      const shown = JSON.parse(request) as ShownRequest;
      await kysely
        .updateTable('deliveries')
        .set({ request: JSON.stringify({ ...shown, url: shownUrl(shown.url) }) })
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('request', '=', request)
        .execute();
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return;
  }
}
