/** While SECRET_KEY_PREVIOUS is set: credentials that stand under it are sealed anew, so that the old secret can be dropped. */
import type { Database } from '../database/index.ts';
import type { Vault } from './vault.ts';

const PAGE = 500;

/** @returns how many were sealed anew; what neither key opens is left as it is, and its destination says so */
export async function resealCredentials(database: Database, vault: Vault): Promise<number> {
  let sealed = 0;
  for (let after = ''; ; ) {
    const rows = await database.reader
      .selectFrom('destinations')
      .select(['id', 'organization_id', 'credentials'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      const renewed = vault.renewed(row);
      if (renewed === null) continue;
      await database.kysely
        .updateTable('destinations')
        .set({ credentials: renewed })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        // Somebody may have entered others meanwhile.
        .where('credentials', '=', row.credentials)
        .execute();
      sealed += 1;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return sealed;
  }
}
