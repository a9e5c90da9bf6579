/** The whole command on real git repositories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKER_VERSION } from '../version.ts';
import { run } from './command.ts';
import {
  command,
  commandProcess,
  commit,
  git,
  pathsIn,
  read,
  temporaryDirectories,
  writeFiles,
} from './testing/directories.ts';
import { OLD_JSONC, OLD_TOML, oldRepository } from './testing/old-repositories.ts';

const directories = temporaryDirectories();
const MIGRATED = ['.github/dependabot.yml', '.gitignore', 'README.md', 'package.json', 'src/index.ts'];
const versions = ['0.2.0', '0.3.4', '0.4.2'] as const;
const formats = ['toml', 'jsonc'] as const;
const untouched = (directory: string) => expect(git(directory, 'status', '--porcelain')).toBe('');

/** Runs what was printed, as it was printed. */
function undo(directory: string, stdout: string): void {
  execFileSync('sh', ['-c', /Until you commit, (.*) brings/.exec(stdout)?.[1] ?? 'false'], {
    cwd: directory,
  });
}

describe.each(versions)('a repository of %s', (version) => {
  it.each(formats)('with wrangler.%s becomes one that holds configuration only', async (format) => {
    const directory = directories.repository(oldRepository(version, format));
    const { code, stdout, stderr } = await command('migrate', directory, '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`(${version})`);
    expect(pathsIn(directory)).toEqual([...MIGRATED, `wrangler.${format}`].sort());
    expect(read(directory, `wrangler.${format}`)).toBe(format === 'toml' ? OLD_TOML : OLD_JSONC);
    expect(read(directory, 'src/index.ts')).toBe(`export { default } from '@ghostlight/collector';\n`);
    expect((await command('check', directory)).code).toBe(0);
  });
});

it('keeps name, scripts that still run and the indentation of the package file, and pins the collector', async () => {
  const directory = directories.repository(oldRepository('0.4.2', 'toml'));
  const { stdout } = await command('migrate', directory, '--yes');
  const text = read(directory, 'package.json');
  expect(text).toMatch(/\n\t"name"/);
  expect(JSON.parse(text)).toEqual({
    name: 'shop-collector',
    private: true,
    license: 'UNLICENSED',
    type: 'module',
    scripts: {
      check: 'ghostlight-collector check',
      predeploy: 'ghostlight-collector check',
      deploy: 'wrangler deploy',
      tail: 'wrangler tail',
      dev: 'wrangler dev',
      'deploy:staging': 'wrangler deploy --env staging',
    },
    engines: { node: '>=22.12.0' },
    allowScripts: { esbuild: true, workerd: true },
    dependencies: { '@ghostlight/collector': WORKER_VERSION },
    devDependencies: { wrangler: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
  });
  expect(stdout).toContain('no longer run are dropped: test, typecheck');
});

it('is a process, which asks no pipe and says by its exit code how it went', async () => {
  const directory = directories.repository(oldRepository('0.4.2', 'jsonc'));
  expect(await commandProcess('nonsense')).toMatchObject({ code: 2, stdout: '' });
  const asked = await commandProcess('migrate', directory);
  expect({ code: asked.code, stderr: asked.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('--yes'),
  });
  untouched(directory);
  expect(await commandProcess('migrate', directory, '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(pathsIn(directory)).toEqual([...MIGRATED, 'wrangler.jsonc'].sort());
  expect(await commandProcess('check', directory)).toMatchObject({ code: 0, stderr: '' });
});

it('has nothing to do the second time', async () => {
  const directory = directories.repository(oldRepository('0.4.2', 'jsonc'));
  await command('migrate', directory, '--yes');
  commit(directory, 'Migrate');
  const { code, stdout } = await command('migrate', directory, '--yes');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Nothing to do') });
  untouched(directory);
});

it('shows the whole plan in a dry run and changes nothing', async () => {
  const directory = directories.repository(oldRepository('0.4.2', 'toml'));
  const { code, stdout } = await command('migrate', directory, '--dry-run');
  expect(code).toBe(0);
  for (const path of [
    ...MIGRATED.filter((name) => !/README|gitignore/.test(name)),
    'src/lib/forward.ts',
    'test/fixtures/agents.txt',
    'tsconfig.json',
    'wrangler.toml',
  ]) {
    expect(stdout).toContain(path);
  }
  untouched(directory);
});

it('asks nothing without a terminal, and changes nothing', async () => {
  const directory = directories.repository(oldRepository('0.4.2', 'toml'));
  expect(await command('migrate', directory)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--yes'),
  });
  untouched(directory);
});

it.each([
  ['y', 0],
  ['YES', 0],
  ['', 1],
  ['no', 1],
  ['yesterday', 1],
])('asked, "%s" is taken as it is meant', async (answer, code) => {
  const directory = directories.repository(oldRepository('0.4.2', 'toml'));
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answer;
  };
  expect(await run(['migrate', directory], { print: () => {}, complain: () => {}, ask })).toBe(code);
  expect(questions).toEqual(['Carry this out? [y/N] ']);
  expect(git(directory, 'status', '--porcelain') === '').toBe(code === 1);
});

it('stopped half-way, can be undone by the command that it printed before', async () => {
  const inTheWay = { 'package.json.ghostlight-new': 'mine\n' };
  const files = { ...oldRepository('0.4.2', 'toml'), ...inTheWay };
  const directory = directories.repository(files);
  const { code, stdout, stderr } = await command('migrate', directory, '--yes');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('EEXIST') });
  expect(git(directory, 'status', '--porcelain')).toContain('src/index.ts');
  undo(directory, stdout);
  expect(pathsIn(directory)).toEqual(Object.keys(files).sort());
  untouched(directory);
});

