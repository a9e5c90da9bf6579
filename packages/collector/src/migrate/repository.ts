/** A customer's repository as the planner sees it: paths and texts, read once. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RepositoryEntry {
  readonly kind: 'file' | 'symlink';
  /** Null where it wasn't read: no text by its name, too large, or a symbolic link. */
  readonly text: string | null;
}

/** Path below the directory, with slashes → what is there. */
export type Repository = ReadonlyMap<string, RepositoryEntry>;

export class RepositoryTooLarge extends Error {}

/** Nothing of a collector's repository lives in these, and `node_modules` alone may hold 100,000 files. */
const SKIPPED = new Set(['.git', 'node_modules', '.wrangler', 'dist', '.turbo', 'coverage']);
/** A collector's repository has some dozens; more is another kind of directory, a home for example. */
const MAX_ENTRIES = 5_000;
const MAX_TEXT_BYTES = 1024 ** 2;
const MAX_LOCKFILE_BYTES = 20 * 1024 ** 2;
const READ = /\.(?:[cm]?[jt]s|jsonc?|toml|ya?ml)$/;

/**
 * Symbolic links are listed, never followed. Files that may hold secrets (`.dev.vars`, `.env`) are listed, never read.
 * @throws RepositoryTooLarge beyond 5,000 entries
 */
export async function readRepository(directory: string): Promise<Repository> {
  const entries = new Map<string, RepositoryEntry>();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of await readdir(join(directory, folder), { withFileTypes: true })) {
      const path = `${folder}${item.name}`;
      if (item.isDirectory()) {
        if (!SKIPPED.has(item.name)) folders.push(`${path}/`);
      } else if (item.isSymbolicLink()) entries.set(path, { kind: 'symlink', text: null });
      else if (item.isFile()) entries.set(path, { kind: 'file', text: await readText(directory, path) });
      if (entries.size + folders.length > MAX_ENTRIES) {
        throw new RepositoryTooLarge(
          `${directory} holds more than ${MAX_ENTRIES} files: name the collector's own directory.`,
        );
      }
    }
  }
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function readText(directory: string, path: string): Promise<string | null> {
  if (!READ.test(path)) return null;
  const limit = /(?:^|\/)[^/]*(?:lock|shrinkwrap)[^/]*$/.test(path) ? MAX_LOCKFILE_BYTES : MAX_TEXT_BYTES;
  const file = join(directory, path);
  return (await lstat(file)).size > limit ? null : await readFile(file, 'utf8');
}

/** The text of a regular file; null when it is missing, a link, or wasn't read. */
export function textOf(repository: Repository, path: string): string | null {
  return repository.get(path)?.text ?? null;
}
