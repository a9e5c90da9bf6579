/** From what was recognised to what will be done: files in, actions out. */
import { posix } from 'node:path';
import type { GitState } from './git.ts';
import { isTest } from './known-source.ts';
import { migratePackage } from './package-file.ts';
import { type OldCollector, sourcesOf } from './recognise.ts';
import { type Repository, textOf } from './repository.ts';
import { DEFAULT_ENTRY, ENTRY_TEXT } from './shape.ts';
import { planUpdateBot } from './update-bot.ts';
import { editWranglerFile, WRANGLER_FILES, WranglerFileError } from './wrangler-file.ts';

export type Action =
  | { readonly kind: 'create' | 'change'; readonly path: string; readonly text: string; readonly why: string }
  | { readonly kind: 'remove'; readonly path: string; readonly why: string };

export interface Plan {
  readonly actions: readonly Action[];
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  /** What the person should know or do afterwards. */
  readonly notes: readonly string[];
  /** Stop the migration unless it is forced. */
  readonly doubts: readonly string[];
  /** Stop it whatever is said. */
  readonly obstacles: readonly string[];
}

/** Settings of a build that is gone: wrangler would run or look for it. */
const BUILD_KEYS = ['build', 'no_bundle', 'tsconfig'];
const MAX_NAMED = 15;
const OLD_CONFIGURATION =
  /^(?:tsconfig(?:\.[\w-]+)?\.json|(?:vitest|jest)\.(?:config|workspace)\.[cm]?[jt]s|worker-configuration\.d\.ts)$/;

export function planMigration(repository: Repository, old: OldCollector, git: GitState | null): Plan {
  const obstacles: string[] = [];
  const entry = old.entry ?? DEFAULT_ENTRY;
  const migratedPackage = migratePackage(old.packageText, old.packageValues);
  const bot = planUpdateBot(repository, old.packageValues, git?.prefix ?? '');
  const write = (path: string, text: string, why: string): Action[] =>
    textOf(repository, path) === text
      ? []
      : [{ kind: repository.has(path) ? 'change' : 'create', path, text, why }];
  const wranglerActions = (): Action[] => {
    try {
      // `./src/index.ts` means the same as what we would write: left unchanged.
      const main = old.entry === null ? entry : String(old.wrangler.values['main'] ?? entry);
      const text = editWranglerFile(old.wrangler, { main, remove: BUILD_KEYS });
      return write(old.wrangler.path, text, 'the entry, and no build of its own; the rest as it is');
    } catch (error) {
      if (!(error instanceof WranglerFileError)) throw error;
      obstacles.push(error.message);
      return [];
    }
  };
  const actions: Action[] = [
    ...write(entry, ENTRY_TEXT, 'one line: re-exports the package'),
    ...write('package.json', migratedPackage.text, 'installs the collector, pinned, and wrangler'),
    ...(bot.state === 'write' ? write(bot.path, bot.text, 'weekly update pull requests') : []),
    ...wranglerActions(),
    ...removals(repository, old, entry),
  ];
  obstacles.push(...links(repository, actions));
  const changed = new Set(actions.map(({ path }) => path));
  return {
    actions,
    kept: [
      ...(changed.has(old.wrangler.path)
        ? []
        : [{ path: old.wrangler.path, why: 'variables, routes and bindings, byte for byte' }]),
      ...(bot.state === 'present'
        ? [{ path: bot.path, why: `${bot.bot} watches the package from now on` }]
        : []),
    ],
    notes: [
      ...comparison(old),
      ...old.lockfiles.flatMap(({ path, brokenBecause }) =>
        brokenBecause === null
          ? []
          : [`${path} is broken (${brokenBecause}). It will be removed; the next install writes a new one.`],
      ),
      ...(bot.state === 'by-hand'
        ? [`Add this to .github/dependabot.yml yourself, since ${bot.because}:\n${bot.entry.trimEnd()}`]
        : []),
      ...list('Scripts that would no longer run are dropped', migratedPackage.droppedScripts),
      ...list('Scripts that are replaced, since they called such', migratedPackage.replacedScripts),
      ...list('No longer installed', migratedPackage.droppedPackages),
      ...otherNotes(repository, old, migratedPackage.droppedScripts),
      ...list('Everything else stays', untouched(repository, [...changed, old.wrangler.path])),
    ],
    doubts: [...old.handMade, ...untracked(actions, git)],
    obstacles,
  };
}

