/** The package as a customer gets it: packed, unpacked into a project of its own, and used. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../src/version.ts';
import { makeArtefacts, transferSize } from './artefacts.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const resolve = createRequire(import.meta.url).resolve;

let project: string;
let installed: string;
let files: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'sdk-package-'));
  installed = join(project, 'node_modules/@ghostlight/sdk');
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
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the script', () => {
  // A goal of the design: what every visitor of every customer loads.
  it('is at most 3 KiB on its way', async () => {
    const script = await readFile(join(installed, 'dist/sdk.js'), 'utf8');
    expect(transferSize(script)).toBeLessThanOrEqual(3_072);
    expect(script).not.toContain('use strict');
  });

  it('comes out of the same sources as the same bytes', async () => {
    expect(await makeArtefacts()).toEqual(await makeArtefacts());
  });
});

describe('the package', () => {
  it('holds what is published and nothing else', () => {
    expect(files).toEqual([
      'LICENSE',
      'README.md',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/sdk.js',
      'package.json',
    ]);
  });

  it('names the version that its events name, and depends on nothing', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(VERSION);
    expect(manifest).not.toHaveProperty('dependencies');
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts).not.toHaveProperty(script);
    }
  });

  it('has nothing that publint objects to', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('may be imported and called where pages are rendered, and keeps nothing there', async () => {
    const door = JSON.stringify(pathToFileURL(join(installed, 'dist/index.js')).href);
    const script = `import * as sdk from ${door};
      sdk.init({ attributionId: 'a', endpoint: 'https://x.example' });
      for (let i = 0; i < 100; i++) sdk.track('purchase', { conversion_id: '1', value: 1, currency: 'EUR' });
      console.log(JSON.stringify([sdk.getVisitorId(), sdk.getSessionId(), sdk.getConsent() ?? null, sdk.VERSION]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(JSON.parse(stdout)).toEqual(['', '', null, VERSION]);
  });

  it('has types that know the fields of each event', async () => {
    await writeFile(
      join(project, 'page.ts'),
      `import { getVisitorId, type Ghostlight, init, ready, setConsent, track } from '@ghostlight/sdk';
      init({ attributionId: 'a', endpoint: 'https://x.example', consent: { analytics: true } });
      track('purchase', { conversion_id: 'o1', value: '9.90', currency: 'EUR', products: [{ id: 'p', quantity: 2 }], mine: 1 });
      track('generate_lead');
      track('sign_up', { method: 'form' });
      track('anything', { at: 'all' });
      setConsent({ advertising: false });
      export const id: string = await getVisitorId();
      export const loaded: Promise<Ghostlight> = ready((ghostlight) => ghostlight.page());
      // @ts-expect-error
      track('purchase', { value: 1, currency: 'EUR' });
      // @ts-expect-error
      track('purchase');
      // @ts-expect-error
      init({ endpoint: 'https://x.example' });
      // @ts-expect-error
      setConsent({ analytics: 'granted' });
      `,
    );
    const options = {
      target: 'es2022',
      lib: ['es2022', 'dom'],
      module: 'es2022',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      types: [],
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['page.ts'] }),
    );
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
    const complaints = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(complaints).toBe('');
  });
});
