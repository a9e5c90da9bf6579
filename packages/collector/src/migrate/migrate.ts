/** `migrate`: look, plan, show, ask, write. */
import { realpath, stat } from 'node:fs/promises';
import { applyActions } from './apply.ts';
import type { MigrateArguments } from './arguments.ts';
import { type GitState, readGitState } from './git.ts';
import { packageManager } from './package-manager.ts';
import { type Plan, planMigration, planText } from './plan.ts';
import { recognise } from './recognise.ts';
import { type Repository, readRepository } from './repository.ts';
import type { Terminal } from './terminal.ts';

/** @returns the exit code: 0 done, nothing to do, or a dry run of what would be done; 1 refused */
export async function migrate(wanted: MigrateArguments, terminal: Terminal): Promise<number> {
  const directory = await realpath(wanted.directory).catch(() => null);
  if (directory === null || !(await stat(directory)).isDirectory()) {
    terminal.complain(`${wanted.directory} is not a directory.`);
    return 1;
  }
  const git = await readGitState(directory);
  const repository = await readRepository(directory);
  const release = wanted.release === null ? null : await readRelease(wanted.release);
  if (release === 'missing') {
    terminal.complain(`${wanted.release} is not a directory: name the unpacked source of the release.`);
    return 1;
  }
  const recognised = recognise(repository, git, release);
  if (recognised.state === 'refused') {
    terminal.complain(recognised.because);
    return 1;
  }
  if (recognised.state === 'migrated') {
    terminal.print(`Nothing to do: ${recognised.entry} already uses the package (${recognised.pinned}).`);
    return 0;
  }
  const manager = await packageManager(directory, repository);
  const plan = planMigration(repository, recognised, git);
  terminal.print(`${directory}: a collector ${recognised.generation}, with its full source.\n`);
  for (const line of planText(plan)) terminal.print(line);
  terminal.print('');
  const refusals = refuse(plan, git, wanted);
  if (refusals.length > 0) {
    for (const line of refusals) terminal.complain(line);
    return 1;
  }
  if (wanted.dryRun) {
    terminal.print('Nothing was changed: this was a dry run.');
    return 0;
  }
  if (!wanted.yes) {
    if (terminal.ask === null) {
      terminal.complain(
        'There is no terminal to ask at: pass --yes to carry it out, or --dry-run to look only.',
      );
      return 1;
    }
    if (!/^y(es)?$/i.test((await terminal.ask('Carry this out? [y/N] ')).trim())) {
      terminal.print('Nothing was changed.');
      return 1;
    }
  }
  if (git !== null && git.uncommitted.length === 0) {
    terminal.print(`Until you commit, ${restore(directory, plan)} brings everything back.`);
  }
  await applyActions(directory, plan.actions);
  for (const line of nextSteps(manager, git)) terminal.print(line);
  return 0;
}

function refuse(plan: Plan, git: GitState | null, { force }: MigrateArguments): string[] {
  if (plan.obstacles.length > 0) return [...plan.obstacles];
  if (force) return [];
  if (git === null)
    return [
      'This is not a git repository, so the migration could not be undone. Commit it first, or pass --force.',
    ];
  if (git.shallow) {
    return [
      'This is a shallow clone: its history does not show which source was changed by hand.',
      'Fetch all of it first: git fetch --unshallow (or pass --force).',
    ];
  }
  if (git.uncommitted.length > 0) {
    return [
      `Commit or stash these first, so that git can bring everything back (or say --force):`,
      ...git.uncommitted.slice(0, MAX_LISTED).map((line) => `  ${line}`),
      ...more(git.uncommitted.length),
    ];
  }
  if (plan.doubts.length === 0) return [];
  return [
    'These would be lost, and are not the collector’s own:',
    ...plan.doubts.slice(0, MAX_LISTED).map((line) => `  ${line}`),
    ...more(plan.doubts.length),
    'Code of your own can go on: npm install --save-exact @ghostlight/collector, and let the entry',
    'export default withGhostlight(handler) instead of the old collector. Or pass --force to remove it.',
  ];
}

const MAX_LISTED = 20;

function more(count: number): string[] {
  return count > MAX_LISTED ? [`  and ${count - MAX_LISTED} more`] : [];
}

/** Only where the tree was clean: `clean` would take along what was never committed. */
function restore(directory: string, { actions }: Plan): string {
  const git = `git -C ${quoted(directory)}`;
  const created = actions.filter(({ kind }) => kind === 'create').map(({ path }) => quoted(path));
  // Ignored ones, too: a rule such as `*.js` would hide what was made.
  const removal = created.length === 0 ? '' : ` && ${git} clean -fdx -- ${created.join(' ')}`;
  return `${git} restore --staged --worktree . && ${git} clean -fd .${removal}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

async function readRelease(directory: string): Promise<Repository | 'missing'> {
  const path = await realpath(directory).catch(() => null);
  return path === null || !(await stat(path)).isDirectory() ? 'missing' : await readRepository(path);
}

function nextSteps(manager: string, git: GitState | null): string[] {
  return [
    '',
    'Migrated. Next, with Node 22.12 or later, which wrangler needs:',
    `  ${manager} install          writes a new lockfile; commit it`,
    `  ${manager} run check        names what is open in the wrangler file`,
    ...(git === null ? [] : ['  git add -A && git diff --cached   shows what was changed and created']),
    `  ${manager} run deploy       secrets, routes and bindings on the platform stay as they are`,
  ];
}
