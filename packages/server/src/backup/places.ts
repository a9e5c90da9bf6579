/** Names in a data directory that a restore moves. What else is there stays: a folder of backups, say. */
export const STANDING: ReadonlySet<string> = new Set([
  ...['state.sqlite', 'state.sqlite-wal', 'state.sqlite-shm', 'spool', 'warehouse'],
  ...['secret-key', 'admin-token', 'node-id', 'service.json', 'control.sock'],
]);

/** Is in the data directory while old files and restored ones may be mixed there. */
export const RESTORE_MARK = 'restore-unfinished';
