/** The warehouse: hits in ClickHouse, or in its embedded twin. The spool writes through `hitSink`, Live and reports read through the rest. */

export { eventSink, hitSink, type RowBatch, type RowSink } from './batches.ts';
export { openWarehouse, type WarehouseOptions } from './client.ts';
export { EmbeddedEngineError } from './embedded/supervisor.ts';
export { eraseVisitorEvents, type StoredEvent, storedEventCount, toEventRow } from './events.ts';
export {
  type Arrival,
  type ExportRequest,
  exportHits,
  type HitScope,
  lastArrivals,
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
export { type PathFetches, pathFetches } from './path-fetches.ts';
export { toRow } from './row.ts';
export type { Replication } from './schema/migrations.ts';
export type { Warehouse } from './warehouse.ts';
