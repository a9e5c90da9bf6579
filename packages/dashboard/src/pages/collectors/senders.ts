/** What the panels of Collectors share: types of the report, and what is said of senders. */
import type { ReportAnswer } from '../../features/reports/api.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { visible } from '../../format/visible.ts';

type CollectorsAnswer = ReportAnswer<'collectors'>;
export type CollectorVersion = CollectorsAnswer['versions'][number];
export type CollectorHost = CollectorsAnswer['hosts'][number];

/** A sender is counted by all that it sent, samples and spoofed visits too. */
export const EVERYONE: VisitChange = { class: 'ai_bot,ai_referral,search_engine,sample', verdict: undefined };

/** Own code that posts hits sends no version, and neither does a collector from before 0.4.0. */
export const versionText = (version: string): string =>
  version === '' ? 'version unknown' : visible(version);

const SHOWN_HOSTS = 3;

/** The first hosts by name, and the number of the others. @param count of all, of which `hosts` may be the first ones */
export function hostNames(hosts: readonly string[], count: number): { names: string; more: string } {
  const others = count - Math.min(count, SHOWN_HOSTS);
  return {
    names: hosts.slice(0, SHOWN_HOSTS).map(visible).join(', '),
    more: others === 0 ? '' : ` and ${others.toLocaleString('en')} more`,
  };
}

/** A host with several senders is one host. */
export const countHosts = (rows: readonly Pick<CollectorHost, 'host'>[]): number =>
  new Set(rows.map(({ host }) => host)).size;

/** Before it, the collector's repository had another form. */
const MIGRATED = [0, 5, 0] as const;

/** Whether a version is one of those before 0.5.0; one that was not sent may be. */
export function isBeforeMigration(version: string): boolean | null {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  if (parts.length === 0) return null;
  const at = MIGRATED.findIndex((number, index) => Number(parts[index]) !== number);
  return at !== -1 && Number(parts[at]) < (MIGRATED[at] ?? 0);
}

/** Sends, and there is a newer version. */
export const isOutdated = ({ stale, quiet }: Pick<CollectorVersion, 'stale' | 'quiet'>): boolean =>
  stale && !quiet;

/** The notices name every outdated host, so that the rows needn't. */
export const areNamed = (versions: readonly CollectorVersion[]): boolean =>
  versions.filter(isOutdated).every(({ hosts, host_count: count }) => hostNames(hosts, count).more === '');
