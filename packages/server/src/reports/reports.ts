/** The room put together: planner, nightly run, sitemaps, and what reports are read with. */
import { ATTRIBUTION_MODEL, type BotLists, type ReferrerMatcher } from '@ghostlight/core';
import { type Clock, type Log, type RetentionLimits, retentionLimits } from '../common/index.ts';
import type { Database } from '../database/index.ts';
import type { Download } from '../outbound/index.ts';
import { DAILY_ROWS_DAYS, type Warehouse } from '../warehouse/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { type CompleteDays, createCompleteDays } from './complete-days.ts';
import type { ReadConversions, ReadManifest } from './context.ts';
import { productOf } from './engines.ts';
import { createFileRule, type FileRule } from './file-rule.ts';
import { createFirsts, type Firsts } from './firsts.ts';

import { createLedger } from './ledger.ts';
import { createPlanner, type MakePlan } from './plan.ts';
import { createRecounting, type OpenRecounting } from './recounting.ts';
import { createRollup, type Rollup } from './rollup.ts';
import { createSitemaps, type Sitemaps } from './sitemaps.ts';
import { untilAborted } from './until-aborted.ts';
import { createZones } from './zones.ts';

export interface ReportsOptions {
  readonly database: Database;
  readonly warehouse: Warehouse;
  readonly download: Download;
  /** The attribution report: conversions beside what was crawled and referred. */
  readonly attribution: Webhooks['report'];
  /** Absent: no manifest is ever published. */
  readonly manifest?: ReadManifest;
  /** The referrer list of the moment: it knows which product a conversion's source names. */
  readonly referrers: () => ReferrerMatcher;
  /** The bot list of the moment: names and published addresses, for rules that refuse impersonators. */
  readonly botLists: () => BotLists;
  /** Days that raw hits are kept at most. */
  readonly retentionDays: number;
  /** By class; absent: all as long as raw hits, figures as long as their table keeps them. */
  readonly retention?: RetentionLimits;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Reports {
  readonly warehouse: Warehouse;
  readonly plan: MakePlan;
  readonly rollup: Rollup;
  readonly recounting: OpenRecounting;
  readonly fileRule: FileRule;
  readonly completeDays: CompleteDays;
  readonly firsts: Firsts;
  readonly sitemaps: Sitemaps;
  readonly conversions: ReadConversions;
  readonly manifest: ReadManifest;
  readonly productOf: (source: string) => string | null;
  readonly botLists: () => BotLists;
  readonly clock: Clock;
  /** Waits for sitemaps that are being read, and for a day that is being counted again. */
  close(): Promise<void>;
}

export function createReports({
  database,
  warehouse,
  download,
  attribution,
  manifest = async () => null,
  referrers,
  botLists,
  retentionDays,
  retention = retentionLimits({
    ...{ retentionDays, visitorRetentionDays: retentionDays, dailyDays: DAILY_ROWS_DAYS },
  }),
  clock,
  log,
}: ReportsOptions): Reports {
  const ledger = createLedger(database, clock);
  const zones = createZones(database);
  const withLock = (name: string, run: () => Promise<void>) => database.withLock(name, run);
  const firsts = createFirsts({ database, warehouse, clock });
  const recounting = createRecounting({ warehouse, ledger, zones, retentionDays, withLock, clock, log });
  const sitemaps = createSitemaps({ database, warehouse, download, clock, log });
  return {
    warehouse,
    plan: createPlanner({ warehouse, ledger, retention, clock }),
    rollup: {
      run: (date, signal) =>
        createRollup({
          ...{ ledger, zones, firsts, retentionDays, withLock, clock, log },
          warehouse: untilAborted(warehouse, signal),
        }).run(date),
    },
    recounting,
    fileRule: createFileRule({ warehouse, ledger, zones, withLock, clock, log }),
    completeDays: createCompleteDays({ warehouse, ledger, withLock, clock, log }),
    firsts,
    sitemaps,
    async conversions(owner, { from, to }) {
      const report = await attribution(owner, {
        from,
        to,
        by: 'source',
        model: ATTRIBUTION_MODEL,
        days: null,
      });
      return { rows: report.rows, conversions: report.totals.conversions, cut: report.cut };
    },
    manifest,
    productOf: (source) => productOf(source, referrers()),
    botLists,
    clock,
    async close() {
      await recounting.close();
      await sitemaps.close();
    },
  };
}
