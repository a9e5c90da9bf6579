/** Reads a backup as a restore would, and writes nothing. */
import { readArchive } from './archive.ts';
import type { BackupProgress } from './create.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { openSecrets, WrongPassphrase } from './secrets.ts';

/**
 * @param passphrase null: the secrets are not tried
 * @throws BackupError that says what is wrong with the backup
 */
export async function verifyBackup(
  file: string,
  passphrase: string | null,
  version: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<Manifest> {
  return await readArchive(file, {
    version,
    into: null,
    onProgress: (bytes) => onProgress({ step: 'reading the backup', bytes }),
    async onManifest({ secrets }) {
      if (secrets === null || passphrase === null) return;
      await openSecrets(secrets, passphrase).catch((error: unknown) => {
        throw error instanceof WrongPassphrase ? new BackupError(error.message, { cause: error }) : error;
      });
    },
  });
}
