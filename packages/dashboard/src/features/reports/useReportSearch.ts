import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { fromTo, type Period, periodOf } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { useTimeZone } from '../../parts/Time.tsx';
import { filterQuery, type ReportChange, type ReportSearch, readReportSearch } from './search.ts';

export interface ReportAddress {
  readonly search: ReportSearch;
  readonly period: Period;
  /** What every report is asked with. */
  readonly query: Readonly<Record<string, string>>;
  /** An undefined value takes a filter out. What a list shows starts at its first page again. A step of the browser's history. */
  change(change: ReportChange): void;
  /** To two days and all between them. */
  narrow(from: string, to: string): void;
}

/** The filters of the address of whichever report is open, and how to change some. */
export function useReportSearch(): ReportAddress {
  const raw = useSearch({ strict: false });
  const navigate = useNavigate();
  const timeZone = useTimeZone() ?? 'UTC';
  // The day may turn while the page is open; what is shown stays one period until something is chosen.
  const [now] = useState(() => Date.now());
  const search = useMemo(() => readReportSearch(raw), [raw]);
  const change = (change: ReportChange) =>
    void navigate({
      to: '.',
      search: compact<ReportSearch>({ ...search, n: undefined, ...change }),
      replace: isTyping(search, change),
      resetScroll: false,
    });
  return {
    search,
    period: periodOf(search, now, timeZone),
    query: useMemo(() => filterQuery(search, now, timeZone), [search, now, timeZone]),
    change,
    narrow: (from, to) => change(fromTo(from, to)),
  };
}

/** A choice is a step that the back button takes back; the letters of a path are one step together. */
function isTyping(search: ReportSearch, change: ReportChange): boolean {
  return search.path !== undefined && change.path !== undefined;
}