it('names the broken lockfile from before 0.3.1, and no intact one', async () => {
  const broken = await command(
    'migrate',
    directories.repository(oldRepository('0.2.0', 'toml')),
    '--dry-run',
  );
  expect(broken.stdout).toContain('package-lock.json is broken (it is of release 0.2.0');
  const sound = await command('migrate', directories.repository(oldRepository('0.3.4', 'toml')), '--dry-run');
  expect(sound.stdout).not.toContain('is broken');
});

it('undoes a migration by the command that it prints', async () => {
  const files = oldRepository('0.4.2', 'toml');
  const directory = directories.repository(files);
  const { stdout } = await command('migrate', directory, '--yes');
  undo(directory, stdout);
  expect(pathsIn(directory)).toEqual(Object.keys(files).sort());
  untouched(directory);
});

describe('a repository that it had better not touch', () => {
  it('one with uncommitted work, unless it is forced', async () => {
    const directory = directories.repository(oldRepository('0.4.2', 'toml'));
    writeFiles(directory, { 'notes.txt': 'mine\n' });
    const refused = await command('migrate', directory, '--yes');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('?? notes.txt') });
    expect(read(directory, 'src/bots.ts')).toContain('gptbot');
    const forced = await command('migrate', directory, '--yes', '--force');
    expect(forced.code).toBe(0);
    // It would take along the file that was never committed.
    expect(forced.stdout).not.toContain('clean -fd');
    expect(read(directory, 'notes.txt')).toBe('mine\n');
  });

  it('one without git, unless it is forced', async () => {
    const directory = directories.make(oldRepository('0.4.2', 'toml'));
    expect(await command('migrate', directory, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a git repository'),
    });
    expect((await command('migrate', directory, '--yes', '--force')).code).toBe(0);
    expect(pathsIn(directory)).toEqual([...MIGRATED, 'wrangler.toml'].sort());
  });

  it('one with a file of its own among the source', async () => {
    const directory = directories.repository({
      ...oldRepository('0.4.2', 'toml'),
      'src/redirects.ts': 'export const old = {};\n',
    });
    const refused = await command('migrate', directory, '--yes');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('src/redirects.ts is no file of a collector release'),
    });
    expect(refused.stderr).toContain('withGhostlight(handler)');
    untouched(directory);
    expect((await command('migrate', directory, '--yes', '--force')).code).toBe(0);
    expect(pathsIn(directory)).not.toContain('src/redirects.ts');
  });

  it('one whose source was changed by hand, named with the commit', async () => {
    const directory = directories.repository(oldRepository('0.4.2', 'toml'));
    writeFiles(directory, { 'src/bots.ts': 'export const bots = /gptbot|ourbot/i;\n' });
    commit(directory, 'Count our own bot');
    const { code, stderr } = await command('migrate', directory, '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/src\/bots\.ts was changed by commit [0-9a-f]+ Count our own bot/);
  });

  it('one whose source was changed together with a dependency', async () => {
    const files = oldRepository('0.4.2', 'toml');
    const directory = directories.repository(files);
    writeFiles(directory, {
      'src/bots.ts': 'export const bots = /gptbot|ourbot/i;\n',
      'package.json': files['package.json']?.replace('"isbot": "5.1.0"', '"isbot": "5.1.1"') ?? '',
    });
    commit(directory, 'Bump isbot');
    const { code, stderr } = await command('migrate', directory, '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/src\/bots\.ts was changed by commit [0-9a-f]+ Bump isbot/);
  });

  it('one whose source was changed in its first commit, where the release is there to compare with', async () => {
    const files = oldRepository('0.4.2', 'toml');
    const release = directories.make(files);
    const changed = { ...files, 'src/bots.ts': 'export const bots = /gptbot|ourbot/i;\n' };
    const directory = directories.repository({ ...changed, 'src/cache.ts': 'export const mine = 1;\n' });
    const alone = await command('migrate', directory, '--dry-run');
    expect(alone.stdout).toMatch(
      /CHANGES MADE BY HAND.*\n +\d source files as of commit [0-9a-f]+ Initial commit/,
    );
    const { code, stderr } = await command('migrate', directory, '--yes', `--release=${release}`);
    expect(code).toBe(1);
    expect(stderr).toContain('src/bots.ts differs from the release');
    expect(stderr).toContain('src/cache.ts is not in the release');
    expect(stderr).not.toContain('src/classify.ts');
    untouched(directory);
    const same = directories.repository({ ...files, 'src/bots.ts': `\ufeff${files['src/bots.ts']}` });
    expect(await command('migrate', same, '--yes', `--release=${release}`)).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('BY HAND'),
    });
    expect(await command('migrate', directory, '--release=/nowhere')).toMatchObject({ code: 1 });
  });

  it('a shallow clone, whose history tells nothing', async () => {
    const origin = directories.repository(oldRepository('0.4.2', 'toml'));
    writeFiles(origin, { 'src/bots.ts': 'export const bots = /gptbot|ourbot/i;\n' });
    commit(origin, 'Count our own bot');
    const directory = directories.make({});
    git(directory, 'clone', '-q', '--depth=1', `file://${origin}`, '.');
    const { code, stderr } = await command('migrate', directory, '--yes');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('git fetch --unshallow') });
    untouched(directory);
  });

  it.each(['', 'env.production.'])('one that consumes a queue (%s)', async (environment) => {
    const toml = `${OLD_TOML}\n[[${environment}queues.consumers]]\nqueue = "orders"\n`;
    const directory = directories.repository({ ...oldRepository('0.4.2', 'toml'), 'wrangler.toml': toml });
    expect(await command('migrate', directory, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`wrangler.toml has ${environment}queues.consumers`),
    });
    untouched(directory);
  });

  it('but one upgraded by copying a later release over it is the collector’s own', async () => {
    const directory = directories.repository(oldRepository('0.3.4', 'toml'));
    writeFiles(directory, oldRepository('0.4.2', 'toml'));
    commit(directory, 'Upgrade the collector');
    expect(await command('migrate', directory, '--yes')).toMatchObject({ code: 0, stderr: '' });
  });

  it('one whose files git does not have', async () => {
    const files = oldRepository('0.4.2', 'toml');
    const directory = directories.repository({ ...files, '.gitignore': 'src/cache.ts\n' });
    writeFiles(directory, { 'src/cache.ts': 'export const kept = 1;\n' });
    expect(await command('migrate', directory, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('src/cache.ts is not in git'),
    });
  });

  it('one that exports classes which the platform has bound', async () => {
    const files = oldRepository('0.4.2', 'toml');
    const bound = `${OLD_TOML}\n[[durable_objects.bindings]]\nname = "CARTS"\nclass_name = "Carts"\n`;
    const directory = directories.repository({ ...files, 'wrangler.toml': bound });
    expect((await command('migrate', directory, '--yes')).stderr).toContain(
      'wrangler.toml has durable_objects',
    );
  });

  it('one with an environment that has an entry of its own', async () => {
    const toml = `${OLD_TOML}\n[env.staging]\nmain = "src/staging.ts"\n`;
    const directory = directories.repository({ ...oldRepository('0.4.2', 'toml'), 'wrangler.toml': toml });
    expect((await command('migrate', directory, '--yes')).stderr).toContain(
      'wrangler.toml has env.staging.main',
    );
  });

  it('one whose git can’t be asked', async () => {
    const directory = directories.make({ ...oldRepository('0.4.2', 'toml'), '.git': 'gitdir: /nowhere\n' });
    const { code, stderr } = await command('migrate', directory, '--yes', '--force');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('git rev-parse failed') });
  });

  it('one whose files are symbolic links, forced or not', async () => {
    const outside = directories.make({ 'entry.ts': '// theirs\n' });
    const { 'src/index.ts': _, ...files } = oldRepository('0.4.2', 'toml');
    const directory = directories.make(files);
    symlinkSync(join(outside, 'entry.ts'), join(directory, 'src/index.ts'));
    git(directory, 'init', '-q');
    commit(directory, 'Initial commit');
    const { code, stderr } = await command('migrate', directory, '--yes', '--force');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('src/index.ts is a symbolic link'),
    });
    expect(read(outside, 'entry.ts')).toBe('// theirs\n');
  });

  it('one whose source folder is a link to elsewhere', async () => {
    const outside = directories.make({ 'index.ts': '// theirs\n' });
    const files = Object.entries(oldRepository('0.4.2', 'toml')).filter(([path]) => !path.startsWith('src/'));
    const directory = directories.make(Object.fromEntries(files));
    symlinkSync(outside, join(directory, 'src'));
    const { code, stderr } = await command('migrate', directory, '--yes', '--force');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('symbolic link') });
    expect(pathsIn(outside)).toEqual(['index.ts']);
  });

  it.each([
    ['without a wrangler file', { 'wrangler.toml': null }, 'no wrangler.jsonc'],
    ['without a package file', { 'package.json': null }, 'no package.json'],
    ['that is no TOML', { 'wrangler.toml': 'main = \n' }, 'wrangler.toml:1 is no TOML'],
    [
      'that is another Worker',
      { 'wrangler.toml': 'name = "x"\nmain = "src/x.ts"\n', 'src/index.ts': '', 'src/lib/forward.ts': '' },
      'This is not a collector',
    ],
    [
      'that uses the package without installing it',
      { 'src/index.ts': `import { withGhostlight } from '@ghostlight/collector';\n` },
      'npm install --save-exact',
    ],
    [
      'whose entry is elsewhere',
      { 'wrangler.toml': OLD_TOML.replace('src/index.ts', '../index.ts') },
      'outside of this directory',
    ],
  ])('one %s', async (_, change, sentence) => {
    const files = Object.entries({ ...oldRepository('0.4.2', 'toml'), ...change });
    const directory = directories.repository(
      Object.fromEntries(files.filter((file): file is [string, string] => file[1] !== null)),
    );
    const { code, stderr } = await command('migrate', directory, '--yes', '--force');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) });
    untouched(directory);
  });

  it('a directory that is not there', async () => {
    expect(await command('migrate', '/nowhere/at/all')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not a directory'),
    });
  });
});

