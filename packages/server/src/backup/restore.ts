/**
 * Puts a backup into a data directory. Everything is unpacked beside what is there and checked first: the versions, the kinds of stores, the
 * passphrase, every checksum, the rows of every table. Then what was there moves into a folder of its own, and what was checked takes its place.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Log, size } from '../common/index.ts';
import { attachTables, openWarehouse } from '../warehouse/index.ts';
import { readArchive, syncFolder } from './archive.ts';
import type { BackupProgress } from './create.ts';
import {
  BackupError,
  checkKinds,
  checkVersions,
  type KnownVersions,
  type Manifest,
  type TargetKinds,
} from './manifest.ts';
import { RESTORE_MARK, STANDING } from './places.ts';
import { openSecrets, type Secrets, WrongPassphrase } from './secrets.ts';
import { checkSpools, checkState } from './staged.ts';

export interface RestoreTarget {
  /** Held by the caller: no service runs on it. */
  readonly dataDir: string;
  readonly kinds: TargetKinds;
  /** Names of the keys that the environment gives (`keyIdsOf`); empty: the key comes from the backup. */
  readonly keyIds: readonly string[];
  /** Whether the environment gives an admin token. */
  readonly hasAdminToken: boolean;
}

export interface RestoreRequest {
  readonly file: string;
  /** Null: none was given. */
  readonly passphrase: string | null;
  /** Secrets are left out, though they are in the backup. */
  readonly withoutSecrets: boolean;
  /** What is there moves aside. */
  readonly replace: boolean;
}

export interface RestoreReport {
  readonly manifest: Manifest;
  /** Where what was there is now; null: nothing was. */
  readonly moved_to: string | null;
  /** Whether a start still needs SECRET_KEY. */
  readonly needs_secret_key: boolean;
}

export interface RestoreDeps {
  readonly target: RestoreTarget;
  readonly known: KnownVersions;
  readonly log: Log;
  /** For the name of the folder of what was there. */
  readonly now: () => number;
}

const STAGING = 'restoring';
const SPARE_BYTES = 64 * 1024 * 1024;

