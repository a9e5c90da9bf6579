/**
 * The data directory: made private, held by one process at a time, home of the generated secrets and of `service.json`, by which
 * the command line finds the running service.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
// Not by the room's door, which loads the schemas of the API: every command reads this file.
import { sqliteCode } from './common/sqlite-code.ts';
import { StartError, startSentence } from './common/start-error.ts';

/** How a command reaches the running service; readable by the owner alone, because the token is in it. */
export interface ServiceFile {
  readonly pid: number;
  /** For example `http://127.0.0.1:8080`. */
  readonly address: string;
  /** The Unix socket for commands: relative to the data directory, or absolute where that can't hold one. */
  readonly socket: string;
  readonly token: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

export class DataDirInUse extends StartError {
  /** The process that holds the directory, if known. */
  readonly pid: number | null;
  constructor(dataDir: string, pid: number | null) {
    super(
      `The data directory ${dataDir} is in use by ${pid === null ? 'another Ghostlight process' : `the Ghostlight process ${pid}`}. Stop that one first, or give this one its own DATA_DIR.`,
    );
    this.name = 'DataDirInUse';
    this.pid = pid;
  }
}

export interface DataDir {
  readonly path: string;
  /** The generated secret of that name, made at first use; `fresh` tells whether this start made it. */
  secret(name: 'admin-token' | 'secret-key'): { value: string; fresh: boolean };
  /** Whether the secret was made already, and is still there. */
  hasSecret(name: 'admin-token' | 'secret-key'): boolean;
  /** Names this node to the others, the same after every restart on this directory. No secret. */
  nodeId(): string;
  /** Publishes the address and token for the command line. */
  announce(file: ServiceFile): void;
  /** Forgets the announcement and lets the directory go. */
  release(): void;
}

/**
 * Takes the directory for this process. The lock is SQLite's own file lock: the kernel drops it with the process, however that
 * ends, so there is no stale lock file to clean up and no pid that another program may have got since.
 * @throws StartError, DataDirInUse among them
 */
export function takeDataDir(path: string): DataDir {
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(path);
    chmodSync(path, 0o700);
    lock = takeLock(path);
    writePrivate(join(path, 'pid'), `${process.pid}\n`);
    return held(path, lock);
  } catch (error) {
    lock?.close();
    if (error instanceof StartError) throw error;
    const sentence = startSentence(error);
    if (sentence === null) throw error;
    throw new StartError(`DATA_DIR: ${sentence}`, { cause: error });
  }
}

/** Folder by folder: where one can't be made although its parent is there (/proc), Node's own recursion never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path)) return;
    if (code !== 'ENOENT') throw error;
    throw new StartError(`DATA_DIR: no folder can be made at ${path}. Set another one.`, { cause: error });
  }
}

const LOCK = 'lock';
const SQLITE_BUSY = 5;
const SQLITE_DAMAGED = new Set([11, 26]);

/** @throws DataDirInUse */
function takeLock(path: string): DatabaseSync {
  const file = join(path, LOCK);
  try {
    return lockFile(file);
  } catch (error) {
    const code = sqliteCode(error);
    if (code === SQLITE_BUSY) throw new DataDirInUse(path, readPid(path));
    // Nothing is kept in it, and a process that held it would have been busy. Cut, not removed: were another one faster, it is that one's file.
    if (!SQLITE_DAMAGED.has(code)) throw error;
    writeFileSync(file, '');
    try {
      return lockFile(file);
    } catch (again) {
      if (sqliteCode(again) === SQLITE_BUSY) throw new DataDirInUse(path, readPid(path));
      throw again;
    }
  }
}

function lockFile(file: string): DatabaseSync {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0;');
    lock.exec('BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER); COMMIT;');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function held(path: string, lock: DatabaseSync): DataDir {
  return {
    path,
    secret: (name) => readOrMakeSecret(join(path, name)),
    hasSecret: (name) => existsSync(join(path, name)),
    nodeId: () => readOrMakeSecret(join(path, 'node-id')).value,
    announce: (file) => writePrivate(join(path, 'service.json'), `${JSON.stringify(file, null, 2)}\n`),
    release: () => {
      rmSync(join(path, 'service.json'), { force: true });
      rmSync(join(path, 'pid'), { force: true });
      lock.close();
    },
  };
}

/** Whether a service has ever been opened on the directory. */
export const wasUsed = (path: string): boolean => existsSync(join(path, LOCK));

/**
 * What the running service announced, or null. The file outlives a killed process, and any program may listen at its address then: the
 * token goes to `socket` alone.
 */
export function readServiceFile(path: string): ServiceFile | null {
  try {
    const file = JSON.parse(readFileSync(join(path, 'service.json'), 'utf8')) as Partial<ServiceFile>;
    return typeof file.socket === 'string' && typeof file.token === 'string' ? (file as ServiceFile) : null;
  } catch {
    return null;
  }
}

function readPid(path: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(path, 'pid'), 'utf8'), 10) || null;
  } catch {
    return null;
  }
}

function readOrMakeSecret(file: string): { value: string; fresh: boolean } {
  if (existsSync(file)) return { value: readFileSync(file, 'utf8').trim(), fresh: false };
  const value = randomBytes(32).toString('base64url');
  writePrivate(file, `${value}\n`);
  return { value, fresh: true };
}

/** Whole or not at all: a reader never sees half a secret. */
function writePrivate(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600, flush: true });
  renameSync(temporary, file);
}
