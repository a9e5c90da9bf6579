/** Copying the two stores of an installation into others, for `ghostlight move` (`move.ts`). */

export { beginDatabase, moveDatabase } from './database.ts';
export { createProgress } from './progress.ts';
export type { Difference, MovedStore, MovedTable } from './report.ts';
export { beginWarehouse, moveWarehouse } from './warehouse.ts';