/** @throws BackupError with a sentence. Nothing of the target was changed then, except where the last step was cut off; the next start reports that */
export async function restoreBackup(
  request: RestoreRequest,
  { target, known, log, now }: RestoreDeps,
  onProgress: (progress: BackupProgress) => void,
): Promise<RestoreReport> {
  const { dataDir } = target;
  const standing = (await readdir(dataDir)).filter((name) => STANDING.has(name));
  if (standing.length > 0 && !request.replace)
    throw new BackupError(
      `${dataDir} holds data already. Give --replace to move it aside (nothing is deleted), or set another DATA_DIR.`,
    );
  const staging = join(dataDir, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  try {
    let secrets: Secrets | null = null;
    onProgress({ step: 'reading the backup' });
    const manifest = await readArchive(request.file, {
      version: known.version,
      into: staging,
      onProgress: (bytes) => onProgress({ step: 'reading the backup', bytes }),
      async onManifest(found) {
        checkVersions(found, known);
        checkKinds(found, target.kinds);
        secrets = await secretsFor(found, request, target);
        await checkSpace(dataDir, found.bytes);
      },
    });
    onProgress({ step: 'checking the stores' });
    checkState(manifest, join(staging, 'state'));
    checkSpools(manifest, join(staging, 'spool'));
    await buildWarehouse(manifest, staging, log, onProgress);
    await layOut(manifest, staging, secrets, target);
    const moved = await takePlace(dataDir, staging, standing, now());
    const needsKey = target.keyIds.length === 0 && (secrets as Secrets | null)?.secret_key == null;
    return { manifest, moved_to: moved, needs_secret_key: needsKey };
  } catch (error) {
    if (!existsSync(join(dataDir, RESTORE_MARK))) await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** @throws BackupError when a key is missing, or another one than that of the backup */
async function secretsFor(
  { secrets, secret_key_id }: Manifest,
  { passphrase, withoutSecrets }: RestoreRequest,
  { keyIds }: RestoreTarget,
): Promise<Secrets | null> {
  if (keyIds.length > 0 && !keyIds.includes(secret_key_id))
    throw new BackupError(
      'SECRET_KEY is another one than that of the backup, whose credentials it could not decrypt. Set the one of then, or unset it to take the one in the backup.',
    );
  if (secrets === null || withoutSecrets) {
    if (keyIds.length === 0 && !withoutSecrets)
      throw new BackupError(
        'This backup was made without its secrets. Set SECRET_KEY to the key of then; or give --without-secrets, and put the file secret-key back before the start.',
      );
    return null;
  }
  if (passphrase === null)
    throw new BackupError(
      'The secrets of this backup are encrypted. Give the passphrase with --passphrase-file or BACKUP_PASSPHRASE; or give --without-secrets to leave them out.',
    );
  try {
    return await openSecrets(secrets, passphrase);
  } catch (error) {
    if (!(error instanceof WrongPassphrase)) throw error;
    throw new BackupError(error.message, { cause: error });
  }
}

async function checkSpace(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < bytes + SPARE_BYTES)
    throw new BackupError(
      `What is in the backup takes ${size(bytes)}, and ${size(free)} are free on the disk of ${dataDir}. Make room, or set another DATA_DIR.`,
    );
}

/** An engine of its own takes the parts, and says how many rows it has. @throws BackupError when they are others than in the manifest */
async function buildWarehouse(
  { warehouse: { kind, tables } }: Manifest,
  staging: string,
  log: Log,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  if (kind !== 'embedded') return;
  const from = join(staging, 'parts');
  if (existsSync(join(staging, 'warehouse'))) await rename(join(staging, 'warehouse'), from);
  const of = tables.reduce((sum, { parts }) => sum + parts.length, 0);
  let done = 0;
  const engine = await openWarehouse({
    ...{ url: null, dataDir: staging, retentionDays: 1, log, clock: Date.now },
  });
  try {
    const step = 'building the warehouse';
    const counted = await attachTables(engine, tables, from, () => onProgress({ step, bytes: ++done, of }));
    const wrong = tables.find(({ name, rows }) => (counted.get(name) ?? 0) !== rows);
    if (wrong !== undefined)
      throw new BackupError(
        `The table ${wrong.name} of the warehouse has ${counted.get(wrong.name) ?? 0} rows after it was restored, and had ${wrong.rows}. Use another backup; nothing was changed.`,
      );
  } finally {
    await engine.close();
  }
  await rm(from, { recursive: true, force: true });
}

/** From the folders of a backup to those of a data directory. */
async function layOut(
  { node_id }: Manifest,
  staging: string,
  secrets: Secrets | null,
  { keyIds, hasAdminToken }: RestoreTarget,
): Promise<void> {
  const state = join(staging, 'state');
  for (const name of await readdir(state).catch(() => []))
    await rename(join(state, name), join(staging, name));
  await rm(state, { recursive: true, force: true });
  const write = (name: string, text: string) =>
    writeFile(join(staging, name), `${text}\n`, { mode: 0o600, flush: true });
  await write('node-id', node_id);
  if (keyIds.length === 0 && secrets?.secret_key != null) await write('secret-key', secrets.secret_key);
  if (!hasAdminToken && secrets?.admin_token != null) await write('admin-token', secrets.admin_token);
}

/** A start refuses the directory until all of it has its place. @returns where the old files are */
async function takePlace(
  dataDir: string,
  staging: string,
  standing: readonly string[],
  now: number,
): Promise<string | null> {
  const mark = join(dataDir, RESTORE_MARK);
  await writeFile(mark, '', { mode: 0o600, flush: true });
  await syncFolder(dataDir);
  let aside: string | null = null;
  if (standing.length > 0) {
    aside = join(dataDir, `before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`);
    await mkdir(aside, { mode: 0o700 });
    for (const name of standing) await rename(join(dataDir, name), join(aside, name));
  }
  for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
  await rm(staging, { recursive: true, force: true });
  await syncFolder(dataDir);
  await rm(mark);
  await syncFolder(dataDir);
  return aside;
}
