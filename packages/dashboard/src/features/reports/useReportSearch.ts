import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { comparisonQuery, fromTo, type Period, periodOf } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { useTimeZone } from '../../parts/Time.tsx';
import { filterQuery, type ReportChange, type ReportSearch, readReportSearch } from './search.ts';

export interface ReportAddress {
  readonly search: ReportSearch;
  readonly period: Period;
  /** The query parameters of every report. */
  readonly query: Readonly<Record<string, string>>;
  /** The same, with what the period is compared with: for reports that say changes. */
  readonly compared: Readonly<Record<string, string>>;
  /** An undefined value removes a filter. The list starts at its first page again. A step of the browser's history. */
  change(change: ReportChange): void;
  /** Changes the period to a range of days. */
  narrow(from: string, to: string): void;
}

/** The filters of the open report, and a function to change them. */
export function useReportSearch(): ReportAddress {
  const raw = useSearch({ strict: false });
  const navigate = useNavigate();
  const timeZone = useTimeZone() ?? 'UTC';
  // The period stays the same at midnight, until something is chosen.
  const [now] = useState(() => Date.now());
  const search = useMemo(() => readReportSearch(raw), [raw]);
  const change = (change: ReportChange) =>
    void navigate({
      to: '.',
      search: compact<ReportSearch>({ ...search, n: undefined, ...change }),
      replace: isTyping(search, change),
      resetScroll: false,
    });
  const period = periodOf(search, now, timeZone);
  const query = useMemo(() => filterQuery(search, now, timeZone), [search, now, timeZone]);
  return {
    search,
    period,
    query,
    compared: { ...query, ...comparisonQuery(period) },
    change,
    narrow: (from, to) => change(fromTo(from, to)),
  };
}

/** A choice is one step of the history; typing a path is one step in all. */
function isTyping(search: ReportSearch, change: ReportChange): boolean {
  return search.path !== undefined && change.path !== undefined;
}
