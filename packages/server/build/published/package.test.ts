/** The npm package as its user gets it: packed, unpacked beside its dependencies alone, and started. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const BUILD = fileURLToPath(new URL('./build.ts', import.meta.url));
const run = promisify(execFile);

let project: string;
let installed: string;
let manifest: { version: string; dependencies: Record<string, string> };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'ghostlight-package-'));
  installed = join(project, 'node_modules/ghostlight');
  await mkdir(installed, { recursive: true });
  const staged = join(project, 'staged');
  await run(process.execPath, [BUILD, staged]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: staged,
    env: { ...process.env, npm_config_cache: join(project, 'npm'), npm_config_update_notifier: 'false' },
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  await run('tar', ['-xzf', join(project, packed.filename), '-C', installed, '--strip-components', '1']);
  manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(manifest.dependencies)) await depend(name);
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Only what package.json names can be found; what that needs is found where it really lies. */
async function depend(name: string): Promise<void> {
  const places = ['packages/server/node_modules', 'node_modules'].map((place) =>
    join(REPOSITORY, place, name),
  );
  const there = join(project, 'node_modules', name);
  await mkdir(dirname(there), { recursive: true });
  await symlink(places.find((place) => existsSync(place)) ?? '', there);
}

const ghostlight = (words: readonly string[], environment: Record<string, string> = {}) =>
  spawn(process.execPath, [join(installed, 'server/bin/ghostlight.js'), ...words], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: project, LISTS_REFRESH: 'off', ...environment },
  });

it('names every package that its code imports, in the version that was tested', async () => {
  const folder = join(installed, 'server/dist');
  const imported = new Set<string>();
  for (const name of await readdir(folder)) {
    const code = await readFile(join(folder, name), 'utf8');
    for (const [, ...paths] of code.matchAll(
      /^(?:import|export)\b[^'"\n;]*["']([^."'][^"']*)["'];?$|\b(?:import|__require\d*)\(["']([^."'][^"']*)["']\)/gm,
    ))
      for (const path of paths)
        if (path !== undefined && !isBuiltin(path))
          imported.add(/^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  }
  // One of each kind: of our code, of a program's, and one that is loaded late.
  expect([...imported]).toEqual(expect.arrayContaining(['pino', 'pg', 'miniflare']));
  expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining([...imported]));
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

it('has nothing that publint objects to', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
  expect(messages).toEqual([]);
});

it('brings the licences of what is in it, and no path of the machine that built it', async () => {
  const notice = await readFile(join(installed, 'NOTICE'), 'utf8');
  for (const work of ['react', 'commander', 'isbot', '@tanstack/react-query'])
    expect(notice).toMatch(new RegExp(`^(## )?${work} `, 'm'));
  for (const part of ['server/dist', 'dashboard/dist/assets', 'collector/dist', 'sdk/dist'])
    for (const name of await readdir(join(installed, part))) {
      const code = await readFile(join(installed, part, name), 'latin1');
      expect(code.includes(REPOSITORY), `${part}/${name}`).toBe(false);
    }
});

// Node compiles all of it for the first time: 30 seconds are too few on a machine under load.
it('starts the service with its dashboard and SDK, and stops in order', async () => {
  const child = ghostlight(['serve'], { DATA_DIR: join(project, 'data'), PORT: '0' });
  try {
    const { address, version } = await listening(child);
    expect(version).toBe(manifest.version);
    const get = async (path: string) => await fetch(new URL(path, address));
    expect(await (await get('/readyz')).json()).toMatchObject({ status: 'ready' });
    expect(await (await get('/')).text()).toContain('<div id="root">');
    expect((await get('/sdk.js')).headers.get('content-type')).toContain('javascript');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
  // In the repository what Node compiled lies beside the dependencies; here it must not make a folder of that name.
  expect(existsSync(join(project, 'node_modules/node_modules'))).toBe(false);
  expect(existsSync(join(project, '.cache/ghostlight'))).toBe(true);
});

/** The line of the log that says where the service listens. */
async function listening(
  child: ReturnType<typeof ghostlight>,
): Promise<{ address: string; version: string }> {
  child.stdout.resume();
  for await (const line of createInterface(child.stderr)) {
    if (!line.includes('"listening"')) continue;
    child.stderr.resume();
    return JSON.parse(line);
  }
  throw new Error('The service ended before it listened.');
}
