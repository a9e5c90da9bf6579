/** What a check of `ghostlight doctor --warehouse` is: a question about the server in CLICKHOUSE_URL, and the sentences that answer it. */
import type { Clock, Log } from '../../common/index.ts';
import { ACCESS_DENIED, exceptionCode, WarehouseMisconfigured, WarehouseUnavailable } from '../errors.ts';
import type { Settings } from '../statement.ts';
import type { Standing, Warehouse } from '../warehouse.ts';

export interface CheckFinding {
  /** Name of the check, the same in every version: scripts filter by it. */
  readonly check: string;
  /** `note`: worth knowing, or could not be checked. `bad`: hits wait, are lost or doubled, or reports fail. */
  readonly level: 'good' | 'note' | 'bad';
  readonly text: string;
}

export type Outcome = Omit<CheckFinding, 'check'>;

export interface Examined {
  readonly url: string;
  /** CLICKHOUSE_CLUSTER. */
  readonly cluster: string | null;
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly warehouse: Warehouse;
  /** Rows of a short question. */
  ask<Row>(sql: string, params?: Readonly<Record<string, unknown>>, settings?: Settings): Promise<Row[]>;
}

/** What the checks after the first ones build on. */
export interface Known {
  readonly standing: Standing;
  readonly isCloud: boolean;
  readonly database: string;
  /** By which `clusterAllReplicas` reaches every replica; null: there is one server, or the platform hides them. */
  readonly clusterName: string | null;
}

export interface Check {
  readonly name: string;
  /** The right without which the server refuses the question. */
  readonly grant?: string;
  run(on: Examined, known: Known): Promise<readonly Outcome[]>;
}

export const good = (text: string): Outcome => ({ level: 'good', text });
export const note = (text: string): Outcome => ({ level: 'note', text });
export const bad = (text: string): Outcome => ({ level: 'bad', text });

export const isDenied = (error: unknown): boolean => exceptionCode(error) === ACCESS_DENIED;

const MAX_REASON = 240;

/** What the server said, short enough for a line. Its messages don't hold the password. */
export function reasonOf(error: unknown): string {
  if (error instanceof WarehouseMisconfigured) return error.message;
  const first = error instanceof WarehouseUnavailable && error.cause instanceof Error ? error.cause : error;
  const { message } = first instanceof Error ? first : new Error(String(first));
  const code = exceptionCode(error);
  const line = (message.split('\n', 1)[0] ?? '').trim();
  const short = line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
  return code === null ? short : `ClickHouse error ${code}: ${short}`;
}
