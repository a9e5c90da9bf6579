/** The period and the filters of the Conversions page, as the service is asked for them. */
import { type ConversionSearch, DEFAULT_DAYS } from '../search.ts';

const DAY_MS = 86_400_000;
/** Longer periods would be a chart of nothing but weeks that nobody can tell apart. */
const MAX_DAYS = 400;

/** What narrows the list, and would be undone by "Clear". */
export const LIST_FILTERS = ['topic', 'matched', 'channel', 'campaign', 'q'] as const;

export function isFiltered(search: ConversionSearch): boolean {
  return LIST_FILTERS.some((name) => search[name] !== undefined);
}

export interface Period {
  /** First and last UTC day, both inside. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** @param now epoch milliseconds */
export function periodOf({ days = DEFAULT_DAYS, from, to }: ConversionSearch, now: number): Period {
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

/** What the list asks for; the same period as the report beside it. */
export function listQuery(search: ConversionSearch, period: Period): Record<string, string> {
  const { topic, matched, channel, campaign, q } = search;
  return Object.fromEntries(
    Object.entries({
      ...periodQuery(period),
      topic,
      matched: matched === undefined ? undefined : String(matched === 'yes'),
      channel,
      campaign,
      q: q?.trim(),
    }).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''),
  );
}

export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
