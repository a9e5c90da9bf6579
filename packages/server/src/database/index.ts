/** The state database: properties, keys, sessions, lists, claims. One set of tables and queries over SQLite and PostgreSQL. */

export { type Audit, audit } from './audit.ts';
export { isDatabaseAway } from './away.ts';
export { type BatchClaims, type Claim, createBatchClaims } from './claims.ts';
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export { DatabaseUnwritable } from './disk.ts';
export { createGroupCommit, type GroupCommit } from './group-commit.ts';
export { lockOrganization } from './lock-organization.ts';
export { announceKeys, type KeyNotice } from './node-keys.ts';
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
export type { NewRow, Row, Tables } from './tables.ts';
