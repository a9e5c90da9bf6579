/** The period that a report or list is of, as an address holds it and as the service is asked for it. */
import { dayOf } from './search.ts';

export const PERIODS = [7, 30, 90] as const;
export type Days = (typeof PERIODS)[number];
export const DEFAULT_DAYS: Days = 30;

const DAY_MS = 86_400_000;
/** Longer periods would be a chart of nothing but weeks that nobody can tell apart. */
const MAX_DAYS = 400;

export interface PeriodSearch {
  /** The last so many UTC days; left out for 30. */
  days?: Days;
  /** UTC days, both inside the period; together they stand over `days`. */
  from?: string;
  to?: string;
}

export type PeriodChange = { [K in keyof PeriodSearch]?: PeriodSearch[K] | undefined };

/** Reads untrusted search parameters; what names no period is left out. */
export function readPeriod(search: Record<string, unknown>): PeriodChange {
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return {
    days: PERIODS.find((days) => days !== DEFAULT_DAYS && days === Number(search['days'])),
    ...(from !== undefined && to !== undefined && from <= to ? { from, to } : {}),
  };
}

export interface Period {
  /** First and last UTC day, both inside. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** @param now epoch milliseconds */
export function periodOf({ days = DEFAULT_DAYS, from, to }: PeriodSearch, now: number): Period {
  if (from === undefined || to === undefined) {
    return { from: utcDay(now - (days - 1) * DAY_MS), to: utcDay(now), days };
  }
  const length = Math.min(MAX_DAYS, (Date.parse(to) - Date.parse(from)) / DAY_MS + 1);
  return { from: utcDay(Date.parse(to) - (length - 1) * DAY_MS), to, days: length };
}

/** The parameters `from` (inside) and `to` (outside) as instants. */
export function periodQuery({ from, to }: Period): { from: string; to: string } {
  return {
    from: `${from}T00:00:00.000Z`,
    to: new Date(Date.parse(to) + DAY_MS).toISOString(),
  };
}

function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
