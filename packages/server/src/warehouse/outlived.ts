/**
 * Rows that are older than their property keeps them: counted, and deleted from the disk. Many properties at once, because a deletion writes
 * a whole month of a table again.
 */
import { dateOf } from '../common/index.ts';
import { checkedPartition, type OwnedBy, refuseIfMutating } from './deletion.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { DailyTableName } from './schema/tables.ts';
import type { Warehouse } from './warehouse.ts';

/** What of a property has outlived: rows of these classes before a moment. */
export interface Outlived extends OwnedBy {
  readonly attributionId: string;
  /** Names it in the answer. */
  readonly key: string;
  readonly table: 'hits' | 'events' | DailyTableName;
  /** Of hits; empty: every row. */
  readonly classes: readonly string[];
  /** Epoch milliseconds; of daily tables the day's number. */
  readonly before: number;
}

export interface OutlivedRows {
  readonly key: string;
  readonly rows: number;
  /** The oldest: epoch milliseconds; of daily tables the day's number. */
  readonly oldest: number;
}

/** Conditions in one statement: some 200 bytes each. */
const AT_ONCE = 200;
const SETTINGS = { ...NUMBERS_AS_NUMBERS, max_execution_time: 120 } as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Literals, since there are more than an address may hold; each is checked. */
function condition({ organizationId, attributionId, table, classes, before }: Outlived): string {
  if (!UUID.test(organizationId) || !UUID.test(attributionId))
    throw new TypeError('Not the ID of a property');
  if (!Number.isSafeInteger(before) || classes.some((name) => !/^[a-z_]+$/.test(name)))
    throw new TypeError('Not a class of rows before a moment');
  const isDaily = table.startsWith('daily_');
  const time = isDaily
    ? `day < toDate('${dateOf(before)}')`
    : `at < fromUnixTimestamp64Milli(toInt64(${before}))`;
  const of = classes.length === 0 ? '' : ` AND class IN (${classes.map((name) => `'${name}'`).join(', ')})`;
  return `(attribution_id = toUUID('${attributionId}') AND organization_id = toUUID('${organizationId}')${of} AND ${time})`;
}

function* pieces(outlived: readonly Outlived[]): Generator<[Outlived['table'], readonly Outlived[]]> {
  for (const table of new Set(outlived.map((each) => each.table))) {
    const those = outlived.filter((each) => each.table === table);
    for (let from = 0; from < those.length; from += AT_ONCE) yield [table, those.slice(from, from + AT_ONCE)];
  }
}

/** Only keys that have such rows. */
export async function countOutlived(
  warehouse: Pick<Warehouse, 'rows'>,
  outlived: readonly Outlived[],
): Promise<OutlivedRows[]> {
  const found: OutlivedRows[] = [];
  for (const [table, piece] of pieces(outlived)) {
    const time = table.startsWith('daily_') ? 'toInt32(min(day))' : 'toUnixTimestamp64Milli(min(at))';
    const cases = piece.map((each, index) => `${condition(each)}, ${index}`).join(', ');
    const rows = await warehouse.rows<{ piece: number; n: number; oldest: number }>('report', {
      sql: `SELECT multiIf(${cases}, 65535) AS piece, count() AS n, ${time} AS oldest
FROM ${table} WHERE ${piece.map(condition).join(' OR ')} GROUP BY piece`,
      settings: SETTINGS,
    });
    for (const { piece: index, n, oldest } of rows) {
      const key = piece[index]?.key;
      if (key !== undefined && n > 0) found.push({ key, rows: n, oldest });
    }
  }
  return found;
}

/** May be cut off at any point and begun again. @throws as `deleteOwned` */
export async function deleteOutlived(
  warehouse: Pick<Warehouse, 'rows' | 'command'>,
  outlived: readonly Outlived[],
  signal?: AbortSignal,
): Promise<void> {
  for (const [table, piece] of pieces(outlived)) {
    const where = piece.map(condition).join(' OR ');
    const partitions = await warehouse.rows<{ partition: string }>('report', {
      sql: `SELECT DISTINCT _partition_id AS partition FROM ${table} WHERE ${where} ORDER BY partition LIMIT 10000`,
      settings: SETTINGS,
    });
    if (partitions.length > 0) await refuseIfMutating(warehouse, table);
    for (const { partition } of partitions) {
      if (signal?.aborted === true) return;
      await warehouse.command(
        {
          sql: `ALTER TABLE ${table} DELETE IN PARTITION ID '${checkedPartition(partition)}' WHERE ${where}`,
          settings: { mutations_sync: 2 },
        },
        'report',
      );
    }
  }
}
