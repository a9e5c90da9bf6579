/** The state database: properties, keys, sessions, lists, claims. One set of tables and queries over SQLite and PostgreSQL. */

export {
  type DatabaseAdapter,
  type DatabaseSnapshot,
  DatabaseUnwritable,
  type GroupCommit,
} from './adapter.ts';
export {
  type Audit,
  type AuditChange,
  audit,
  auditChange,
  CHANGE_ACTIONS,
  type ChangeAction,
  changesOf,
  hidden,
  lockOrganization,
  prefixed,
} from './audit.ts';
export {
  type HeldTables,
  holdPostgres,
  type LoadingTables,
  loadPostgres,
  makeStateTables,
  newestMigration,
  STATE_TABLES,
  STATE_TABLES_OF_MIGRATIONS,
} from './backup.ts';
export type { Carried, CarriedCounts } from './carried.ts';
export { type BatchClaims, type Claim, createBatchClaims } from './claims.ts';
export {
  createGroupCommit,
  type Database,
  type DatabaseOptions,
  isDatabaseAway,
  openDatabase,
} from './database.ts';
export { MIGRATION_NAMES } from './migrations/index.ts';
export {
  beginMove,
  copyDatabase,
  countRows,
  emptyTarget,
  endMove,
  figuresOf,
  firstFilled,
  installationOf,
  lastHeardOf,
  MOVED_TABLES,
  type MovePosition,
  movedTables,
  positionOf,
  type TableFigures,
  versionOf,
} from './moving.ts';
export { announceKeys, type KeyNotice } from './node-keys.ts';
export { existingOrganization, inScope } from './organizations.ts';
export { everyPage, newestFirst, type Page, type PageQuery } from './paging.ts';
export {
  AWAY_GRACE_MS,
  createReadThrough,
  type ReadThrough,
  type ReadThroughOptions,
} from './read-through.ts';
export { type EncryptedRow, type EncryptedRows, rotateRows } from './rotate-secrets.ts';
export {
  checkCanary,
  createSecretCipher,
  DecryptError,
  hasCanary,
  keyIdsOf,
  type SecretCipher,
} from './secrets.ts';
export { signalKey } from './signal-key.ts';
export { carryInCopy, rowsOfCopy } from './sqlite/copied.ts';
export { entryOf, TABLE_NAMES, type TableEntry, type TableName } from './table-register.ts';
export type { NewRow, Row, Tables } from './tables.ts';
