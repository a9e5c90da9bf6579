/** The warehouse: hits in ClickHouse, or in its embedded backend. The spool writes through `hitSink`, Live and reports read through the rest. */

export { eventSink, hitSink, type RowBatch, type RowSink } from './batches.ts';
export { openWarehouse, type WarehouseOptions } from './client.ts';

export { countOwned, deleteOwned, type OwnedBy } from './deletion.ts';

export type { CheckFinding } from './doctor/check.ts';
export { examineWarehouse } from './doctor/examine.ts';

export { EmbeddedEngineError } from './embedded/supervisor.ts';
export { exceptionCode, WarehouseMisconfigured, WarehouseUnavailable } from './errors.ts';
export {
  type ExportedEvent,
  eraseVisitorEvents,
  exportEvents,
  type StoredEvent,
  storedEventCount,
  toEventRow,
} from './events.ts';
export type { Account } from './fair-queue.ts';
export {
  attachTables,
  type FrozenWarehouse,
  freezeTables,
  thaw,
} from './freeze.ts';
export {
  type Arrival,
  type ExportRequest,
  exportHits,
  firstHitAt,
  type HitScope,
  hasVerifiedVisit,
  lastArrivals,
  lastTestAt,
  type StoredCount,
  storedCount,
  storedCounts,
} from './hits.ts';
export {
  LIVE_LIMIT,
  LIVE_OVERLAP_MS,
  LIVE_WINDOW_MS,
  type LiveClass,
  type LiveHit,
  type LivePage,
  type LiveRequest,
  type LiveSource,
  liveHits,
} from './live.ts';
export { type LiveSummary, liveSummary } from './live-summary.ts';
export {
  type CopyOptions,
  type DayFigures,
  dayCopier,
  daysOf,
  figuresOfMonth,
  firstDay,
  MOVED_WAREHOUSE_TABLES,
  type MovedDay,
  markMove,
  monthsOf,
  removeDay,
  rowsOf,
  unfinishedMove,
  waitForInserts,
  warehouseVersion,
} from './moving.ts';
export {
  countOutlived,
  deleteOutlived,
  type Outlived,
  type OutlivedRows,
} from './outlived.ts';
export { type PathFetches, pathFetches } from './path-fetches.ts';
export { countReceived, type ReceivedSince } from './received.ts';
export {
  type BotRow,
  botDays,
  botHours,
  botPages,
  botRows,
  type DayCount,
  firstVisits,
  type HourCount,
  NO_PAGES,
  type PageCounts,
} from './reports/bot-queries.ts';
export {
  countDays,
  countHits,
  countInto,
  countLater,
  type DayRun,
  type DaySpan,
  type Grown,
  grownHits,
  grownOf,
  mergeParts,
  type PropertyDay,
  removeRuns,
} from './reports/daily-rows.ts';
export { exportList } from './reports/export-list.ts';
export {
  BOT_FILTERS,
  type FactsFilter,
  type FactsPlan,
  hasBotConditions,
  PLACE_FILTERS,
  POPULATIONS,
  type Population,
  type ReportQuery,
} from './reports/facts.ts';
export {
  type FailingPageRow,
  type FailureDay,
  type FailureGroup,
  type FailureKind,
  type FailureRow,
  failingPages,
  failureDays,
  failureList,
  failureStatuses,
  type PageDay,
  pageDays,
  type StatusRow,
} from './reports/failure-queries.ts';
export {
  type CountedRun,
  countAgain,
  countedMonths,
  fileRule,
  runsOfOtherRule,
} from './reports/file-rule.ts';
export { type FilterValue, filterValues } from './reports/filter-values.ts';
export { type FoundBot, type FoundPath, findBots, findPaths } from './reports/find-queries.ts';
export { type FolderRow, folderList } from './reports/folder-list.ts';
export type { ListSpec } from './reports/list.ts';
export type { Figures } from './reports/measures.ts';
export {
  type BotPageRow,
  botPageList,
  type PageRow,
  pageList,
  type TopPageRow,
  topPageList,
  topPages,
} from './reports/page-lists.ts';
export { type PageTotals, pageTotals } from './reports/page-totals.ts';
export { PATH_KINDS, type PathKind } from './reports/path-kinds.ts';
export {
  countRows,
  inOrder,
  type ListPage,
  type ListRequest,
  rankRows,
  readList,
  readLists,
} from './reports/read-list.ts';
export { type ReadPaths, readPaths } from './reports/read-paths.ts';
export {
  type ReferralDay,
  type ReferralHour,
  type ReferralRow,
  type ReferralTotals,
  referralDays,
  referralHours,
  referralList,
  referralTotals,
} from './reports/referral-queries.ts';
export {
  countUnread,
  exportUnread,
  removeSitemaps,
  type SitemapCounts,
  type SitemapPage,
  storeSitemap,
  type UnreadPage,
  unreadPages,
} from './reports/sitemap-pages.ts';
export {
  arrivals,
  type EngineRow,
  engineRows,
  type SenderRow,
  senders,
  type TrafficRow,
  trafficRows,
} from './reports/traffic.ts';
export {
  type ClaimedRow,
  claimedNames,
  type ProgramRow,
  type SpoofSourceRow,
  spoofSourceList,
  type TrustRow,
  type TrustTotals,
  trustList,
  trustTotals,
  unlistedPrograms,
} from './reports/trust-queries.ts';
export {
  type StatusRange,
  VISIT_VERDICTS,
  type VisitFilter,
  type VisitVerdict,
} from './reports/visit-filter.ts';
export {
  VISIT_VALUES,
  type Visit,
  type VisitCount,
  type VisitKey,
  type VisitQuery,
  type VisitStep,
  type VisitValue,
  visitCounts,
  visitsAfter,
  visitValues,
} from './reports/visit-queries.ts';
export { wholeRuns } from './reports/whole-runs.ts';
export { missingRights, type Right } from './rights.ts';
export { HIT_COLUMNS, toRow } from './row.ts';
export { SchemaTooNew } from './schema/migrate.ts';
export { DAILY_ROWS_DAYS, SCHEMA_STEP } from './schema/migrations.ts';
export {
  DAILY_TABLE_NAMES,
  type DailyTableName,
  OWNED_TABLES,
  type OwnedTable,
  WAREHOUSE_TABLES,
} from './schema/tables.ts';
export { backUpServer, placeFault, restoreServer, standingTables } from './server-backup.ts';
export { ownedDays, ownedPages } from './takeout.ts';
export { type EverSeen, everSeen, storedHours, type TrafficHour, trafficHours } from './traffic-hours.ts';
export type { Warehouse } from './warehouse.ts';
