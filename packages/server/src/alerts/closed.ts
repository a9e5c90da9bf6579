/** When all visits of a property were dropped over the quota. */
import type { Database } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import type { Closed } from './baseline.ts';

/** One a day at most. @param since epoch milliseconds; what was over before is not needed */
export async function closedTimes(
  { reader }: Pick<Database, 'reader'>,
  { id, organizationId }: Owner,
  since: number,
): Promise<Closed[]> {
  const rows = await reader
    .selectFrom('over_quota_days')
    .select(['closed_at', 'closed_until'])
    .where('attribution_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('closed_until', '>', since)
    .execute();
  return rows.map((row) => ({ from: Number(row.closed_at), to: Number(row.closed_until) }));
}
