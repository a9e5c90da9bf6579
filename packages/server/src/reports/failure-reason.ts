/** Why to fix a failing page: the reason with the highest weight, and a sentence for it. */
import { counted, type Noun, outOf } from '../common/index.ts';
import type { FailureRow } from '../warehouse/index.ts';

export const REASONS = [
  ...['people_are_waiting', 'server_errors', 'search_loses_it', 'always_fails', 'crawlers_waste_visits'],
] as const;

export interface FailureReason {
  readonly reason: (typeof REASONS)[number];
  readonly text: string;
}

/** A page that fails at every visit, except for one that came before it was lost. */
const ALWAYS = 0.99;

const FAILURE: Noun = ['failure', 'failures'];
const VISIT: Noun = ['visit', 'visits'];
const CRAWLER_VISIT: Noun = ['visit of a crawler', 'visits of crawlers'];

export type FailuresOfPage = Pick<
  FailureRow,
  | 'failures'
  | 'hits'
  | 'on_demand'
  | 'search'
  | 'client_errors'
  | 'server_errors'
  | 'statuses'
  | 'estimated'
  | 'estimated_hits'
>;

/** Numbers in a sentence have no room for a sign each. */
const ESTIMATE = 'The numbers are estimates from samples.';

export function reasonOf(row: FailuresOfPage): FailureReason {
  const { reason, text } = heaviest(row);
  return { reason, text: row.estimated > 0 || row.estimated_hits > 0 ? `${text} ${ESTIMATE}` : text };
}

function heaviest(row: FailuresOfPage): FailureReason {
  const { failures, hits } = row;
  if (row.on_demand > 0)
    return {
      reason: 'people_are_waiting',
      text: `${outOf(row.on_demand, failures, FAILURE)} hit an assistant mid-question, ${statuses(row)}.`,
    };
  if (row.server_errors >= row.client_errors)
    return {
      reason: 'server_errors',
      text: `${outOf(row.server_errors, hits, VISIT)} hit a server error, ${statuses(row, (status) => status >= 500)}: the cause is on your server.`,
    };
  if (row.search > 0) {
    const visits = counted(row.search, ['visit of an AI search engine', 'visits of AI search engines']);
    return {
      reason: 'search_loses_it',
      text: `${visits} failed, ${statuses(row)}: AI search can't show pages that it can't read.`,
    };
  }
  if (failures >= ALWAYS * hits)
    return {
      reason: 'always_fails',
      text: `${outOf(failures, hits, VISIT)} failed, ${statuses(row)}: fix the page, redirect it, or remove the links to it.`,
    };
  return {
    reason: 'crawlers_waste_visits',
    text: `${outOf(failures, hits, CRAWLER_VISIT)} failed, ${statuses(row)}.`,
  };
}

/** The statuses among the failures: the one that there is, or the most frequent. */
function statuses(row: FailuresOfPage, isMeant: (status: number) => boolean = () => true): string {
  const [first, ...others] = Object.entries(row.statuses)
    .map(([status, hits]) => ({ status: Number(status), hits }))
    .filter(({ status }) => isMeant(status))
    .sort((a, b) => b.hits - a.hits || a.status - b.status);
  return `${others.length === 0 ? '' : 'most often '}with ${first?.status ?? 0}`;
}
