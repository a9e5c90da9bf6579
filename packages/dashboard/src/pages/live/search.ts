/** The filters of the Live view: reading them from the address, and matching rows. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { HitClass, LiveItem } from '../../api/types.ts';
import { VERDICTS, type Verdict, verdictOf } from '../../features/visits/verdict.ts';

/** Those that are counted: a test is no visit. */
export type CountedClass = Exclude<HitClass, 'test'>;
export const CLASSES: readonly CountedClass[] = ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'event'];
/** Those that are listed, and asked for. */
export const LISTED: readonly HitClass[] = [...CLASSES, 'test'];
/** The form of a source's name; the service has the list. */
const SOURCE_NAME = /^[a-z0-9_]{1,40}$/;

export interface LiveFilters {
  class?: HitClass;
  verdict?: Verdict;
  /** The name of a log source, or `browser`. */
  source?: string;
  /** Free text, searched in path, host, bot, vendor and user agent. */
  q?: string;
}

const MAX_QUERY = 200;

/** Reads filters from untrusted search parameters; anything else is left out. */
export function readFilters(search: Record<string, unknown>): LiveFilters {
  const filters: LiveFilters = {};
  const hitClass = LISTED.find((name) => name === search['class']);
  const verdict = VERDICTS.find((name) => name === search['verdict']);
  const { source } = search;
  // The router reads `q=404` as a number; here it is text.
  const q = typeof search['q'] === 'number' ? String(search['q']) : search['q'];
  if (hitClass !== undefined) filters.class = hitClass;
  if (verdict !== undefined) filters.verdict = verdict;
  if (typeof source === 'string' && SOURCE_NAME.test(source)) filters.source = source;
  if (typeof q === 'string' && q !== '') filters.q = q.slice(0, MAX_QUERY);
  return filters;
}

export function isFiltered(filters: LiveFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Search crawlers are offered when the property stores them, or some are listed. */
export function shownClasses(isStored: boolean, isThere: boolean): readonly CountedClass[] {
  return isStored || isThere ? CLASSES : CLASSES.filter((name) => name !== 'search_engine');
}

export function passes(item: LiveItem, filters: LiveFilters): boolean {
  if (filters.class !== undefined && item.class !== filters.class) return false;
  if (filters.verdict !== undefined && verdictOf(item) !== filters.verdict) return false;
  if (filters.source !== undefined && item.source !== filters.source) return false;
  return filters.q === undefined || mentions(item, filters.q);
}

function mentions(item: LiveItem, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const fields = [
    item.path,
    item.host,
    item.bot_name,
    item.vendor,
    item.referrer_engine,
    item.user_agent,
    item.event_name,
  ];
  return fields.some((field) => field?.toLowerCase().includes(wanted) === true);
}

/** The filters of the address, and a function to change one. An undefined value removes it. */
export function useFilters(): [
  LiveFilters,
  (change: { [K in keyof LiveFilters]?: LiveFilters[K] | undefined }) => void,
] {
  // The router adds what the address has besides, as it is there: it is left out again.
  const raw = useSearch({ from: '/signed-in/p/$propertyId/live' });
  const filters = useMemo(() => readFilters({ ...raw }), [raw]);
  const navigate = useNavigate();
  return [
    filters,
    (change) => {
      const kept = Object.entries({ ...filters, ...change }).filter(
        ([, value]) => value !== undefined && value !== '',
      );
      void navigate({ to: '.', search: Object.fromEntries(kept), replace: true });
    },
  ];
}
