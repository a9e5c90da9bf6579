/** Browser events in the warehouse: their row, their count, and forgetting a visitor. */
import type { Intent } from '@ghostlight/core';
import { type ExportRequest, type HitScope, pagesOf } from './hits.ts';
import { NUMBERS_AS_NUMBERS } from './row.ts';
import type { Warehouse } from './warehouse.ts';

/** One row of `events`; its member names are the column names. */
export interface StoredEvent {
  /** UUID that follows from the property and the event's own id. */
  readonly id: string;
  readonly organization_id: string;
  readonly attribution_id: string;
  /** Epoch milliseconds: the page's clock, held within bounds by ours. */
  readonly at: number;
  readonly received_at: number;
  readonly event_name: string;
  /** Empty where the page had none, or analytics was refused. */
  readonly visitor_id: string;
  readonly session_id: string;
  readonly user_id: string;
  /** Sent by a machine. */
  readonly sdk_bot: boolean;
  /** Whose, where the list knows it. */
  readonly bot_name: string;
  readonly vendor: string;
  readonly intent: Intent | '';
  readonly host: string;
  readonly path: string;
  /** `utm_*` and known click ids; nothing else of a query is kept. */
  readonly query_params: Readonly<Record<string, string>>;
  readonly title: string;
  /** The referring host. */
  readonly referrer: string;
  /** Machines' only: a person's is stored encrypted with the touch, if at all. */
  readonly user_agent: string;
  readonly language: string;
  readonly timezone: string;
  readonly conversion_id: string;
  /** Decimal text; empty when there is none. */
  readonly value: string;
  readonly currency: string;
  /** JSON object of the free parameters. */
  readonly params: string;
  readonly lib: string;
  readonly lib_version: string;
}

/** One JSONEachRow line, as `toRow` makes of a hit. Every string must be well-formed. */
export function toEventRow(event: StoredEvent): string {
  return JSON.stringify(event);
}

/**
 * What of an event may leave in a file: nothing that names a person or follows one (visitor, session, user, click ids, the order's id, the
 * page's title, free parameters).
 */
const EXPORTED = [
  ...['event_name', 'sdk_bot', 'bot_name', 'vendor', 'intent', 'host', 'path', 'referrer', 'user_agent'],
  ...['language', 'timezone', 'value', 'currency', 'lib', 'lib_version'],
] as const satisfies readonly (keyof StoredEvent)[];

export interface ExportedEvent extends Omit<StoredEvent, NotExported> {}

type NotExported =
  | ('organization_id' | 'attribution_id' | 'visitor_id' | 'session_id' | 'user_id')
  | ('title' | 'conversion_id' | 'params');

/** Stored events as `exportHits` gives hits. */
export async function* exportEvents(
  warehouse: Warehouse,
  scope: HitScope,
  request: Omit<ExportRequest, 'classes'>,
  signal?: AbortSignal,
): AsyncGenerator<readonly ExportedEvent[]> {
  yield* pagesOf<ExportedEvent>(warehouse, scope, request, signal, {
    from: `h.id AS id, toUnixTimestamp64Milli(h.at) AS at, toUnixTimestamp64Milli(h.received_at) AS received_at,
  ${EXPORTED.map((name) => `h.${name} AS ${name}`).join(', ')},
  mapFilter((k, v) -> startsWith(k, 'utm_'), h.query_params) AS query_params
FROM events AS h`,
    where: '',
    params: {},
  });
}

/** All stored events, for the conservation law. Not bound to a scope: operators only. */
export async function storedEventCount(warehouse: Warehouse): Promise<number> {
  const [row] = await warehouse.rows<{ n: number }>('report', {
    sql: 'SELECT count() AS n FROM events',
    settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 60 },
  });
  return row?.n ?? 0;
}

/** A visitor by a salted hash: the text of a mutation stays on the disk, and must not name them. */
export interface VisitorMark {
  readonly salt: string;
  /** SHA-256 of salt and id, lower-case hex. */
  readonly digest: string;
}

const OF_VISITOR =
  'organization_id = {organization:UUID} AND attribution_id IN {properties:Array(UUID)} AND lower(hex(SHA256(concat({salt:String}, visitor_id)))) = {digest:String}';

/**
 * Removes a visitor's events that arrived up to a moment, from the disk too: a mutation, awaited on every replica.
 * @returns how many there were, as far as the replica that answered knew. @throws when the warehouse or one of its replicas is down: nothing is removed
 * then, or all of it will be
 */
export async function eraseVisitorEvents(
  warehouse: Warehouse,
  scope: HitScope,
  visitor: VisitorMark,
  until: number,
): Promise<number> {
  const params = {
    organization: scope.organizationId,
    properties: scope.attributionIds,
    ...{ salt: visitor.salt, digest: visitor.digest },
    until,
  };
  const where = `${OF_VISITOR} AND received_at <= fromUnixTimestamp64Milli({until:Int64})`;
  const [row] = await warehouse.rows<{ n: number }>('write', {
    sql: `SELECT count() AS n FROM events WHERE ${where}`,
    params,
    settings: { ...NUMBERS_AS_NUMBERS, max_execution_time: 60 },
  });
  const count = row?.n ?? 0;
  // Where one replica has none left, another that was down may still have them: only a mutation that all have run says that they are gone.
  if (count > 0 || (await warehouse.standing()) === 'replicated') {
    await warehouse.command({
      sql: `ALTER TABLE events DELETE WHERE ${where}`,
      params,
      settings: { mutations_sync: 2 },
    });
  }
  return count;
}
