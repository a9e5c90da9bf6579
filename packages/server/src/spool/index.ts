/** The spool: acknowledged means on this disk. */

export { SpoolOpenError } from './errors.ts';
export type { Damage } from './integrity/aside.ts';
export type { StoredQuarantine } from './quarantine.ts';
export type { Shipper, ShipperOptions, ShipperState } from './shipper.ts';
export { openSpool, type Spool, type SpoolOptions } from './spool.ts';
export type {
  Batch,
  BatchSink,
  Closure,
  Endpoint,
  QuarantinedInput,
  SpoolCounters,
  SpoolEntry,
  SpoolReceipt,
  SpoolRow,
  SpoolStats,
  SpoolUpload,
} from './types.ts';
