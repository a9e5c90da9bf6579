/** Which bots came, how often, for what; and the days of a period. */
import type { Warehouse } from '../warehouse.ts';
import { dayByDay } from './aggregates.ts';
import { sqlOf } from './dimensions.ts';
import { askFacts, facts, REPORT_SETTINGS, type ReportQuery } from './facts.ts';
import { type HourRow, hourOf } from './hours.ts';
import {
  CLIENT_ERROR,
  COUNTED,
  ERROR,
  estimatedSpoofed,
  FIGURE_COLUMNS,
  FIGURES,
  FILES,
  type Figures,
  IS_READ,
  KIND_COLUMNS,
  PAGES,
  PREVIOUS_HITS,
  PREVIOUS_PAGES,
  REDIRECT,
  SERVER_ERROR,
  spoofedWhere,
} from './measures.ts';
import { readSlices, selected } from './slices.ts';

export interface BotRow extends Figures {
  readonly vendor: string;
  readonly bot: string;
  readonly intent: string;
  readonly engine: string;
  readonly previous_hits: number;
  /** Errors of spoofed visits, whether or not they are counted. */
  readonly spoofed_errors: number;
  readonly estimated_spoofed_errors: number;
  /** Hits of each day from the first of both periods on. */
  readonly days: readonly number[];
  /** Those of them that failed. */
  readonly failed_days: readonly number[];
  /** The hits of each day by verdict; of the spoofed ones whether or not they are among the hits. */
  readonly verified_series: readonly number[];
  readonly unknown_series: readonly number[];
  readonly spoofed_series: readonly number[];
  /** By which `botPages` names it. */
  readonly number: string;
  readonly vendor_number: string;
}

/** Numbers for what is told apart: over single pages, grouping by words took half as long again. */
const NUMBERS = { bot: 'crawler', vendor: 'maker' } as const;

const MOST_BOTS = 2_000;

