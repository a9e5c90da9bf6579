import type { Envelope } from '../../features/reports/types.ts';

export interface CollectorVersion {
  /** Empty: a build of before 0.4.0, which names none. */
  readonly version: string;
  readonly hits: number;
  readonly samples: number;
  readonly hosts: readonly string[];
  readonly host_count: number;
  readonly sample_rates: readonly number[];
  readonly first_seen: string;
  readonly last_seen: string;
  readonly stale: boolean;
  /** Nothing came for a day. */
  readonly quiet: boolean;
}

export interface CollectorHost {
  readonly host: string;
  readonly source: 'edge_worker' | 'edge_logpush';
  readonly versions: readonly string[];
  readonly hits: number;
  readonly samples: number;
  readonly sample_rates: readonly number[];
  readonly last_seen: string;
  readonly stale: boolean;
  readonly quiet: boolean;
}

export interface CollectorsAnswer extends Envelope {
  readonly latest_version: string;
  readonly versions: readonly CollectorVersion[];
  readonly hosts: readonly CollectorHost[];
  readonly log_push: readonly {
    readonly host: string;
    readonly hits: number;
    readonly last_seen: string;
    readonly quiet: boolean;
  }[];
  readonly sample_rate_zero: boolean;
}
