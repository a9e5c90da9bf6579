/** How far each file was read, on disk. A file is written beside the old one and takes its place: a crash leaves one of both. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Fault, messageOf } from './faults.ts';
import type { LineCounts } from './line-ids.ts';
import type { OpenCounts } from './others.ts';

/** What a file is, whatever its name: how it begins. */
export interface Fingerprint {
  /** How many bytes are known. */
  readonly length: number;
  readonly digest: string;
}

export interface Position {
  readonly path: string;
  readonly inode: number;
  readonly fingerprint: Fingerprint;
  /** Bytes that were read, of what is compressed: after decompression. */
  readonly offset: number;
  /** W3C: the columns of the lines from here on. */
  readonly columns: readonly string[] | null;
  /** Nothing more will be written to it. */
  readonly done?: boolean;
}

export interface Progress {
  readonly positions: readonly Position[];
  readonly counts: LineCounts;
  /** Numbers of times that are not over yet, of the lines before the positions. */
  readonly open?: OpenCounts;
}

export interface State extends Progress {
  readonly version: 1;
  /** What was being sent: it is sent again as it was, so that the service knows it. */
  readonly pending: { readonly body: string; readonly visits: number; readonly then: Progress } | null;
}

export const EMPTY_STATE: State = { version: 1, positions: [], counts: [], pending: null };

export class StateFile {
  readonly path: string;
  readonly #lock: string;

  constructor(path: string) {
    this.path = path;
    this.#lock = `${path}.lock`;
  }

  /** @throws Fault where another process uses it, or it can't be read */
  open(): State {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new Fault(`The position can't be kept: ${messageOf(error)}. Choose another place: --state FILE`);
    }
    this.#takeLock();
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY_STATE;
      throw new Fault(`The position can't be read: ${messageOf(error)}`);
    }
    try {
      const state = JSON.parse(text) as State;
      if (state.version === 1 && Array.isArray(state.positions)) return state;
    } catch {
      // The fault follows.
    }
    throw new Fault(`${this.path} holds no position of this version. Remove it to start over.`);
  }

  /** Durable when it returns. @throws Fault */
  save(state: State): void {
    const beside = `${this.path}.new`;
    try {
      const file = openSync(beside, 'w', 0o600);
      writeFileSync(file, JSON.stringify(state));
      fsyncSync(file);
      closeSync(file);
      renameSync(beside, this.path);
      const folder = openSync(dirname(this.path), 'r');
      fsyncSync(folder);
      closeSync(folder);
    } catch (error) {
      throw new Fault(`The position can't be kept: ${messageOf(error)}`);
    }
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  close(): void {
    rmSync(this.#lock, { force: true });
  }

  #takeLock(): void {
    for (let turn = 0; turn < 2; turn += 1) {
      try {
        writeFileSync(this.#lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
          throw new Fault(
            `The position can't be kept: ${messageOf(error)}. Choose another place: --state FILE`,
          );
        const owner = Number(readFileSync(this.#lock, 'utf8').trim());
        if (owner !== process.pid && isRunning(owner))
          throw new Fault(
            `Process ${owner} follows the same files already (${this.path}). End it, or name another position: --state FILE`,
          );
        rmSync(this.#lock, { force: true });
      }
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Where the position is kept unless stated: what systemd gives (`StateDirectory=`), else the user's own folder. Other files, service or
 * property have another position.
 */
export function defaultStatePath(
  command: string,
  about: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  const name = createHash('sha256').update(about.join('\n')).digest('hex').slice(0, 16);
  const [systemd] = (env['STATE_DIRECTORY'] ?? '').split(':');
  const folder =
    systemd !== undefined && systemd !== ''
      ? systemd
      : join(env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'ghostlight-tail');
  return resolve(folder, `${command}-${name}.json`);
}
