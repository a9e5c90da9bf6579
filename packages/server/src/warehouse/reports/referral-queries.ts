/** People whom AI products sent: where they landed. */
import type { Warehouse } from '../warehouse.ts';
import { FIRST, LAST } from './aggregates.ts';
import { NOW } from './dimensions.ts';
import { askFacts, facts, type ReportQuery } from './facts.ts';
import { type HourRow, hourOf } from './hours.ts';
import { type ListSpec, text } from './list.ts';
import {
  CHANGE,
  COMPARED_HITS,
  ERROR,
  ESTIMATED,
  estimatedOf,
  HITS,
  ofNow,
  PATHS,
  PREVIOUS_HITS,
  sumOf,
} from './measures.ts';
import { columnsOf, selected } from './slices.ts';

const MEASURES = {
  hits: HITS,
  estimated: ESTIMATED,
  by_referrer: sumOf({ signal: ['referrer'] }),
  by_app: sumOf({ signal: ['app'] }),
  by_utm_source: sumOf({ signal: ['utm_source'] }),
  estimated_by_referrer: estimatedOf({ signal: ['referrer'] }),
  estimated_by_app: estimatedOf({ signal: ['app'] }),
  estimated_by_utm_source: estimatedOf({ signal: ['utm_source'] }),
  /** Landing pages: a person has one, whatever it answered. */
  pages: PATHS,
  failed: sumOf(ERROR),
  estimated_failed: estimatedOf(ERROR),
  first_at: ofNow(FIRST),
  last_at: ofNow(LAST),
  previous_hits: PREVIOUS_HITS,
  compared_hits: COMPARED_HITS,
} as const;

export interface ReferralRow extends Readonly<Record<keyof typeof MEASURES, number>> {
  readonly engine: string;
  readonly host: string;
  readonly path: string;
  readonly change: number | null;
  /** Not in files. */
  readonly days?: readonly number[];
}

const READS = [
  ...['weight', 'estimated', 'referrer_engine', 'referral_signal', 'host', 'path', 'page', 'status'],
  ...['first_at', 'last_at'],
];

export function referralList(group: 'page' | 'engine'): ListSpec {
  const engine = { engine: text('f.referrer_engine') };
  return {
    classes: ['ai_referral'],
    compares: true,
    number:
      group === 'engine'
        ? { sql: 'cityHash64(f.referrer_engine)', reads: ['referrer_engine'] }
        : { sql: 'cityHash64(f.page, cityHash64(f.referrer_engine))', reads: ['page', 'referrer_engine'] },
    reads: READS,
    keys: group === 'engine' ? engine : { ...engine, host: text('any(f.host)'), path: text('any(f.path)') },
    by: { engine: 'f.referrer_engine', ...(group === 'engine' ? {} : { page: 'f.page' }) },
    measures: { ...MEASURES, ...(group === 'engine' ? { host: "''", path: "''" } : {}) },
    derived: { change: CHANGE },
    sorts: { visits: 'hits', engine: 'engine', path: 'path', last_seen: 'last_at', change: 'change' },
  };
}

export interface ReferralTotals extends Readonly<Record<keyof typeof MEASURES, number>> {
  readonly engines: number;
}

export async function referralTotals(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<ReferralTotals> {
  const [row] = await askFacts<ReferralTotals>(
    warehouse,
    query,
    `SELECT ${selected(columnsOf({ ...MEASURES, engines: `uniqExactIf(f.referrer_engine, ${NOW})` }))}
FROM ${facts(READS, query, ['ai_referral'])}`,
    signal,
  );
  if (row === undefined) throw new Error('A sum without GROUP BY has one row');
  return row;
}

export interface ReferralDay {
  readonly day: number;
  readonly engine: string;
  readonly visits: number;
  readonly estimated: number;
}

/** Visits of both periods by day and engine. */
export async function referralDays(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<ReferralDay[]> {
  return await askFacts<ReferralDay>(
    warehouse,
    query,
    `SELECT toUInt32(f.day) AS day, toString(f.referrer_engine) AS engine, sum(f.weight) AS visits, sum(f.estimated) AS estimated
FROM ${facts(['weight', 'estimated', 'referrer_engine'], query, ['ai_referral'])}
GROUP BY f.day, f.referrer_engine ORDER BY day, engine LIMIT 50000`,
    signal,
  );
}

export interface ReferralHour extends HourRow, Omit<ReferralDay, 'day'> {}

/** Visits of both periods by hour and engine. @param query whose days are all read from raw hits; at most 14 */
export async function referralHours(
  warehouse: Warehouse,
  query: ReportQuery,
  signal?: AbortSignal,
): Promise<ReferralHour[]> {
  return await askFacts<ReferralHour>(
    warehouse,
    query,
    `SELECT ${hourOf(query)}, toString(f.referrer_engine) AS engine, sum(f.weight) AS visits, sum(f.estimated) AS estimated
FROM ${facts(['weight', 'estimated', 'referrer_engine', 'first_at'], query, ['ai_referral'])}
GROUP BY hour, is_before, f.referrer_engine ORDER BY hour, engine LIMIT 50000`,
    signal,
  );
}
