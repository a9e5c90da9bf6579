/** The spool: acknowledged means on disk. */

export { DURABILITY_SENTENCES } from './durability.ts';
export { SpoolOpenError } from './errors.ts';
export { figuresOfCopy } from './file/copied.ts';
export { openSpool, type SpoolOptions } from './file/open.ts';
export { SPOOL_FORMATS } from './formats.ts';
export {
  figuresInPostgres,
  makeSpoolTables,
  SPOOL_TABLES,
  SPOOL_TABLES_WITHOUT_ROWS,
  TAKING_LOCK,
} from './postgres/backup.ts';
export { openPostgresSpool, rowsLeftBehind } from './postgres/lazy.ts';
export type { StoredQuarantine } from './quarantine.ts';
export type { Shipper, ShipperOptions, ShipperState } from './shipper.ts';
export type { Spool } from './spool.ts';
export {
  type Batch,
  type BatchSink,
  type Closure,
  type Damage,
  DURABILITIES,
  type Durability,
  type Endpoint,
  type QuarantinedInput,
  type SpoolCounters,
  type SpoolEntry,
  type SpoolReceipt,
  type SpoolRow,
  type SpoolSnapshot,
  type SpoolStats,
  type SpoolUpload,
  type UploadReceipt,
} from './types.ts';
