/** What git knows of the directory: whether a crash could be undone, and which source was changed by hand. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface GitState {
  /** Where the directory lies in its repository, `packages/edge/`; empty at the top. */
  readonly prefix: string;
  /** Lines of `git status --porcelain`, this directory only. */
  readonly uncommitted: readonly string[];
  readonly tracked: ReadonlySet<string>;
  /** Path → the commit (`1a2b3c4 subject`) that changed it by hand. */
  readonly changedByHand: ReadonlyMap<string, string>;
}

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 32 * 1024 ** 2;
const MAX_COMMITS = 2_000;
const COMMIT = '\u0001';

/** @returns null where there is no git repository, or no git */
export async function readGitState(directory: string): Promise<GitState | null> {
  const git = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('git', ['-c', 'core.quotePath=false', ...words], {
      cwd: directory,
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  };
  let prefix: string;
  try {
    prefix = (await git('rev-parse', '--show-prefix')).trim();
  } catch {
    return null;
  }
  const status = await git('status', '--porcelain', '--', '.');
  const tracked = await git('ls-files', '-z');
  // A repository without a commit has no log; its files are all uncommitted, which ends the matter anyway.
  const log = await git(
    'log',
    `--max-count=${MAX_COMMITS}`,
    '--no-renames',
    '--relative',
    '--name-only',
    `--format=${COMMIT}%h %s`,
    '--',
    '.',
  ).catch(() => '');
  return {
    prefix,
    uncommitted: status.split('\n').filter((line) => line !== ''),
    tracked: new Set(tracked.split('\0').filter((path) => path !== '')),
    changedByHand: readHandChanges(log),
  };
}

/**
 * A repository of before 0.5.0 began as a copy of a release, and was upgraded by copying a later one over it, `package.json` included.
 * So the oldest commit and those that touch `package.json` are releases, and any other commit is somebody's own work.
 * @param log newest first; each commit a line `\u0001hash subject`, then its paths
 */
export function readHandChanges(log: string): ReadonlyMap<string, string> {
  const commits = log
    .split(COMMIT)
    .slice(1)
    .map((text) => {
      const [title = '', ...paths] = text.split('\n').filter((line) => line !== '');
      return { title, paths };
    });
  const changes = new Map<string, string>();
  const replaced = new Set<string>();
  for (const { title, paths } of commits.slice(0, -1)) {
    const release = paths.includes('package.json');
    for (const path of paths) {
      if (release) replaced.add(path);
      else if (!replaced.has(path) && !changes.has(path)) changes.set(path, title);
    }
  }
  return changes;
}
