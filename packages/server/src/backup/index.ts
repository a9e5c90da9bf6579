/** Backups: one file with everything that a data directory holds, made while the service runs; and back. */

export {
  type BackupProgress,
  type BackupReport,
  type BackupRequest,
  type Backups,
  createBackups,
} from './create.ts';
export { addsUp } from './figures.ts';
export {
  BackupError,
  hasSpoolsElsewhere,
  type KnownVersions,
  type Manifest,
  type SpoolFigures,
  type TargetKinds,
} from './manifest.ts';
export { announceSpools, type SpoolNotice } from './nodes.ts';
export { RESTORE_MARK } from './places.ts';
export { type RestoreReport, type RestoreRequest, restoreBackup } from './restore.ts';
export { nameAt, type Schedule, type ScheduleStatus, startSchedule } from './schedule.ts';
export { PASSPHRASE_CHARACTERS } from './secrets.ts';
export { verifyBackup } from './verify.ts';
