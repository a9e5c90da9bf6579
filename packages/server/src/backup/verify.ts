/** Reads a backup as a restore would, opens the stores in it that are files, and leaves nothing behind. */
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { size } from '../common/index.ts';
import { readArchive } from './archive.ts';
import type { BackupProgress } from './create.ts';
import { FOLDERS } from './hold.ts';
import { BackupError, type Manifest } from './manifest.ts';
import { openSecrets, WrongPassphrase } from './secrets.ts';
import { checkSpools, checkState } from './staged.ts';

/**
 * @param passphrase null: the secrets are not tried
 * @throws BackupError that says what is wrong with the backup, or where it needs room
 */
export async function verifyBackup(
  file: string,
  passphrase: string | null,
  version: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<Manifest> {
  let folder: string | null = null;
  let opened: readonly string[] = [];
  try {
    const manifest = await readArchive(file, {
      version,
      into: (name) => (opened.some((store) => name.startsWith(`${store}/`)) ? folder : null),
      onProgress: (bytes) => onProgress({ step: 'reading the backup', bytes }),
      async onManifest(found) {
        if (found.secrets !== null && passphrase !== null) await trySecrets(found.secrets, passphrase);
        opened = [
          ...(found.state.kind === 'file' ? [FOLDERS.state] : []),
          ...(found.spools.kind === 'file' ? [FOLDERS.spool] : []),
        ];
        if (opened.length > 0) folder = await roomFor(found.bytes, [tmpdir(), dirname(resolve(file))]);
      },
    });
    if (folder !== null) {
      onProgress({ step: 'checking the stores' });
      checkState(manifest, join(folder, FOLDERS.state));
      checkSpools(manifest, join(folder, FOLDERS.spool));
    }
    return manifest;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(folder, error) : error;
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

async function trySecrets(secrets: NonNullable<Manifest['secrets']>, passphrase: string): Promise<void> {
  await openSecrets(secrets, passphrase).catch((error: unknown) => {
    throw error instanceof WrongPassphrase ? new BackupError(error.message, { cause: error }) : error;
  });
}

/** @returns a new folder in the first place that has room for all of it, else in that with the most */
async function roomFor(bytes: number, places: readonly string[]): Promise<string> {
  const free = await Promise.all(
    places.map(async (place) => {
      const { bavail, bsize } = await statfs(place).catch(() => ({ bavail: 0, bsize: 0 }));
      return { place, free: bavail * bsize };
    }),
  );
  const byRoom = free.toSorted((a, b) => Math.min(b.free, bytes) - Math.min(a.free, bytes));
  for (const { place } of byRoom) {
    const made = await mkdtemp(join(place, 'ghostlight-verify-')).catch(() => null);
    if (made !== null) return made;
  }
  throw new BackupError(
    `The state database and the spool of the backup are unpacked to be opened, and neither ${places.join(' nor ')} can be written to. Set TMPDIR to a folder with ${size(bytes)} of room.`,
  );
}

function noRoom(folder: string | null, cause: unknown): BackupError {
  return new BackupError(
    `The state database and the spool of the backup are unpacked to be opened, and the disk of ${folder === null ? tmpdir() : dirname(folder)} has no room left for them. Set TMPDIR to a folder on another disk.`,
    { cause },
  );
}
