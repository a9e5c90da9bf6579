/** How many visits properties have received since a moment: what their quotas are compared with. */
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { Warehouse } from './warehouse.ts';

export interface ReceivedSince {
  readonly organizationId: string;
  readonly attributionId: string;
  /** Epoch milliseconds. */
  readonly from: number;
}

/** Conditions in one statement. */
const AT_ONCE = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What quotas count: no imports, test visits, or rows of numbers. */
export const IS_OF_QUOTA = "h.class NOT IN ('counted', 'test') AND h.source != 'import'";

/** Without imports, test visits, and rows of numbers. Properties without any are absent. */
export async function countReceived(
  warehouse: Pick<Warehouse, 'rows'>,
  properties: readonly ReceivedSince[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let from = 0; from < properties.length; from += AT_ONCE) {
    const piece = properties.slice(from, from + AT_ONCE);
    const conditions = piece.map(({ organizationId, attributionId, from: since }) => {
      if (!UUID.test(organizationId) || !UUID.test(attributionId) || !Number.isSafeInteger(since))
        throw new TypeError('Not a property since a moment');
      return `(h.attribution_id = toUUID('${attributionId}') AND h.organization_id = toUUID('${organizationId}') AND h.received_at >= fromUnixTimestamp64Milli(toInt64(${since})))`;
    });
    const rows = await warehouse.rows<{ property: string; n: number }>('live', {
      sql: `SELECT h.attribution_id AS property, count() AS n FROM hits AS h
WHERE (${conditions.join(' OR ')}) AND ${IS_OF_QUOTA} GROUP BY property`,
      settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 10 },
    });
    for (const { property, n } of rows) counts.set(property, n);
  }
  return counts;
}
