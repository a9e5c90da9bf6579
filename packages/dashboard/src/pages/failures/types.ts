import type { Compared, Day, Estimates, FixFirst, Intent, Paged } from '../../features/reports/types.ts';

export interface FailureItem {
  readonly host: string;
  readonly path: string;
  readonly bot: string;
  readonly vendor: string;
  readonly intent: Intent | '';
  readonly failures: number;
  readonly hits: number;
  readonly failing_share: number;
  readonly estimated: number;
  readonly redirects: number;
  readonly client_errors: number;
  readonly server_errors: number;
  readonly estimates: Estimates;
  readonly statuses: readonly { readonly status: number; readonly hits: number }[];
  readonly bots: number;
  readonly on_demand: number;
  readonly spoofed: number;
  readonly first_failure: string;
  readonly last_failure: string;
  readonly score: number;
}

export interface FailuresAnswer extends Paged<FailureItem> {
  readonly totals: Compared<{ readonly failures: number }> & {
    readonly failures: number;
    readonly hits: number;
    readonly failing_share: number | null;
    readonly redirects: number;
    readonly client_errors: number;
    readonly server_errors: number;
    readonly estimated: number;
    readonly spoofed: number;
    readonly estimates: Estimates;
    readonly paths: number;
    readonly bots: number;
  };
  readonly by_status: readonly {
    readonly status: number;
    readonly hits: number;
    readonly estimated: number;
    readonly bots: number;
    readonly paths: number;
  }[];
  readonly series: readonly (Day & {
    readonly hits: number;
    readonly redirects: number;
    readonly client_errors: number;
    readonly server_errors: number;
    readonly estimates: Estimates;
  })[];
  readonly fix_first: readonly FixFirst[];
}
