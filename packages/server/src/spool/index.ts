/** The spool: acknowledged means on disk. */

export { SpoolOpenError } from './errors.ts';
export { openSpool, type SpoolOptions } from './file/open.ts';
export type { StoredQuarantine } from './quarantine.ts';
export type { Shipper, ShipperOptions, ShipperState } from './shipper.ts';
export type { Spool } from './spool.ts';
export type {
  Batch,
  BatchSink,
  Closure,
  Damage,
  Endpoint,
  QuarantinedInput,
  SpoolCounters,
  SpoolEntry,
  SpoolReceipt,
  SpoolRow,
  SpoolStats,
  SpoolUpload,
} from './types.ts';
