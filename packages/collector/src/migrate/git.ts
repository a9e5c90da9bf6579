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
  /** A shallow clone: its history doesn't tell who changed what. */
  readonly shallow: boolean;
  /** Path → the commit that brought it as part of a release, so that changes made in that same commit can't be detected. */
  readonly unproven: ReadonlyMap<string, string>;
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
  // `-G` finds the commits whose own change touches the line: a bump of a dependency is no release.
  const releases = !hasCommits
    ? ''
    : await git(
        'log',
        `--max-count=${MAX_COMMITS}`,
        '--no-renames',
        '-G"version"',
        '--format=%h',
        '--',
        'package.json',
      );
  const shallow = (await git('rev-parse', '--is-shallow-repository')).trim() === 'true';
  const { byHand, unproven } = readHistory(log, new Set(releases.split('\n')));
  return {
    prefix,
    shallow,
    unproven,
    uncommitted: status.split('\n').filter((line) => line !== ''),
    tracked: new Set(tracked.split('\0').filter((path) => path !== '')),
    changedByHand: byHand,
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
 * A repository from before 0.5.0 began as a copy of a release, and was upgraded by copying a later one over it, with another version in
 * `package.json`. So the oldest commit and those that change the version are releases, and any other commit is the customer's own work.
 * What a person changed before such a commit was made, the history doesn't show: those files are `unproven`.
 * @param log newest first; each commit a line `\u0001hash subject`, then its paths
 * @param releases hashes of the commits that change the version
 */
export function readHistory(
  log: string,
  releases: ReadonlySet<string>,
): { byHand: ReadonlyMap<string, string>; unproven: ReadonlyMap<string, string> } {
  const commits = log
    .split(COMMIT)
    .slice(1)
    .map((text) => {
      const [title = '', ...paths] = text.split('\n').filter((line) => line !== '');
      return { title, paths };
    });
  const byHand = new Map<string, string>();
  const unproven = new Map<string, string>();
  for (const [index, { title, paths }] of commits.entries()) {
    const release = index === commits.length - 1 || releases.has(title.split(' ', 1)[0] ?? '');
    for (const path of paths) {
      if (unproven.has(path)) continue;
      if (release) unproven.set(path, title);
      else if (!byHand.has(path)) byHand.set(path, title);
    }
  }
  return { byHand, unproven };
}
