/** While SECRET_KEY_PREVIOUS is set: personal data that stands under it is sealed anew, so that the old secret can be dropped. */
import type { Database, Sealer } from '../database/index.ts';
import { SealError } from '../database/index.ts';
import { personalPurpose } from './conversions.ts';

const PAGE = 500;

/** @returns how many rows were sealed anew; what neither key opens is left as it is, for its retention to delete */
export async function resealPersonal(database: Database, sealer: Sealer): Promise<number> {
  let sealed = 0;
  for (let after = ''; ; ) {
    const rows = await database.reader
      .selectFrom('conversions')
      .select(['id', 'organization_id', 'personal'])
      .where('personal_until', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      const anew = row.personal === null ? null : renewed(sealer, row.personal, personalPurpose(row.id));
      if (anew === null) continue;
      await database.kysely
        .updateTable('conversions')
        .set({ personal: anew })
        .where('id', '=', row.id)
        .where('organization_id', '=', row.organization_id)
        // Its time may have come meanwhile.
        .where('personal', '=', row.personal)
        .execute();
      sealed += 1;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return sealed;
  }
}

function renewed(sealer: Sealer, personal: string, purpose: string): string | null {
  if (!sealer.isStale(personal)) return null;
  try {
    return sealer.seal(sealer.open(personal, purpose), purpose);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
