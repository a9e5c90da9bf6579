/** The package manager, as the repository itself or the monorepo around it shows. */
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MANAGERS } from './lockfile.ts';
import { readPackage } from './package-file.ts';
import { type Repository, textOf } from './repository.ts';

const KNOWN = new Set(MANAGERS.values());
const MAX_MANIFEST_BYTES = 1024 ** 2;

/** The nearest lockfile or `packageManager`, up to the top of the git repository; npm where there is none. */
export async function packageManager(directory: string, repository: Repository): Promise<string> {
  const own =
    named(textOf(repository, 'package.json')) ?? [...MANAGERS].find(([file]) => repository.has(file))?.[1];
  if (own !== undefined) return own;
  for (let at = directory; !(await exists(join(at, '.git'))) && dirname(at) !== at; ) {
    at = dirname(at);
    const found = named(await manifestIn(at)) ?? (await lockedBy(at));
    if (found !== undefined) return found;
  }
  return 'npm';
}

function named(manifest: string | null): string | undefined {
  const value = manifest === null ? undefined : readPackage(manifest)?.['packageManager'];
  const name = typeof value === 'string' ? value.split('@', 1)[0] : undefined;
  return name !== undefined && KNOWN.has(name) ? name : undefined;
}

async function lockedBy(directory: string): Promise<string | undefined> {
  for (const [file, manager] of MANAGERS) if (await exists(join(directory, file))) return manager;
  return undefined;
}

async function manifestIn(directory: string): Promise<string | null> {
  const file = join(directory, 'package.json');
  const size = (await lstat(file).catch(() => null))?.size ?? Number.POSITIVE_INFINITY;
  return size > MAX_MANIFEST_BYTES ? null : await readFile(file, 'utf8').catch(() => null);
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) !== null;
