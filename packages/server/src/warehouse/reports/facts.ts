/**
 * What every report reads: closed days from their daily rows, the others from raw hits, as one relation `f` with one set of columns. A
 * report is a GROUP BY over it, so that it can't tell (and no test may find) where a day came from.
 */
import type { DayRange } from '@ghostlight/core/periods';
import { dateOf } from '../../common/index.ts';
import { NUMBERS_AS_NUMBERS } from '../row.ts';
import type { Settings } from '../statement.ts';
import type { Warehouse } from '../warehouse.ts';
import { coveredBy } from './coverage.ts';
import { COVERED, dailySelect, type FactClass, type FactColumn, leanest, ofHit } from './daily-tables.ts';
import { dayOfHit, type StartOf, spansOf, stretches } from './days.ts';

/** Which days of which property, and where each is read from. */
export interface FactsPlan {
  readonly organizationId: string;
  readonly attributionId: string;
  /** The period, both inside. */
  readonly from: number;
  readonly to: number;
  /** The days to compare with, both inside, which end before `from`; null: nothing is compared. */
  readonly previous: DayRange | null;
  /** Last day of the period that is compared: one that is not over is not. Before `from` where none is. */
  readonly comparedTo: number;
  /** The property has data for all the days before. */
  readonly isComparable: boolean;
  /** Runs of daily rows, one for each closed day that has hits. At most 800. */
  readonly runs: readonly number[];
  /** All of these runs have rows in every daily table: none was counted by a version with fewer, or they were made up for since. */
  readonly hasLists: boolean;
  /** Days that are read from raw hits, ascending. At most 800. */
  readonly rawDays: readonly number[];
  /** When a day of the property begins. */
  readonly startOf: StartOf;
}

/** `bot` to `verified` are about AI bots, the rest about every visit. */
export interface FactsFilter {
  /** In any letter case, as `vendor` and `host`. */
  readonly bot?: string;
  readonly vendor?: string;
  readonly intent?: 'training' | 'search' | 'on_demand' | 'other';
  readonly verified?: 'true' | 'false' | 'unknown';
  /** The path's beginning. */
  readonly path?: string;
  /** A path whole. */
  readonly page?: string;
  readonly host?: string;
  /** Two upper-case letters. */
  readonly country?: string;
}

/** Filters that only a visit of a bot can pass, and those that any visit can. */
export const BOT_FILTERS = ['bot', 'vendor', 'intent', 'verified'] as const satisfies (keyof FactsFilter)[];
export const PLACE_FILTERS = ['path', 'page', 'host', 'country'] as const satisfies (keyof FactsFilter)[];

/**
 * Whose visits are added up. By default those of verified and unknown bots: a spoofed visit
 * is no visit of that bot. `all` adds the spoofed ones.
 */
export const POPULATIONS = ['verified_unknown', 'all'] as const;
export type Population = (typeof POPULATIONS)[number];

/** What a report is asked. */
export interface ReportQuery {
  readonly plan: FactsPlan;
  readonly filter: FactsFilter;
  readonly population: Population;
}

/** Of the columns: whether a fact belongs to the population. */
const COUNTED = 'counted';
/** Referrals and samples have no verdict, and belong to every population. */
const IS_COUNTED = 'genuine';

/**
 * The relation, in brackets. Only the named columns are read. It holds the population alone, unless `counted` is among the columns: then
 * the spoofed are there as well, for a figure of their own, and `f.counted` tells them apart.
 * @param classes whose hits; filters on bots are applied where AI bots alone are read
 * @param ofFewPages only pages that are few and named by their numbers are asked for
 * @param derived name → a column more, as SQL over `f`: computed once for a list, not for each of its pages
 */
