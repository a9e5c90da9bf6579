/** What the command line does with the file of a backup, beside any service: restores it into DATA_DIR, or checks it. */
import packageJson from '../package.json' with { type: 'json' };
import {
  type BackupProgress,
  type Manifest,
  type RestoreReport,
  type RestoreRequest,
  restoreBackup,
  verifyBackup,
} from './backup/index.ts';
import { kindsOf, knownVersions } from './composition/backups.ts';
import type { Config } from './config.ts';
import { takeDataDir } from './data-dir.ts';
import { keyIdsOf } from './database/index.ts';
import { createLogger } from './logger.ts';

type OnProgress = (progress: BackupProgress) => void;

/** @throws DataDirInUse while a service runs on it; BackupError with a sentence */
export async function restore(
  config: Config,
  request: RestoreRequest,
  onProgress: OnProgress,
): Promise<RestoreReport> {
  const dataDir = takeDataDir(config.dataDir);
  try {
    const target = {
      dataDir: config.dataDir,
      kinds: kindsOf(config),
      urls: { state: config.databaseUrl, spool: config.spoolDatabaseUrl, warehouse: config.clickhouseUrl },
      cluster: config.clickhouseCluster,
      keyIds: config.secretKey === null ? [] : keyIdsOf(config.secretKey, config.secretKeyPrevious),
      hasAdminToken: config.adminToken !== null,
    };
    const log = createLogger(config.logLevel).child({ room: 'backup' });
    const known = knownVersions(packageJson.version);
    return await restoreBackup(request, { target, known, log, now: Date.now }, onProgress);
  } finally {
    dataDir.release();
  }
}

/** @param passphrase null: the secrets are not tried. @throws BackupError with a sentence */
export async function verify(
  file: string,
  passphrase: string | null,
  onProgress: OnProgress,
): Promise<Manifest> {
  return await verifyBackup(file, passphrase, packageJson.version, onProgress);
}
