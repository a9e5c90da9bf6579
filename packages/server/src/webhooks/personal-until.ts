/** When personal data ends, as far as deliveries decide it: earlier than by its retention, or again as late when one is to be repeated. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Database } from '../database/index.ts';
import { PERSONAL_DAYS } from './conversions.ts';

type Queries = Database['kysely'];

/** Never later than it stands. @param ids `cnv_…`, at most some hundreds @param until epoch ms */
export async function endPersonal(trx: Queries, ids: readonly string[], until: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('conversions')
    .set({ personal_until: until })
    .where('id', 'in', ids)
    .where('personal_until', '>', until)
    .execute();
}

/** As long as by its retention. What is deleted already stays so. @param ids `cnv_…`, at most some hundreds */
export async function keepPersonal(trx: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('conversions')
    .set(({ eb, ref }) => ({ personal_until: eb(ref('received_at'), '+', PERSONAL_DAYS * DAY_MS) }))
    .where('id', 'in', ids)
    .where('personal_until', 'is not', null)
    .execute();
}