export function facts(
  columns: readonly FactColumn[],
  { plan, filter, population }: ReportQuery,
  classes: readonly FactClass[],
  {
    ofFewPages = false,
    derived = {},
  }: { readonly ofFewPages?: boolean; readonly derived?: Readonly<Record<string, string>> } = {},
): string {
  const isWhole = population === 'all' || !classes.includes('ai_bot');
  const isToldApart = !isWhole && columns.includes(COUNTED);
  type Of = (name: FactColumn) => string;
  const counted = (of: Of) => (isToldApart ? of(IS_COUNTED) : 'true');
  const where = (of: Of) => `h.organization_id = {organization:UUID} AND h.attribution_id = {property:UUID}
    AND h.class IN (${classes.map((name) => `'${name}'`).join(', ')})${conditions(filter, classes)}${
      isWhole || isToldApart ? '' : `\n    AND ${of(IS_COUNTED)}`
    }`;
  const read = columns.filter((name) => name !== COUNTED);
  const names = ['day', ...read.filter((name) => name !== 'day')];
  const needed = [...read, ...filtered(filter, classes), ...(isWhole ? [] : [IS_COUNTED])];
  const { hasLists } = plan;
  const daily = dailySelect(
    leanest({ columns: needed, classes, hasLists, ofFewPages }),
    new Map([[COUNTED, counted], ...names.map((name) => [name, null] as const)]),
    (of) => `${where(of)} AND h.day >= {first:Date} AND h.day <= {to:Date} AND h.run IN {runs:Array(UInt64)}`,
  );
  const day = dayOfHit(plan.rawDays, plan.startOf);
  const ofRaw = (name: FactColumn): string => {
    if (name === 'day') return day;
    if (name !== COVERED) return ofHit(name);
    return coveredBy('c.attribution_id = {property:UUID}', spansOf(plan.rawDays, plan.startOf));
  };
  const raw = `SELECT ${counted(ofHit)} AS ${COUNTED}, ${names.map((name) => `${ofRaw(name)} AS ${name}`).join(', ')}
  FROM hits AS h WHERE ${where(ofHit)} AND (${stretches(plan.rawDays, plan.startOf)})`;
  const halves = [
    ...(plan.runs.length > 0 ? [daily] : []),
    ...(plan.rawDays.length > 0 ? [raw] : []),
    // Nothing was ever seen: a relation without rows, so that sums are sums.
    ...(plan.runs.length + plan.rawDays.length === 0 ? [raw] : []),
  ];
  const more = Object.entries(derived).map(([name, sql]) => `${sql} AS ${name}`);
  // In each half: the engine computes an expression before it opens a list, but moves none into a union.
  const whole = more.length === 0 ? halves : halves.map((half) => `SELECT *, ${more} FROM (${half}) AS f`);
  return `(${whole.join('\n  UNION ALL\n  ')}) AS f`;
}

const ofBotsAlone = (classes: readonly FactClass[]) => classes.every((name) => name === 'ai_bot');

function conditions(filter: FactsFilter, classes: readonly FactClass[]): string {
  const parts = [
    filter.path === undefined ? '' : 'startsWith(h.path, {path:String})',
    filter.page === undefined ? '' : 'h.path = {page:String}',
    filter.host === undefined ? '' : 'h.host = lower({host:String})',
    filter.country === undefined ? '' : 'h.country = {country:String}',
    ...(ofBotsAlone(classes) ? botConditions(filter, 'h') : []),
  ].filter((part) => part !== '');
  return parts.map((part) => `\n    AND ${part}`).join('');
}

/** The columns that `conditions` reads, which the daily rows must have beside those of the report. */
function filtered(filter: FactsFilter, classes: readonly FactClass[]): FactColumn[] {
  const columns = (read: Readonly<Record<string, FactColumn>>) =>
    Object.entries(read).flatMap(([name, column]) =>
      filter[name as keyof FactsFilter] === undefined ? [] : [column],
    );
  return [
    ...columns({ path: 'path', page: 'path', host: 'host', country: 'country' }),
    ...(ofBotsAlone(classes)
      ? columns({ bot: 'bot_name', vendor: 'vendor', intent: 'intent', verified: 'verified' })
      : []),
  ];
}

const VERDICTS = { true: 'verified = true', false: 'verified = false', unknown: 'verified IS NULL' } as const;

/** Whether a filter asks something of AI bots. */
export const hasBotConditions = (filter: FactsFilter): boolean => botConditions(filter, 'h').length > 0;

/** What a filter asks of AI bots, as conditions on a relation. */
export function botConditions({ bot, vendor, intent, verified }: FactsFilter, relation: string): string[] {
  return [
    bot === undefined ? '' : `lowerUTF8(${relation}.bot_name) = lowerUTF8({bot:String})`,
    vendor === undefined ? '' : `lowerUTF8(${relation}.vendor) = lowerUTF8({vendor:String})`,
    intent === undefined ? '' : `${relation}.intent = {intent:String}`,
    verified === undefined ? '' : `${relation}.${VERDICTS[verified]}`,
  ].filter((part) => part !== '');
}

/** Of the period itself, where the one before it is read too; whatever the population. */
export const IN_PERIOD = 'f.day >= {from:Date}';
const factsParams = ({ plan, filter }: ReportQuery): Record<string, unknown> => ({
  organization: plan.organizationId,
  property: plan.attributionId,
  first: dateOf(plan.previous?.from ?? plan.from),
  from: dateOf(plan.from),
  to: dateOf(plan.to),
  compared_to: dateOf(plan.comparedTo),
  is_comparable: plan.isComparable ? 1 : 0,
  runs: plan.runs,
  ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
});

/** A report may not keep a connection for long, nor take the memory that inserts need. */
export const REPORT_SETTINGS = {
  ...NUMBERS_AS_NUMBERS,
  max_execution_time: 30,
  max_memory_usage: 1024 * 1024 * 1024,
} as const;

/** Asks; every query of a report goes through here. */
export async function askFacts<Row>(
  warehouse: Warehouse,
  query: ReportQuery,
  sql: string,
  signal?: AbortSignal,
  params: Readonly<Record<string, unknown>> = {},
  settings: Settings = REPORT_SETTINGS,
): Promise<Row[]> {
  return await warehouse.rows<Row>(
    'report',
    { sql, params: { ...factsParams(query), ...params }, settings },
    signal,
  );
}
