/** What the panels of Collectors share: types of the report, and what is said of senders. */
import type { ReportAnswer } from '../../features/reports/api.ts';
import type { VisitChange } from '../../features/visits/search.ts';
import { counted } from '../../format/names.ts';
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

/** `3 hosts sending, 1 of them out of date, 1 silent`. A host with several senders is one host: it sends if one of them does. */
export function hostsSentence(rows: readonly Pick<CollectorHost, 'host' | 'stale' | 'quiet'>[]): string {
  const hosts = [...Map.groupBy(rows, ({ host }) => host).values()];
  const sending = hosts.filter((of) => of.some(({ quiet }) => !quiet));
  const outdated = sending.filter((of) => of.some(({ stale, quiet }) => stale && !quiet)).length;
  const silent = hosts.length - sending.length;
  return [
    sending.length === 0 ? 'No host is sending' : `${counted(sending.length, 'host')} sending`,
    ...(outdated === 0 ? [] : [sending.length === 1 ? 'out of date' : `${outdated} of them out of date`]),
    ...(silent === 0 ? [] : [`${silent.toLocaleString('en')} silent`]),
  ].join(', ');
}