/** Every bot of both periods, most hits first, and names that were only pretended; at most 2,000, where the lists know some hundred. */
export async function botRows(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<BotRow[]> {
  const days = dayByDay(query);
  const measures = {
    ...FIGURES,
    previous_hits: PREVIOUS_HITS,
    spoofed_errors: spoofedWhere(ERROR),
    estimated_spoofed_errors: estimatedSpoofed(ERROR),
    days: { of: days, where: COUNTED },
    failed_days: { of: days, where: { ...COUNTED, ...ERROR } },
    verified_series: { of: days, where: { verdict: ['verified'] } },
    unknown_series: { of: days, where: { verdict: ['unknown'] } },
    spoofed_series: { of: days, where: { verdict: ['spoofed'] } },
  } as const;
  const by = { vendor: 'f.vendor', bot: 'f.bot_name', intent: 'f.intent', engine: 'f.engine' };
  const columns = [
    ...FIGURE_COLUMNS,
    ...['vendor', 'bot_name', 'intent', 'engine'],
    ...Object.values(NUMBERS),
  ];
  const rows = await readSlices<BotRow>(
    warehouse,
    query,
    {
      keys: {
        ...by,
        number: `toString(any(f.${NUMBERS.bot}))`,
        vendor_number: `toString(any(f.${NUMBERS.vendor}))`,
      },
      by: Object.values(by),
      measures,
      from: `FROM ${facts(columns, query, ['ai_bot'])}`,
    },
    signal,
  );
  return (
    rows
      // Who came before and comes no more is the news of the list.
      .filter(
        ({ hits, previous_hits: before, spoofed_series: spoofed }) =>
          hits > 0 || before > 0 || spoofed.some((visits) => visits > 0),
      )
      .sort((a, b) => b.hits - a.hits || inOrderOf(a, b))
      .slice(0, MOST_BOTS)
  );
}

/** Of equally many hits. */
const inOrderOf = (a: BotRow, b: BotRow): number => {
  const [x, y] = [a, b].map(({ vendor, bot, intent, engine }) =>
    JSON.stringify([vendor, bot, intent, engine]),
  );
  return x === y ? 0 : (x ?? '') < (y ?? '') ? -1 : 1;
};

export interface PageCounts {
  readonly pages: number;
  readonly files: number;
  readonly previous_pages: number;
}

const PAGE_COUNTS = { pages: PAGES, files: FILES, previous_pages: PREVIOUS_PAGES } as const;
export const NO_PAGES: PageCounts = { pages: 0, files: 0, previous_pages: 0 };

/** Pages and files that each of them read, by its number, and all together. */
export async function botPages(
  warehouse: Warehouse,
  query: ReportQuery,
  group: 'bot' | 'vendor',
  signal?: AbortSignal,
): Promise<{ readonly all: PageCounts; readonly of: ReadonlyMap<string, PageCounts> }> {
  const number = `f.${NUMBERS[group]}`;
  const rows = await askFacts<PageCounts & { number: string; is_all: number }>(
    warehouse,
    query,
    `SELECT ${selected({ number: `toString(${number})`, is_all: `grouping(${number})`, ...PAGE_COUNTS })}
FROM ${facts(['page', ...KIND_COLUMNS, NUMBERS[group]], query, ['ai_bot'])}
WHERE ${IS_READ}
GROUP BY ${number} WITH ROLLUP ORDER BY is_all DESC LIMIT 10000`,
    signal,
  );
  return {
    all: rows.find(({ is_all }) => is_all === 1) ?? NO_PAGES,
    of: new Map(rows.flatMap((row) => (row.is_all === 1 ? [] : [[row.number, row]]))),
  };
}

export interface DayCount {
  /** Counted from 1970. */
  readonly day: number;
  readonly intent: string;
  readonly verified: boolean | null;
  readonly hits: number;
  /** The part that comes from samples. */
  readonly estimated: number;
}

/** Hits of both periods by day, intent and verdict, spoofed ones whether or not they are counted. At most 800 days × 5 × 3 rows. */
export async function botDays(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<DayCount[]> {
  return await askFacts<DayCount>(
    warehouse,
    query,
    `SELECT toUInt32(f.day) AS day, toString(f.intent) AS intent, f.verified AS verified,
  sum(f.weight) AS hits, sum(f.estimated) AS estimated
FROM ${facts(['counted', 'weight', 'estimated', 'intent', 'verified'], query, ['ai_bot'])}
GROUP BY f.day, f.intent, f.verified ORDER BY day LIMIT 20000`,
    signal,
  );
}

export interface HourCount extends HourRow {
  readonly intent: string;
  readonly verified: boolean | null;
  readonly hits: number;
  /** The part that comes from samples. */
  readonly estimated: number;
  readonly redirects: number;
  readonly client_errors: number;
  readonly server_errors: number;
}

const HOURS_LIMIT = 20_000;

/** Hits by hour, counted from the first moment of each period. @param query whose days are all read from raw hits; at most 14 */
export async function botHours(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<HourCount[]> {
  return await askFacts<HourCount>(
    warehouse,
    query,
    `SELECT ${hourOf(query)}, toString(f.intent) AS intent, f.verified AS verified,
  sum(f.weight) AS hits, sum(f.estimated) AS estimated, sumIf(f.weight, ${sqlOf(REDIRECT)}) AS redirects,
  sumIf(f.weight, ${sqlOf(CLIENT_ERROR)}) AS client_errors, sumIf(f.weight, ${sqlOf(SERVER_ERROR)}) AS server_errors
FROM ${facts(['counted', 'weight', 'estimated', 'intent', 'verified', 'status', 'first_at'], query, ['ai_bot'])}
GROUP BY hour, is_before, f.intent, f.verified ORDER BY hour LIMIT ${HOURS_LIMIT}`,
    signal,
  );
}

/**
 * When bots came first, spoofed visits aside; epoch milliseconds by bot.
 * @param since of hits stored since then, epoch milliseconds; null: of all that is kept. A replaced run names no other visits than the one
 *   that counts.
 */
export async function firstVisits(
  warehouse: Warehouse,
  scope: { readonly organizationId: string; readonly attributionId: string },
  since: number | null,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const of = (table: string, moment: string, condition: string) => `SELECT toString(h.bot_name) AS bot,
    toUnixTimestamp64Milli(min(h.${moment})) AS first FROM ${table} AS h
  WHERE h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID} AND h.class = 'ai_bot'
    AND ifNull(h.verified, true) AND ${condition} GROUP BY bot`;
  const halves =
    since === null
      ? [of('daily_totals', 'first_at', 'true'), of('hits', 'at', 'true')]
      : [of('hits', 'at', 'h.stored_at > fromUnixTimestamp64Milli({since:Int64})')];
  const rows = await warehouse.rows<{ bot: string; first_at: number }>(
    'report',
    {
      sql: `SELECT bot, min(first) AS first_at FROM (${halves.join('\nUNION ALL\n')}) GROUP BY bot ORDER BY first_at LIMIT 5000`,
      params: { organization: scope.organizationId, property: scope.attributionId, since: since ?? 0 },
      settings: REPORT_SETTINGS,
    },
    signal,
  );
  return new Map(rows.map(({ bot, first_at }) => [bot, first_at]));
}
