/**
 * A child that does not notice when this process is killed is ended by a shell that does: the shell waits for its input to end, which it does
 * with us, however we go. Where there is no POSIX shell the child is left behind, as it would be without.
 */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

export interface Reaper {
  /** To be called before the child ends normally: its number may belong to another process later. */
  release(): void;
}

/** Only a process with the same name is ended, in case the number was reused nevertheless. */
const WAIT_AND_END = 'read -r _; case $(ps -p "$1" -o comm=) in *"$2") kill -9 "$1";; esac';
const LOOK_MS = 5_000;

/** @param name of the program, as `ps` tells it */
export function reaper(pid: number, name: string): Reaper {
  const shell = spawn('/bin/sh', ['-c', WAIT_AND_END, 'sh', String(pid), name], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own: a Ctrl+C is for us alone.
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return { release: () => void shell.kill('SIGKILL') };
}

/** Children of this process by the name of their program; empty where `ps` does not tell. */
export async function childrenNamed(name: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,comm='], {
    timeout: LOOK_MS,
  }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, program = ''] = line.trim().split(/\s+/);
    return Number(parent) === process.pid && program.endsWith(name) ? [Number(pid)] : [];
  });
}
