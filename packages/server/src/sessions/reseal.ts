/** While SECRET_KEY_PREVIOUS is set: addresses and user agents that stand under it are sealed anew, so that the old secret can be dropped. */
import { type Database, SealError, type Sealer } from '../database/index.ts';
import { clientPurpose } from './accepted.ts';

const PAGE = 500;

/** @returns how many were sealed anew; what neither key opens is left as it is, for its 30 days to end */
export async function resealClients(database: Database, sealer: Sealer): Promise<number> {
  let sealed = 0;
  for (let after = ''; ; ) {
    const rows = await database.reader
      .selectFrom('touches')
      .select(['id', 'attribution_id', 'visitor_id', 'organization_id', 'client'])
      .where('client', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      const anew = renewed(sealer, row.client, clientPurpose(row.attribution_id, row.visitor_id));
      if (anew === null) continue;
      await database.kysely
        .updateTable('touches')
        .set({ client: anew })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        // Its time may have come meanwhile.
        .where('client', '=', row.client)
        .execute();
      sealed += 1;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return sealed;
  }
}

function renewed(sealer: Sealer, client: string | null, purpose: string): string | null {
  if (client === null || !sealer.isStale(client)) return null;
  try {
    return sealer.seal(sealer.open(client, purpose), purpose);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
