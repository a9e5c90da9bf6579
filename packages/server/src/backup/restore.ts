/**
 * Puts a backup where the settings say. Everything is unpacked beside what is there and checked first: the versions, the kinds of stores, the
 * passphrase, every checksum, the rows of every table. Then what was there moves aside, and what was checked takes its place.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Log, size } from '../common/index.ts';
import { type Carried, type CarriedCounts, carryInCopy } from '../database/index.ts';
import { readArchive, syncBelow, syncFolder } from './archive.ts';
import type { BackupProgress } from './create.ts';
import { FOLDERS } from './hold.ts';
import { BackupError, checkKinds, checkVersions, type KnownVersions, type Manifest } from './manifest.ts';
import { RESTORE_MARK, STANDING } from './places.ts';
import { openSecrets, type Secrets, WrongPassphrase } from './secrets.ts';
import { checkSpools, checkState } from './staged.ts';
import { checkTables, type LoadedTables, loadStaged } from './tables.ts';
import type { RestoreTarget } from './target.ts';
import { attachStaged, checkServer, restoreOnServer } from './warehouse-back.ts';

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
  /** Where what was there is now: a folder, schemas, tables; null: nothing was. */
  readonly moved_to: string | null;
  /** What was made since the backup and is kept. Null: no state database was there, or none that could be compared; then it is all undone. */
  readonly kept: CarriedCounts | null;
  /** Tables of which nothing could be kept, since the backup is of a version without them. */
  readonly not_kept: readonly string[];
  /** Whether a start still needs SECRET_KEY. */
  readonly needs_secret_key: boolean;
}

export interface RestoreDeps {
  readonly target: RestoreTarget;
  readonly known: KnownVersions;
  readonly log: Log;
  /** For the names of what was there. */
  readonly now: () => number;
}

const STAGING = 'restoring';
const ASIDE = 'before-restore-';
const STATE = 'state.sqlite';
const SPARE_BYTES = 64 * 1024 * 1024;

/**
 * @throws BackupError with a sentence. Nothing of the target was changed then, except where the last step was cut off; the next start reports
 * that
 */
export async function restoreBackup(
  request: RestoreRequest,
  { target, known, log, now }: RestoreDeps,
  onProgress: (progress: BackupProgress) => void,
): Promise<RestoreReport> {
  const { dataDir } = target;
  const at = now();
  const aside = `${ASIDE}${new Date(at).toISOString().slice(0, -1).replaceAll(/[:.T]/g, '-')}`;
  if ((await standingIn(dataDir)).length > 0 && !request.replace)
    throw new BackupError(
      `${dataDir} holds data already. Give --replace to move it aside (nothing is deleted), or set another DATA_DIR.`,
    );
  const staging = join(dataDir, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  let tables: LoadedTables | null = null;
  try {
    let secrets: Secrets | null = null;
    onProgress({ step: 'reading the backup' });
    const manifest = await readArchive(request.file, {
      version: known.version,
      into: () => staging,
      onProgress: (bytes) => onProgress({ step: 'reading the backup', bytes }),
      async onManifest(found) {
        checkVersions(found, known);
        checkKinds(found, target.kinds);
        secrets = await secretsFor(found, request, target);
        await checkSpace(dataDir, found.bytes);
        await checkTables(target.urls, request.replace);
        await checkServer(found, target, request.replace, log);
      },
    });
    await syncBelow(staging);
    onProgress({ step: 'checking the stores' });
    checkState(manifest, join(staging, 'state'));
    checkSpools(manifest, join(staging, 'spool'));
    tables = await loadStaged(manifest, staging, target.urls, { aside, at }, onProgress);
    const carried = manifest.state.kind === 'file' ? await carryFile(dataDir, staging, at) : tables.carried;
    if (carried instanceof Error)
      log.warn({ err: carried }, 'the state database that was there could not be compared with the backup');
    await attachStaged(manifest, staging, log, onProgress);
    await layOut(manifest, staging, secrets, target);
    const onServer = await restoreOnServer(manifest, target, aside, log, onProgress);
    const moved = await takePlace(dataDir, staging, aside, tables);
    const needsKey = target.keyIds.length === 0 && (secrets as Secrets | null)?.secret_key == null;
    const places = [moved, tables.movedTo, onServer].filter((place) => place !== null);
    return {
      manifest,
      moved_to: places.length === 0 ? null : places.join(', '),
      ...keptOf(carried),
      needs_secret_key: needsKey,
    };
  } catch (error) {
    if (!existsSync(join(dataDir, RESTORE_MARK))) await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await tables?.release();
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
      'SECRET_KEY differs from the backup’s key, so its credentials could not be decrypted. Set the key that was in use then, or unset SECRET_KEY to use the one in the backup.',
    );
  if (secrets === null || withoutSecrets) {
    if (keyIds.length === 0 && !withoutSecrets)
      throw new BackupError(
        'This backup was made without its secrets. Set SECRET_KEY to the key that was in use when it was made; or give --without-secrets, and put the file secret-key back before the start.',
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

const standingIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => STANDING.has(name));

/** Into the unpacked state database, from the one that is there. @returns null: none is; an error: it can't be compared */
async function carryFile(dataDir: string, staging: string, at: number): Promise<Carried | Error | null> {
  const old = await oldState(dataDir);
  if (old === null) return null;
  return await carryInCopy(join(staging, FOLDERS.state, STATE), old, at).catch((error: Error) => error);
}

/** A restore that was cut off may have moved it aside already. */
async function oldState(dataDir: string): Promise<string | null> {
  const folders = [''];
  if (existsSync(join(dataDir, RESTORE_MARK)))
    folders.push(
      ...(await readdir(dataDir))
        .filter((name) => name.startsWith(ASIDE))
        .sort()
        .reverse(),
    );
  return folders.map((folder) => join(dataDir, folder, STATE)).find((path) => existsSync(path)) ?? null;
}

function keptOf(carried: Carried | Error | null): Pick<RestoreReport, 'kept' | 'not_kept'> {
  if (carried === null || carried instanceof Error) return { kept: null, not_kept: [] };
  return { kept: carried.counts, not_kept: carried.missing };
}

/** From the folders of a backup to those of a data directory. */
async function layOut(
  { node_id, spools }: Manifest,
  staging: string,
  secrets: Secrets | null,
  { keyIds, hasAdminToken }: RestoreTarget,
): Promise<void> {
  const state = join(staging, 'state');
  for (const name of await readdir(state).catch(() => [])) {
    if (name === STATE) await rename(join(state, name), join(staging, name));
  }
  await rm(state, { recursive: true, force: true });
  if (spools.kind !== 'file') await rm(join(staging, 'spool'), { recursive: true, force: true });
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
  folder: string,
  tables: LoadedTables,
): Promise<string | null> {
  const mark = join(dataDir, RESTORE_MARK);
  await writeFile(mark, '', { mode: 0o600, flush: true });
  await syncFolder(dataDir);
  await tables.commit();
  const standing = await standingIn(dataDir);
  let aside: string | null = null;
  if (standing.length > 0) {
    aside = join(dataDir, folder);
    await mkdir(aside, { mode: 0o700, recursive: true });
    for (const name of standing) await rename(join(dataDir, name), join(aside, name));
  }
  for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
  await rm(staging, { recursive: true, force: true });
  await syncFolder(dataDir);
  await rm(mark);
  await syncFolder(dataDir);
  return aside;
}
