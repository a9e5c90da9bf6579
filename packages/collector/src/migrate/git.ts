/** What git knows of the directory: whether a crash could be undone, and which source was changed by hand. */
import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

/** There is a repository, and git would not tell about it. */
export class GitFailed extends Error {}

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 32 * 1024 ** 2;
const MAX_COMMITS = 2_000;
const COMMIT = '\u0001';

/**
 * @returns null where there is no git repository
 * @throws GitFailed where there is one that can't be read: git is missing, or the directory is another user's
 */
export async function readGitState(directory: string): Promise<GitState | null> {
  if (!(await isInRepository(directory))) return null;
  const git = (...words: string[]) => runGit(directory, words);
  const prefix = (await git('rev-parse', '--show-prefix')).trim();
  const status = await git('status', '--porcelain', '--', '.');
  const tracked = await git('ls-files', '-z');
  const hasCommits = (await git('rev-list', '--all', '--max-count=1')) !== '';
  const log = !hasCommits
    ? ''
    : await git(
        'log',
        `--max-count=${MAX_COMMITS}`,
        '--no-renames',
        '--relative',
        '--name-only',
        `--format=${COMMIT}%h %s`,
        '--',
        '.',
      );
  return {
    prefix,
    uncommitted: status.split('\n').filter((line) => line !== ''),
    tracked: new Set(tracked.split('\0').filter((path) => path !== '')),
    changedByHand: readHandChanges(log),
  };
}

/** Looked up in the file system: git's own "not a git repository" is a sentence in the person's language. */
async function isInRepository(directory: string): Promise<boolean> {
  for (let at = directory; ; at = dirname(at)) {
    if ((await lstat(join(at, '.git')).catch(() => null)) !== null) return true;
    if (dirname(at) === at) return false;
  }
}

async function runGit(directory: string, words: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-c', 'core.quotePath=false', ...words], {
      cwd: directory,
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new GitFailed(`git ${words[0]} failed: ${stderr?.trim().split('\n')[0] || message.split('\n')[0]}`);
  }
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
