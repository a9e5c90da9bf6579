/** Where a backup is restored to. */
import type { TargetKinds } from './manifest.ts';

export interface RestoreTarget {
  /** Held by the caller: no service runs on it. */
  readonly dataDir: string;
  readonly kinds: TargetKinds;
  /** Of servers; null: the store is in the data directory. */
  readonly urls: {
    readonly state: string | null;
    readonly spool: string | null;
    readonly warehouse: string | null;
  };
  /** CLICKHOUSE_CLUSTER. */
  readonly cluster: string | null;
  /** Names of the keys that the environment gives (`keyIdsOf`); empty: the key comes from the backup. */
  readonly keyIds: readonly string[];
  /** Whether the environment gives an admin token. */
  readonly hasAdminToken: boolean;
}
