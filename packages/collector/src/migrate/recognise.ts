/** The kind of this repository, recognised by its files and its history alone. */
import { posix } from 'node:path';
import type { GitState } from './git.ts';
import { foreignBecause, importsOf, isTest } from './known-source.ts';
import { findLockfiles, isBefore, type Lockfile } from './lockfile.ts';
import { type PackageValues, readPackage, stringsOf } from './package-file.ts';
import { type Repository, textOf } from './repository.ts';
import { COLLECTOR_PACKAGE } from './shape.ts';
import { findWranglerFile, type WranglerFile, WranglerFileError } from './wrangler-file.ts';

export interface OldCollector {
  readonly state: 'old';
  /** "0.3.x (0.3.4)" and the like. */
  readonly generation: string;
  readonly wrangler: WranglerFile;
  readonly packageText: string;
  readonly packageValues: PackageValues;
  /** Where `main` points: inside the directory, with slashes. Null when that file isn't here, or is built. */
  readonly entry: string | null;
  readonly lockfiles: readonly Lockfile[];
  /** Sentences, each beginning with the path that it is about: what a migration would lose. */
  readonly handMade: readonly string[];
  /** Sentences: source of which nothing tells whether it was changed by hand. */
  readonly unproven: readonly string[];
}
export type Recognition =
  | OldCollector
  | { readonly state: 'migrated'; readonly entry: string; readonly pinned: string }
  | { readonly state: 'refused'; readonly because: string };

const VARIABLE = /\bSERVICE_(?:INGEST_URL|ATTRIBUTION_ID|BOTLIST_URL|API_KEY)\b/;

/** @param release the source of the release that the repository was made from; null: its history alone tells what was changed by hand */
export function recognise(
  repository: Repository,
  git: GitState | null,
  release: Repository | null = null,
): Recognition {
  let wrangler: WranglerFile | null;
  try {
    wrangler = findWranglerFile(repository);
  } catch (error) {
    if (!(error instanceof WranglerFileError)) throw error;
    return { state: 'refused', because: error.message };
  }
  if (wrangler === null) {
    const because =
      'There is no wrangler.jsonc, wrangler.json or wrangler.toml here. A collector that was pasted into the';
    return {
      state: 'refused',
      because: `${because} dashboard is upgraded by pasting the latest bundled file over it.`,
    };
  }
  const packageText = textOf(repository, 'package.json');
  const packageValues = packageText === null ? null : readPackage(packageText);
  if (packageText === null || packageValues === null) {
    return { state: 'refused', because: 'There is no package.json here that could be read.' };
  }
  const main = wrangler.values['main'];
  const named = posix.normalize(typeof main === 'string' ? main : 'src/index.ts');
  if (posix.isAbsolute(named) || named === '..' || named.startsWith('../')) {
    return {
      state: 'refused',
      because: `${wrangler.path}: main points outside of this directory (${named}).`,
    };
  }
  const entry = repository.has(named) && !('build' in wrangler.values) ? named : null;
  const pinned = stringsOf(packageValues['dependencies'])[COLLECTOR_PACKAGE];
  const entryText = entry === null ? null : textOf(repository, entry);
  if (entry !== null && importsOf(entryText ?? '').includes(COLLECTOR_PACKAGE)) {
    if (pinned !== undefined) return { state: 'migrated', entry, pinned };
    const because = `${entry} uses ${COLLECTOR_PACKAGE}, and package.json doesn't install it: npm install --save-exact ${COLLECTOR_PACKAGE}`;
    return { state: 'refused', because };
  }
  const sources = sourcesOf(repository, entry);
  if (
    !VARIABLE.test(wrangler.text) &&
    !sources.some((path) => VARIABLE.test(textOf(repository, path) ?? ''))
  ) {
    const because = `This is not a collector: neither ${wrangler.path} nor the source names its variables (SERVICE_INGEST_URL and so on).`;
    return { state: 'refused', because };
  }
  return {
    state: 'old',
    generation: generationOf(repository, sources, packageValues),
    wrangler,
    packageText,
    packageValues,
    entry,
    lockfiles: findLockfiles(repository, packageValues),
    handMade: [
      ...sources.flatMap((path) => handMade(path, repository, git, release)),
      ...boundElsewhere(wrangler),
    ],
    unproven: release === null ? unproven(sources, git) : [],
  };
}

