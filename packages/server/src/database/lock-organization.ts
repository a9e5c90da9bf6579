/** Changes that count the rows of an organization before they add one go one after the other. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Until the end of the transaction: of two at once the second sees what the first has done. An update that changes nothing locks the row on
 * PostgreSQL; SQLite has one writer anyway.
 */
export async function lockOrganization(trx: Kysely<Tables>, organizationId: string): Promise<void> {
  await trx
    .updateTable('organizations')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', organizationId)
    .execute();
}
