/** Why to fix a failing page: the reason with the highest weight, and what likely fixes it. */
import { counted, type Noun, outOf } from '../common/index.ts';
import type { FailingPageRow } from '../warehouse/index.ts';

export const REASONS = [
  ...['people_are_waiting', 'server_errors', 'search_loses_it', 'always_fails', 'crawlers_waste_visits'],
] as const;

export interface FailureReason {
  readonly reason: (typeof REASONS)[number];
  /** What happened, without the status: `41 of 182 failures came from on-demand visits`. */
  readonly why: string;
  /** What to do, in a few words: `Restore or redirect`. */
  readonly title: string;
  /** What likely fixes it, as a sentence. */
  readonly fix: string;
  /** The most frequent of the failures that `why` is about; 0: none is known. */
  readonly status: number;
  /** All three. */
  readonly text: string;
}

/** A page that fails at every visit, except for one that came before it was lost. */
const ALWAYS = 0.99;

const FAILURE: Noun = ['failure', 'failures'];
const VISIT: Noun = ['visit', 'visits'];
const CRAWLER_VISIT: Noun = ['crawler visit', 'crawler visits'];
const SEARCH_VISIT: Noun = ['visit from an AI search engine', 'visits from AI search engines'];

export type FailuresOfPage = Pick<
  FailingPageRow,
  | 'path'
  | 'failures'
  | 'hits'
  | 'on_demand'
  | 'search'
  | 'client_errors'
  | 'server_errors'
  | 'statuses'
  | 'on_demand_statuses'
  | 'search_statuses'
  | 'estimated'
  | 'estimated_hits'
>;

/** Numbers in a sentence have no room for a sign each. */
const ESTIMATE = 'The numbers are estimates from samples.';

/** @param isPublished whether the property has a WebMCP manifest for the page's host */
export function reasonOf(row: FailuresOfPage, isPublished = false): FailureReason {
  const { reason, why, statuses } = heaviest(row);
  const [status = 0, ...others] = mostFrequent(statuses);
  const { title, fix } = fixOf(status, row.path, isPublished);
  const text = `${why}, ${others.length === 0 ? '' : 'most often '}with ${status}. ${fix}`;
  return {
    reason,
    why,
    title,
    fix,
    status,
    text: row.estimated > 0 || row.estimated_hits > 0 ? `${text} ${ESTIMATE}` : text,
  };
}

/** Hits by status. */
type Statuses = Readonly<Record<string, number>>;

interface Heaviest extends Pick<FailureReason, 'reason' | 'why'> {
  /** Of the failures that `why` is about. */
  readonly statuses: Statuses;
}

function heaviest(row: FailuresOfPage): Heaviest {
  const { failures, hits, statuses } = row;
  if (row.on_demand > 0)
    return {
      reason: 'people_are_waiting',
      why: `${outOf(row.on_demand, failures, FAILURE)} came from on-demand visits`,
      statuses: row.on_demand_statuses,
    };
  if (row.server_errors >= row.client_errors)
    return {
      reason: 'server_errors',
      why: `${outOf(row.server_errors, hits, VISIT)} ended in a server error`,
      statuses: Object.fromEntries(Object.entries(statuses).filter(([status]) => isOfServer(+status))),
    };
  if (row.search > 0)
    return {
      reason: 'search_loses_it',
      why: `${counted(row.search, SEARCH_VISIT)} failed`,
      statuses: row.search_statuses,
    };
  if (failures >= ALWAYS * hits)
    return { reason: 'always_fails', why: `${outOf(failures, hits, VISIT)} failed`, statuses };
  return { reason: 'crawlers_waste_visits', why: `${outOf(failures, hits, CRAWLER_VISIT)} failed`, statuses };
}

interface Fix {
  readonly title: string;
  readonly fix: string;
}

/** What likely fixes a page, by the status. */
const FIXES: Readonly<Record<number, Fix>> = {
  401: { title: 'Let bots in', fix: 'Let bots read it without signing in, or remove the links to it.' },
  403: { title: 'Let bots in', fix: 'Check that your firewall and bot rules let this bot through.' },
  404: { title: 'Restore or redirect', fix: 'Restore the page, redirect it, or remove the links to it.' },
  410: { title: 'Remove the links', fix: 'Remove the links to it, or redirect it if its content has moved.' },
  429: {
    title: 'Raise the rate limit',
    fix: 'Raise the rate limit for this bot, or slow it down in robots.txt.',
  },
};
const OF_SERVER: Fix = { title: 'Fix on your server', fix: 'Check your server’s log for the cause.' };
const OTHERWISE: Fix = { title: 'Find the cause', fix: 'Check your server’s log for the reason.' };

/** Where the manifest of a WebMCP site is asked for. */
export const MANIFEST_PATH = '/.well-known/webmcp.json';
/** Files that bots ask every site for, whether or not it has them: no link leads there, and there may be nothing to restore. */
const MISSING_FILES: Readonly<Record<string, Fix>> = {
  [MANIFEST_PATH]: {
    title: 'Publish a WebMCP manifest',
    fix: 'Publish a WebMCP manifest, so that assistants can use your site’s tools.',
  },
  '/robots.txt': {
    title: 'Add a robots.txt',
    fix: 'Add a robots.txt: without one, bots may read every page.',
  },
  '/sitemap.xml': {
    title: 'Add a sitemap',
    fix: 'Add a sitemap, so that bots find pages that few links lead to.',
  },
  '/llms.txt': {
    title: 'Consider an llms.txt',
    fix: 'Add an llms.txt, if you want to tell assistants which pages matter.',
  },
};
const NOT_SERVED: Fix = {
  title: 'Serve the WebMCP manifest',
  fix: 'The manifest is published, but your site doesn’t serve it at this path: check its setup.',
};

const isOfServer = (status: number): boolean => status >= 500;

function fixOf(status: number, path: string, isPublished: boolean): Fix {
  if (isOfServer(status)) return OF_SERVER;
  if (status === 404 && path === MANIFEST_PATH && isPublished) return NOT_SERVED;
  const ofFile = status === 404 && Object.hasOwn(MISSING_FILES, path) ? MISSING_FILES[path] : undefined;
  return ofFile ?? FIXES[status] ?? OTHERWISE;
}

const mostFrequent = (statuses: Statuses): number[] =>
  Object.entries(statuses)
    .map(([status, hits]) => ({ status: Number(status), hits }))
    .sort((a, b) => b.hits - a.hits || a.status - b.status)
    .map(({ status }) => status);