/** The files that a migration replaces or removes as source: `src/`, the entry, and what they import by relative paths. */
export function sourcesOf(repository: Repository, entry: string | null): string[] {
  const sources = new Set(
    [...repository.keys()].filter((path) => path === entry || (path.startsWith('src/') && !isTest(path))),
  );
  // A set hands out what is added to it on the way, too.
  for (const path of sources) {
    for (const name of importsOf(textOf(repository, path) ?? '')) {
      const found = name.startsWith('.') ? resolve(repository, path, name) : undefined;
      if (found !== undefined && !isTest(found)) sources.add(found);
    }
  }
  return [...repository.keys()].filter((path) => sources.has(path));
}

/** As bundlers look for it: the file itself, with an extension, the source of a `.js` that is named, or a folder's index. */
function resolve(repository: Repository, from: string, name: string): string | undefined {
  const path = posix.normalize(posix.join(posix.dirname(from), name));
  const bare = path.replace(/\.[cm]?js$/, '');
  const candidates = [
    path,
    ...[path, bare, `${path}/index`].flatMap((stem) => EXTENSIONS.map((end) => stem + end)),
  ];
  return candidates.find((candidate) => repository.get(candidate)?.kind === 'file' && CODE.test(candidate));
}

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.json'];
const CODE = /^(?!package(?:-lock)?\.json$|wrangler\.json$|tsconfig).*\.(?:[cm]?[jt]s|json)$/;

/** Named by the commit, with the number of its files. */
function unproven(sources: readonly string[], git: GitState | null): string[] {
  const byCommit = new Map<string, number>();
  for (const path of sources) {
    const commit = git?.unproven.get(path);
    if (commit !== undefined && !git?.changedByHand.has(path))
      byCommit.set(commit, (byCommit.get(commit) ?? 0) + 1);
  }
  return [...byCommit].map(
    ([commit, files]) => `${files} source ${files === 1 ? 'file' : 'files'} as of commit ${commit}`,
  );
}

function handMade(
  path: string,
  repository: Repository,
  git: GitState | null,
  release: Repository | null,
): string[] {
  if (release !== null) {
    const theirs = textOf(release, path);
    const ours = textOf(repository, path);
    if (ours !== null && theirs !== null && plain(ours) === plain(theirs)) return [];
    return [`${path} ${theirs === null ? 'is not in the release' : 'differs from the release'}`];
  }
  const foreign = foreignBecause(path, repository);
  if (foreign !== null) return [`${path} ${foreign}`];
  const commit = git?.changedByHand.get(path);
  return commit === undefined ? [] : [`${path} was changed by commit ${commit}`];
}

/** Git and editors change line ends and the mark before the text. */
const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');

/** A deploy fails when a bound class is no longer exported by the entry, or when an environment's own entry is gone. */
function boundElsewhere({ path, values }: WranglerFile): string[] {
  const bound = ({ section, name }: { section: unknown; name: string }, keys: readonly string[]) =>
    typeof section !== 'object' || section === null
      ? []
      : keys.filter((key) => key in section).map((key) => `${path} has ${name}${key}`);
  const classes = ['durable_objects', 'workflows', 'migrations'];
  const environments = Object.entries({ ...(values['env'] as object | undefined) });
  const consumers = [{ section: values, name: '' } as { section: unknown; name: string }]
    .concat(environments.map(([name, section]) => ({ section, name: `env.${name}.` })))
    .filter(({ section }) => consumes(section))
    .map(({ name }) => `${path} has ${name}queues.consumers: the collector has no queue handler`);
  return [
    ...bound({ section: values, name: '' }, classes).map(
      (found) => `${found}: classes that the collector doesn't export`,
    ),
    ...environments
      .flatMap(([name, section]) => bound({ section, name: `env.${name}.` }, [...classes, 'main', 'build']))
      .map((found) => `${found}: not the collector's`),
    ...consumers,
  ];
}

function consumes(section: unknown): boolean {
  const { queues } = Object(section) as { queues?: { consumers?: unknown } };
  return Array.isArray(queues?.consumers) && queues.consumers.length > 0;
}

/** By the version that the source names itself, else by its package file. */
function generationOf(repository: Repository, sources: readonly string[], values: PackageValues): string {
  const text = sources.map((path) => textOf(repository, path) ?? '').join('\n');
  const stamped = /\b(?:WORKER|COLLECTOR)_?VERSION\b[^'"\n]*=\s*['"]([^'"\n]+)['"]/i.exec(text)?.[1];
  const version = stamped ?? (typeof values['version'] === 'string' ? values['version'] : null);
  if (isBefore(version, '0.3.1')) return `from before 0.3.1 (${version})`;
  if (isBefore(version, '0.4.0')) return `0.3.x (${version})`;
  if (isBefore(version, '0.5.0')) return `0.4.x (${version})`;
  return /\bworker_version\b/.test(text) ? '0.4.0 or later' : 'from before 0.4.0';
}
