/** The package as an administrator gets it: packed, unpacked, and run by plain Node. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lines } from '../src/testing/run.ts';
import { FakeService } from '../src/testing/service.ts';
import { VERSION } from '../src/version.ts';
import { makeArtefacts } from './artefacts.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

let project: string;
let installed: string;
let files: string[];
let service: FakeService;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'tail-package-'));
  installed = join(project, 'node_modules/ghostlight-tail');
  await mkdir(installed, { recursive: true });
  await run(process.execPath, [join(PACKAGE, 'build/build.ts')]);
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const { stdout } = await run('npm', pack, {
    cwd: PACKAGE,
    env: { ...process.env, npm_config_cache: join(project, 'npm'), npm_config_update_notifier: 'false' },
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  files = packed.files.map(({ path }) => path).sort();
  await run('tar', ['-xzf', join(project, packed.filename), '-C', installed, '--strip-components', '1']);
  service = await new FakeService().start();
});
afterAll(async () => {
  await service.close();
  await rm(project, { recursive: true, force: true });
});

const command = () => join(installed, 'dist/ghostlight-tail.js');
const environment = () => ({
  PATH: process.env['PATH'],
  GHOSTLIGHT_KEY: 'gl_test_key',
  XDG_STATE_HOME: join(project, 'state'),
});

describe('the package', () => {
  it('holds what is published and nothing else', () => {
    expect(files).toEqual(['LICENSE', 'NOTICE', 'README.md', 'dist/ghostlight-tail.js', 'package.json']);
  });

  it('has the version that it tells, and brings nothing along', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(VERSION);
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind);
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts).not.toHaveProperty(script);
    expect((await run(process.execPath, [command(), '--version'])).stdout).toBe(`${VERSION}\n`);
  });

  it('has nothing that publint objects to', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('names whose work it contains, and no path of this machine', async () => {
    expect(await readFile(join(installed, 'NOTICE'), 'utf8')).toContain('isbot');
    const code = await readFile(command(), 'utf8');
    expect(code).not.toContain(REPOSITORY);
    expect(code).not.toContain('file://');
    expect([...(await makeArtefacts())]).toEqual([...(await makeArtefacts())]);
  });
});

describe('its command', () => {
  it('follows a log, and at SIGTERM sends what it has and keeps the position', async () => {
    const log = join(project, 'access.log');
    writeFileSync(log, lines(0, 5));
    const words = ['tail', log, '--to', service.address, '--host', 'a.example', '--from', 'start'];
    let written = 5;
    do {
      const child = spawn(process.execPath, [command(), ...words], {
        env: environment(),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await expect.poll(() => service.visits().length).toBe(written);
      appendFileSync(log, lines(written, 5));
      written += 5;
      // Read, and not yet due to be sent; where the machine was too busy to read it, the next command finds it.
      await new Promise((resolve) => setTimeout(resolve, 600));
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    } while (service.visits().length < written && written < 50);
    expect(service.visits()).toHaveLength(written);
    const { stderr } = await run(process.execPath, [command(), ...words, '--once'], { env: environment() });
    expect(stderr).toContain('0 lines read');
  });

  it('imports once what it imports twice, killed on its way or not', async () => {
    service.taken.clear();
    const log = join(project, 'old.log');
    writeFileSync(log, lines(0, 10_000));
    const words = ['import', log, '--to', service.address, '--host', 'a.example', '--yes'];
    const ids = () => new Set(service.visits().map(({ request_id }) => request_id)).size;
    let posts = 0;
    const child = spawn(process.execPath, [command(), ...words], { env: environment(), stdio: 'ignore' });
    // Taken, and killed before the sender knows.
    service.answer = () => {
      posts += 1;
      if (posts === 2) child.kill('SIGKILL');
      return undefined;
    };
    await once(child, 'exit');
    expect(ids()).toBeGreaterThan(0);
    expect(ids()).toBeLessThan(10_000);
    for (let turn = 0; turn < 2; turn += 1) {
      await run(process.execPath, [command(), ...words], { env: environment() });
      expect(ids()).toBe(10_000);
    }
  });
});