/** Said, not refused: where the history doesn't tell, only the release itself could, and git brings everything back. */
function comparison({ unproven }: OldCollector): string[] {
  if (unproven.length === 0) return [];
  return [
    'CHANGES MADE BY HAND in these can’t be distinguished from the release, and would be removed with them:',
    ...unproven.map((sentence) => `  ${sentence}`),
    'To be sure, unpack that release elsewhere and pass --release=<its directory>: the differences are then listed.',
    '',
  ];
}

function removals(repository: Repository, old: OldCollector, entry: string): Action[] {
  const source = new Set(sourcesOf(repository, old.entry));
  const lockfiles = new Set(old.lockfiles.map(({ path }) => path));
  return [...repository.keys()]
    .filter((path) => path !== entry)
    .flatMap((path): Action[] => {
      if (source.has(path)) return [{ kind: 'remove', path, why: 'part of the package now' }];
      if (isTest(path)) return [{ kind: 'remove', path, why: 'tests of the old source' }];
      if (OLD_CONFIGURATION.test(path)) return [{ kind: 'remove', path, why: 'served the old source' }];
      if (lockfiles.has(path)) return [{ kind: 'remove', path, why: 'locks the old dependencies' }];
      return [];
    });
}

/** Writing through a symbolic link would leave the directory; removing a link does no harm. */
function links(repository: Repository, actions: readonly Action[]): string[] {
  const written = actions.filter(({ kind }) => kind !== 'remove').map(({ path }) => path);
  const through = new Set<string>();
  for (const path of written) {
    for (let at = path; at !== '.'; at = posix.dirname(at)) {
      if (repository.get(at)?.kind === 'symlink') through.add(at);
    }
  }
  return [...through].map((path) => `${path} is a symbolic link, which is not followed.`);
}

/** git could not bring these back. */
function untracked(actions: readonly Action[], git: GitState | null): string[] {
  if (git === null) return [];
  return actions
    .filter(({ kind, path }) => kind !== 'create' && !git.tracked.has(path))
    .map(({ path }) => `${path} is not in git, which could not bring it back`);
}

function otherNotes(repository: Repository, old: OldCollector, dropped: readonly string[]): string[] {
  const { wrangler } = old;
  const others = WRANGLER_FILES.filter((name) => name !== wrangler.path && repository.has(name));
  const triggers = wrangler.values['triggers'];
  const workflows = [...repository].filter(([path]) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path));
  const calls = new RegExp(
    `\\b(?:npm|yarn|pnpm|bun) (?:run )?(?:${['test', ...dropped.map(escaped)].join('|')})\\b`,
  );
  return [
    ...others.map((name) => `${name} is left as it is: wrangler reads ${wrangler.path} before it.`),
    ...(typeof triggers === 'object' && triggers !== null && 'crons' in triggers
      ? [
          `${wrangler.path} has cron triggers, and the collector has no scheduled handler (it renews its lists automatically): remove them.`,
        ]
      : []),
    ...workflows
      .filter(([, { text }]) => calls.test(text ?? ''))
      .map(([path]) => `${path} is left unchanged, but calls scripts that no longer exist.`),
  ];
}

/** The first of them: what a person looks for to be at ease. */
function untouched(repository: Repository, others: readonly string[]): string[] {
  const paths = [...repository.keys()].filter((path) => !others.includes(path));
  const more = paths.length - MAX_NAMED;
  return more > 0 ? [...paths.slice(0, MAX_NAMED), `${more} more`] : paths;
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w-]/g, '\\$&');
}

function list(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}: ${names.join(', ')}.`];
}

const MAX_LINES = 100;

/** The plan as the person reads it before saying yes. */
export function planText({ actions, kept, notes }: Plan): string[] {
  const rows = [
    ...actions.map(({ kind, path, why }) => ({ kind, path, why })),
    ...kept.map(({ path, why }) => ({ kind: 'keep' as const, path, why })),
  ];
  const order = ['create', 'change', 'remove', 'keep'];
  rows.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const shown = rows.slice(0, MAX_LINES);
  const width = Math.max(0, ...shown.map(({ path }) => path.length));
  return [
    ...shown.map(({ kind, path, why }) => `  ${kind.padEnd(6)}  ${path.padEnd(width)}  ${why}`),
    ...(rows.length > MAX_LINES ? [`  and ${rows.length - MAX_LINES} more`] : []),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
}
