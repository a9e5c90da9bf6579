/** Lockfiles of the old repository: all go, since the dependencies do; a broken one is named, since its owner has met it. */
import { isDeepStrictEqual } from 'node:util';
import { type Repository, textOf } from './repository.ts';

/** Lockfile → the program that writes it. */
export const MANAGERS: ReadonlyMap<string, string> = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]);

export interface Lockfile {
  readonly path: string;
  /** The program that wrote it. */
  readonly manager: string;
  /** Why it can't be installed from; null when it can, as far as the file tells. */
  readonly brokenBecause: string | null;
}

export function findLockfiles(
  repository: Repository,
  manifest: Readonly<Record<string, unknown>>,
): readonly Lockfile[] {
  return [...MANAGERS]
    .filter(([path]) => repository.has(path))
    .map(([path, manager]) => ({
      path,
      manager,
      brokenBecause: manager === 'npm' ? brokenBecause(textOf(repository, path), manifest) : null,
    }));
}

interface NpmLock {
  readonly version?: string;
  readonly lockfileVersion?: number;
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const FIRST_SOUND_VERSION = '0.3.1';

function brokenBecause(text: string | null, manifest: Readonly<Record<string, unknown>>): string | null {
  const lock = text === null ? null : readLock(text);
  if (lock === null) return 'it is no JSON';
  if (isBefore(lock.version ?? null, FIRST_SOUND_VERSION)) {
    return `it is of release ${lock.version}, and those before ${FIRST_SOUND_VERSION} carried one that fails to install`;
  }
  // Version 1 has no `packages`; npm rebuilds it from the registry.
  if (lock.lockfileVersion === 1) return null;
  const root = lock.packages?.[''];
  if (root === undefined) return 'it has no entry for the repository itself';
  for (const kind of ['dependencies', 'devDependencies'] as const) {
    if (!isDeepStrictEqual({ ...root[kind] }, { ...(manifest[kind] as object | undefined) })) {
      return `its ${kind} are others than those of package.json`;
    }
  }
  for (const [path, entry] of Object.entries(lock.packages ?? {})) {
    if (!path.includes('node_modules/') || entry.link === true) continue;
    if (entry.version === undefined) return `${path} has no version in it`;
    const fromRegistry = /^https?:.*\.tgz$/.test(entry.resolved ?? '');
    if (entry.integrity === undefined && fromRegistry) return `${path} has no checksum in it`;
  }
  return null;
}

function readLock(text: string): NpmLock | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null ? (value as NpmLock) : null;
  } catch {
    return null;
  }
}

/** The numbers of a version as text (`0.4.2`, `v0.4.2-beta.1`); null when it is none. A pre-release counts as its release. */
export function readVersion(text: unknown): readonly [number, number, number] | null {
  const match = typeof text === 'string' ? /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+]|$)/.exec(text) : null;
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** False where either is no version. */
export function isBefore(version: string | null, other: string): boolean {
  const left = readVersion(version);
  const right = readVersion(other);
  if (left === null || right === null) return false;
  for (const [index, number] of left.entries()) {
    const against = right[index] ?? 0;
    if (number !== against) return number < against;
  }
  return false;
}