describe('what differs from repository to repository', () => {
  it('in a monorepo only its own directory is touched, and the update bot is left to its owner', async () => {
    const files = Object.entries(oldRepository('0.4.2', 'jsonc')).map(
      ([path, text]) => [`edge/${path}`, text] as const,
    );
    const directory = directories.repository({
      ...Object.fromEntries(files),
      'src/shop.ts': '// the shop\n',
      'package.json': '{"workspaces":["edge"]}\n',
    });
    const { code, stdout } = await command('migrate', join(directory, 'edge'), '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('directory: "/edge"');
    expect(git(directory, 'status', '--porcelain', '--', ':!edge')).toBe('');
    expect(pathsIn(join(directory, 'edge'))).toEqual([...MIGRATED.slice(1), 'wrangler.jsonc'].sort());
  });

  it('an entry that was built is replaced by one that is not, and its build goes', async () => {
    const toml = `${OLD_TOML.replace('src/index.ts', './dist/worker.js')}\n[build]\ncommand = "npm run build"\n`;
    const directory = directories.repository({ ...oldRepository('0.4.2', 'toml'), 'wrangler.toml': toml });
    expect(await command('migrate', directory, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(read(directory, 'wrangler.toml')).toBe(`${OLD_TOML.replace('src/index.ts', 'src/index.js')}\n`);
    expect(pathsIn(directory)).toContain('src/index.js');
    expect(pathsIn(directory)).not.toContain('src/index.ts');
  });

  it('lockfiles of other package managers go, and the next step is theirs', async () => {
    const { 'package-lock.json': _, ...files } = oldRepository('0.4.2', 'toml');
    const directory = directories.repository({ ...files, 'pnpm-lock.yaml': 'lockfileVersion: 9\n' });
    expect((await command('migrate', directory, '--yes')).stdout).toContain('pnpm install');
    expect(pathsIn(directory)).not.toContain('pnpm-lock.yaml');
  });

  it('the next step is that of the monorepo around it', async () => {
    const { 'package-lock.json': _, ...files } = oldRepository('0.4.2', 'toml');
    const inside = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`apps/edge/${path}`, text] as const),
    );
    for (const top of [
      { 'pnpm-lock.yaml': 'lockfileVersion: 9\n' },
      { 'package.json': '{"packageManager":"pnpm@10.2.0"}\n' },
    ]) {
      const directory = directories.repository({ ...inside, ...(top as Record<string, string>) });
      const { stdout } = await command('migrate', join(directory, 'apps/edge'), '--yes');
      expect(stdout).toContain('pnpm install');
      expect(stdout).toContain('Node 22.12');
    }
  });

  it('source beside src/ goes too, where the old source used it', async () => {
    const files = oldRepository('0.4.2', 'toml');
    const beside = {
      'src/bots.ts': `import { list } from '../lib/lists.js';\nexport const bots = /gptbot/i;\n`,
      'lib/lists.ts': `export { hosts } from './referrers';\n`,
      'lib/referrers.ts': 'export const hosts = [];\n',
      'lib/notes.ts': 'export const ours = 1;\n',
    };
    const directory = directories.repository({ ...files, ...beside });
    expect(await command('migrate', directory, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(pathsIn(directory)).toEqual([...MIGRATED, 'lib/notes.ts', 'wrangler.toml'].sort());
  });

  it.each(formats)('a byte order mark before wrangler.%s is read over and kept', async (format) => {
    const files = oldRepository('0.4.2', format);
    const path = `wrangler.${format}`;
    const text = `\ufeff${files[path]?.replace('src/index.ts', 'dist/worker.js')}`;
    const manifest = `\ufeff${files['package.json']}`;
    const directory = directories.repository({ ...files, [path]: text, 'package.json': manifest });
    expect(await command('migrate', directory, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(read(directory, path)).toBe(text.replace('dist/worker.js', 'src/index.js'));
    expect((await command('check', directory)).code).toBe(0);
  });

  it('what it creates is undone too, where git would not see it', async () => {
    const files = oldRepository('0.4.2', 'toml');
    const toml = OLD_TOML.replace('src/index.ts', 'dist/worker.js');
    const all = { ...files, 'wrangler.toml': toml, '.gitignore': '*.js\n.github\n' };
    const directory = directories.repository(all);
    const { stdout } = await command('migrate', directory, '--yes');
    expect(pathsIn(directory)).toContain('src/index.js');
    undo(directory, stdout);
    expect(pathsIn(directory)).toEqual(Object.keys(all).sort());
  });

  it('an update bot that is there is completed or left alone', async () => {
    const dependabot =
      'version: 2\nupdates:\n    - package-ecosystem: docker # ours\n      directory: /\n      schedule: {interval: daily}\n';
    const completed = directories.repository({
      ...oldRepository('0.4.2', 'toml'),
      '.github/dependabot.yml': dependabot,
    });
    await command('migrate', completed, '--yes');
    expect(read(completed, '.github/dependabot.yml')).toBe(
      `${dependabot}    - package-ecosystem: "npm"\n      directory: "/"\n      schedule:\n        interval: "weekly"\n`,
    );
    const renovate = directories.repository({ ...oldRepository('0.4.2', 'toml'), 'renovate.json': '{}\n' });
    expect((await command('migrate', renovate, '--yes')).stdout).toMatch(/keep +renovate\.json/);
    expect(pathsIn(renovate)).not.toContain('.github/dependabot.yml');
  });

  it('cron triggers, workflows and a second wrangler file are spoken of, not touched', async () => {
    const workflow = 'on: push\njobs: {a: {steps: [{run: npm test}]}}\n';
    const directory = directories.repository({
      ...oldRepository('0.4.2', 'jsonc'),
      'wrangler.jsonc': OLD_JSONC.replace('"vars"', '"triggers": { "crons": ["0 */6 * * *"] },\n  "vars"'),
      'wrangler.toml': 'name = "older"\n',
      '.github/workflows/ci.yml': workflow,
    });
    const { stdout } = await command('migrate', directory, '--yes');
    expect(stdout).toContain('has cron triggers');
    expect(stdout).toContain('.github/workflows/ci.yml is left unchanged');
    expect(stdout).toContain('wrangler.toml is left as it is');
    expect(read(directory, '.github/workflows/ci.yml')).toBe(workflow);
  });

  it('secrets on disk and installed packages are neither read nor removed', async () => {
    const directory = directories.repository(oldRepository('0.4.2', 'toml'));
    writeFileSync(join(directory, '.dev.vars'), 'SERVICE_API_KEY=svc_cf_secret\n');
    mkdirSync(join(directory, 'node_modules/src'), { recursive: true });
    writeFileSync(join(directory, 'node_modules/src/index.ts'), '');
    const { stdout } = await command('migrate', directory, '--yes');
    expect(stdout).not.toContain('svc_cf_');
    expect(pathsIn(directory)).toEqual(expect.arrayContaining(['.dev.vars', 'node_modules/src/index.ts']));
  });

  it('a folder that still holds something of its owner’s stays', async () => {
    const built = { 'src/lib/dist/report.txt': 'ours\n' };
    const directory = directories.repository({ ...oldRepository('0.4.2', 'toml'), ...built });
    await command('migrate', directory, '--yes');
    expect(pathsIn(directory)).toEqual([...MIGRATED, ...Object.keys(built), 'wrangler.toml'].sort());
  });
});

it('says what it knows and how it is used', async () => {
  expect(await command('--version')).toMatchObject({ code: 0, stdout: `${WORKER_VERSION}\n` });
  expect(await command()).toMatchObject({ code: 0, stdout: expect.stringContaining('migrate') });
  expect(await command('migrate', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--dry-run'),
  });
  expect(await command('deploy')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no command "deploy"'),
  });
  expect(await command('migrate', '--yess')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yess'),
  });
  expect(await command('check', 'a', 'b')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('one directory'),
  });
});
