/** The connection as the room's queries see it; `client.ts` makes it. */
import type { Clock } from '../common/index.ts';
import type { LaneName } from './embedded/protocol.ts';
import type { Account } from './fair-queue.ts';
import type { Replication } from './schema/migrations.ts';
import type { Settings, Statement } from './statement.ts';

/**
 * `embedded`, `single`: the engine notes a token before the rows are safe (seen: acknowledged rows gone after a kill), so rows are counted
 * before each further attempt. `replicated`: Keeper takes token and rows in one transaction, so the same token can't store rows twice.
 */
export type Standing = 'embedded' | 'single' | 'replicated';

export interface Warehouse {
  readonly clock: Clock;
  /** What `run` asks, however deep, waits its turn among the questions of this account; without it, among those of the service. */
  onBehalfOf<Result>(account: Account, run: () => Result): Result;
  /** All rows of a bounded result. @throws WarehouseUnavailable while it is down or too busy */
  rows<Row>(lane: LaneName, statement: Statement, signal?: AbortSignal): Promise<Row[]>;
  /** The rows as JSONEachRow, unread: for copying them as they are. The statement bounds their size. */
  lines(statement: Statement): Promise<Buffer>;
  /** A statement without a result. @param lane default `write`, where it keeps the shipper waiting */
  command(statement: Statement, lane?: LaneName): Promise<void>;
  /** One insert of JSONEachRow bytes; resolves when the engine has stored it. */
  insertRows(table: string, settings: Settings, body: Uint8Array): Promise<void>;
  /**
   * Brings the tables to the newest schema and the retention to the configured one. Idempotent. Several nodes may start at once: the
   * caller holds the database's migration lock around it.
   */
  migrate(): Promise<void>;
  /** What answers, and so how a doubtful insert is settled. Asked of a server once. @throws WarehouseMisconfigured, WarehouseUnavailable */
  standing(): Promise<Standing>;
  /** How tables are made there. @throws as `standing` */
  replication(): Promise<Replication>;
  /**
   * Lets the replica that answers catch up with a table. Never fails: behind a balancer it may be another replica than the next
   * question's, so nothing may depend on it alone.
   */
  syncReplica(table: string): Promise<void>;
  /** Resolves when a query is answered and no part is known to be damaged. @throws WarehouseUnavailable */
  ping(): Promise<void>;
  /** The embedded backend's process id; null on a server or while it is down. */
  pid(): number | null;
  /** Ends the connections, then the child. Callers stop the shipper and their queries first. */
  close(): Promise<void>;
}
