/** `package.json`: from the collector's own, with its tools, to one that installs the collector. */
import { isObject } from '@ghostlight/core';
import { deadScripts } from './package-scripts.ts';
import { ALLOW_SCRIPTS, DEPENDENCIES, DEV_DEPENDENCIES, ENGINES, SCRIPTS } from './shape.ts';

export type PackageValues = Readonly<Record<string, unknown>>;

export interface MigratedPackage {
  readonly text: string;
  /** Scripts that would no longer run. */
  readonly droppedScripts: readonly string[];
  /** Our scripts, instead of some that would no longer run. */
  readonly replacedScripts: readonly string[];
  /** Packages that nothing installs any more. */
  readonly droppedPackages: readonly string[];
}

/** They described the collector's source, which is gone; `version` was the release that it came from. */
const REMOVED = new Set([
  'version',
  'main',
  'module',
  'types',
  'exports',
  'files',
  'sideEffects',
  'scripts',
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'overrides',
  'resolutions',
]);

/** @returns null when it is no JSON object */
export function readPackage(text: string): PackageValues | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(value) ? (value as PackageValues) : null;
  } catch {
    return null;
  }
}

/** @param text the old file; its indentation and line end are kept */
export function migratePackage(text: string, values: PackageValues): MigratedPackage {
  const scripts = stringsOf(values['scripts']);
  const dead = deadScripts(scripts);
  const living = Object.fromEntries(Object.entries(scripts).filter(([name]) => !dead.has(name)));
  const kept = Object.fromEntries(Object.entries(values).filter(([key]) => !REMOVED.has(key)));
  const migrated = {
    name: 'ghostlight-collector',
    ...kept,
    private: true,
    type: 'module',
    engines: { ...stringsOf(values['engines']), ...ENGINES },
    scripts: { ...SCRIPTS, ...living },
    dependencies: DEPENDENCIES,
    devDependencies: DEV_DEPENDENCIES,
    allowScripts: { ...(values['allowScripts'] as object | undefined), ...ALLOW_SCRIPTS },
  };
  const packages = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  const installed = new Set([...Object.keys(DEPENDENCIES), ...Object.keys(DEV_DEPENDENCIES)]);
  return {
    text: `${JSON.stringify(migrated, null, /\n([ \t]+)"/.exec(text)?.[1] ?? '  ')}\n`,
    droppedScripts: [...dead].filter((name) => !(name in SCRIPTS)),
    replacedScripts: [...dead].filter((name) => name in SCRIPTS),
    droppedPackages: packages
      .flatMap((key) => Object.keys(stringsOf(values[key])))
      .filter((name) => !installed.has(name)),
  };
}

export function stringsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
