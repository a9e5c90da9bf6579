/** Rows of a property as they are stored, for the owner who takes everything along: pages of facts, and days of figures. */
import type { OwnedBy } from './deletion.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { OwnedTable } from './schema/tables.ts';
import type { Warehouse } from './warehouse.ts';

type Values = Readonly<Record<string, unknown>>;

const SETTINGS = {
  ...NUMBERS_AS_NUMBERS,
  max_execution_time: 120,
  max_memory_usage: 1024 * 1024 * 1024,
} as const;
const MILLISECONDS = new Set(['at', 'received_at', 'first_at', 'last_at']);

const selected = (columns: readonly string[]): string =>
  columns
    .map((name) =>
      MILLISECONDS.has(name) ? `toUnixTimestamp64Milli(h.${name}) AS ${name}` : `h.${name} AS ${name}`,
    )
    .join(', ');

const OWNED = 'h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}';
const paramsOf = ({ organizationId, attributionId }: OwnedBy) => ({
  organization: organizationId,
  property: attributionId,
});

/** Keyset reads: rows that arrive meanwhile neither repeat nor hide others. @param columns with `id` and `at` */
export async function* ownedPages(
  warehouse: Pick<Warehouse, 'rows'>,
  table: 'hits' | 'events',
  columns: readonly string[],
  owner: OwnedBy,
  pageRows: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly Values[]> {
  let last: Values | undefined;
  do {
    const page: Values[] = await warehouse.rows<Values>(
      'report',
      {
        sql: `SELECT ${selected(columns)} FROM ${table} AS h WHERE ${OWNED}
${last === undefined ? '' : 'AND (h.at, h.id) > (fromUnixTimestamp64Milli({at:Int64}), {id:UUID})'}
ORDER BY h.attribution_id, h.at, h.id LIMIT {limit:UInt32}`,
        params: { ...paramsOf(owner), at: last?.['at'] ?? 0, id: last?.['id'] ?? '', limit: pageRows },
        settings: SETTINGS,
      },
      signal,
    );
    if (page.length > 0) yield page;
    last = page.length < pageRows ? undefined : page.at(-1);
  } while (last !== undefined);
}

/** One page for each day. */
export async function* ownedDays(
  warehouse: Pick<Warehouse, 'rows'>,
  table: OwnedTable,
  columns: readonly string[],
  owner: OwnedBy,
  signal?: AbortSignal,
): AsyncGenerator<readonly Values[]> {
  const days = await warehouse.rows<{ day: string }>(
    'report',
    {
      sql: `SELECT DISTINCT toString(h.day) AS day FROM ${table} AS h WHERE ${OWNED} ORDER BY day LIMIT 10000`,
      params: paramsOf(owner),
      settings: SETTINGS,
    },
    signal,
  );
  for (const { day } of days)
    yield await warehouse.rows<Values>(
      'report',
      {
        sql: `SELECT ${selected(columns)} FROM ${table} AS h WHERE ${OWNED} AND h.day = toDate({day:String})`,
        params: { ...paramsOf(owner), day },
        settings: SETTINGS,
      },
      signal,
    );
}
