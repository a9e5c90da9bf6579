/** The package as a user gets it: packed, unpacked into a project of its own, and used by plain Node. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArtefacts } from '../../../scripts/write-artefacts.ts';
import workspaceForm from '../package.json' with { type: 'json' };
import { makeArtefacts } from './artefacts.ts';
import { nodesOfThisMachine } from './testing/nodes.ts';
import { startSite } from './testing/site.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const nodes = await nodesOfThisMachine(20);

let artefacts: ReadonlyMap<string, string>;
let project: string;
let installed: string;
let files: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'core-package-'));
  const dist = join(project, 'dist');
  installed = join(project, 'node_modules/@ghostlight/core');
  artefacts = await makeArtefacts();
  writeArtefacts(dist, artefacts);
  await mkdir(installed, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: dist,
    env: { ...process.env, npm_config_cache: join(project, 'npm'), npm_config_update_notifier: 'false' },
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  files = packed.files.map(({ path }) => path).sort();
  await run('tar', ['-xzf', join(project, packed.filename), '-C', installed, '--strip-components', '1']);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Code of the project, run by one of the Nodes. */
async function execute(node: string, code: string): Promise<unknown> {
  await writeFile(join(project, 'main.mjs'), code);
  const { stdout } = await run(node, ['main.mjs'], { cwd: project, maxBuffer: 16 * 1024 ** 2 });
  return JSON.parse(stdout);
}

describe('the build', () => {
  it('gives the same bytes twice, from whichever folder', async () => {
    const folder = process.cwd();
    process.chdir(tmpdir());
    try {
      expect([...(await makeArtefacts())]).toEqual([...artefacts]);
    } finally {
      process.chdir(folder);
    }
  });

  it('leaves no path of this machine, no source import and no built-in of Node in what it makes', () => {
    for (const [name, text] of artefacts) {
      expect(text, name).not.toContain(REPOSITORY);
      expect(text, name).not.toContain('file://');
      expect(text, name).not.toMatch(/from ['"](?:node:|[^'"]*\.ts['"])/);
    }
  });
});

describe('the package', () => {
  it('holds what is published and nothing else', () => {
    const chunk = /^chunks\/[0-9A-Z]{8}\.js$/;
    expect(files.filter((path) => !path.startsWith('types/') && !chunk.test(path))).toEqual([
      'LICENSE',
      'NOTICE',
      'README.md',
      'conversion.js',
      'data/bots.json',
      'data/ip-ranges.json',
      'data/referrers.json',
      'data/search-engines.json',
      'data/signature-agents.json',
      'index.js',
      'log-formats.js',
      'manifest.js',
      'package.json',
      'periods.js',
      'time.js',
    ]);
    expect(files.filter((path) => path.startsWith('types/') && !path.endsWith('.d.ts'))).toEqual([]);
    expect(files.filter((path) => path.includes('.test.'))).toEqual([]);
  });

  it('has the doors of the workspace’s form, which alone can not be published, and brings nothing along', async () => {
    const published = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(workspaceForm.private).toBe(true);
    expect([published.name, published.version]).toEqual([workspaceForm.name, workspaceForm.version]);
    expect(published).not.toHaveProperty('private');
    // The service and the collector alone read signed requests; that takes two packages of others.
    const inside = /^\.\/(?:vectors\/|signed-request$)/;
    const doors = Object.keys(workspaceForm.exports).filter((door) => !inside.test(door));
    expect(Object.keys(published.exports).sort()).toEqual([...doors, './package.json'].sort());
    for (const kind of [
      'dependencies',
      'devDependencies',
      'peerDependencies',
      'optionalDependencies',
      'scripts',
    ])
      expect(published).not.toHaveProperty(kind);
  });

  it('has nothing that publint objects to', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('ships its licence, and those of the lists', async () => {
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toContain('Apache License');
    const notice = await readFile(join(installed, 'NOTICE'), 'utf8');
    expect(notice).toContain('Copyright (c) 2024 ai.robots.txt');
    expect(notice).toContain('Permission is hereby granted');
  });
});

describe.each(nodes)('in Node $version', ({ path: node }) => {
  it('verifies as the guide for agents shows, and refuses what was tampered with', async () => {
    const example = 'verify-with-core.mjs';
    await copyFile(`${REPOSITORY}examples/verify-manifest/${example}`, join(project, example));
    const site = await startSite();
    try {
      const verify = () => run(node, [example, site.address, site.address], { cwd: project });
      expect(JSON.parse((await verify()).stdout)).toEqual(site.tools);
      site.tamper();
      const refused = (await verify().catch((error: unknown) => error)) as { code: number; stdout: string };
      expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
        1,
        expect.objectContaining({ ok: false, error: 'bad_signature' }),
      ]);
    } finally {
      await site.close();
    }
  });

  it('classifies with the lists that it brings', async () => {
    const verdicts = await execute(
      node,
      `import { classify, compileLists, embeddedLists } from '@ghostlight/core';
      const lists = compileLists(embeddedLists());
      const visit = { host: 'shop.example', referrer: '', query: new Map(), platformCategory: null, signatureAgent: '', edgeVerified: null, edgeVerifiedBy: null, sampleRate: null };
      const of = (members) => classify({ ...visit, ...members }, lists, () => false).class;
      console.log(JSON.stringify([
        of({ userAgent: 'GPTBot/1.3' }),
        of({ userAgent: 'Mozilla/5.0', referrer: 'https://chatgpt.com/' }),
        of({ userAgent: 'Mozilla/5.0' }),
      ]));`,
    );
    expect(verdicts).toEqual(['ai_bot', 'ai_referral', 'dropped']);
  });

  it('meets every vector', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { isbot } from 'isbot';
          import { embeddedLists } from '@ghostlight/core';
          import { runVectors } from './run.ts';
          import { runConversionVectors } from './run-conversion.ts';
          console.log(JSON.stringify([runVectors(embeddedLists(), isbot), runConversionVectors()]));`,
        resolveDir: `${PACKAGE}vectors`,
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['import'],
      plugins: [
        {
          name: 'published-form',
          setup: (plugins) => {
            plugins.onResolve({ filter: /^(?:\.\.\/src\/index\.ts|@ghostlight\/core)$/ }, () => ({
              path: '@ghostlight/core',
              external: true,
            }));
          },
        },
      ],
    });
    const reports = (await execute(node, outputFiles[0]?.text ?? '')) as {
      ran: number;
      failures: string[];
    }[];
    expect(reports.map(({ failures }) => failures)).toEqual([[], []]);
    expect(reports.every(({ ran }) => ran > 200)).toBe(true);
  });

  it('is one package through all its doors, lists included', async () => {
    const answer = await execute(
      node,
      `import * as whole from '@ghostlight/core';
      import * as manifest from '@ghostlight/core/manifest';
      import * as conversion from '@ghostlight/core/conversion';
      import * as formats from '@ghostlight/core/log-formats';
      import bots from '@ghostlight/core/data/bots.json' with { type: 'json' };
      const parts = Object.entries({ ...manifest, ...conversion, ...formats });
      console.log(JSON.stringify([parts.length > 50, parts.filter(([name, value]) => whole[name] !== value), bots.bots.length > 100]));`,
    );
    expect(answer).toEqual([true, [], true]);
  });
});

describe('its types', () => {
  it.each(['NodeNext', 'Bundler'])('serve a strict consumer with moduleResolution %s', async (resolution) => {
    await writeFile(
      join(project, 'consumer.ts'),
      `import { classify, compileLists, embeddedLists, type Verdict } from '@ghostlight/core';
      import { type ConversionEvent, type Reading, readConversion } from '@ghostlight/core/conversion';
      import bots from '@ghostlight/core/data/bots.json' with { type: 'json' };
      import { type VerifyOptions, verifyManifest } from '@ghostlight/core/manifest';
      const options: VerifyOptions = { host: 'shop.example', trust: [], fetchJwks: async () => ({}) };
      const answer = await verifyManifest('{}', options);
      export const tools: readonly { readonly name: string }[] = answer.ok ? answer.manifest.tools : [];
      export const error: 'expired' | undefined = !answer.ok && answer.error === 'expired' ? answer.error : undefined;
      export const token: string | undefined = bots.bots[0]?.token;
      export const reading: Reading<ConversionEvent> = readConversion('purchase', {});
      export const verdict = (hit: Parameters<typeof classify>[0]): Verdict => classify(hit, compileLists(embeddedLists()), () => false);
      // @ts-expect-error: a verifier without trusted issuers is none
      await verifyManifest('{}', { host: 'shop.example', fetchJwks: async () => ({}) });
      `,
    );
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom'],
      module: resolution === 'Bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
      resolveJsonModule: true,
      strict: true,
      // The declarations themselves are checked too.
      skipLibCheck: false,
      noEmit: true,
      types: [],
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    const compiler = join(
      dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
      'bin/tsc',
    );
    const complaints = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(complaints).toBe('');
  });
});

it('weighs in a bundle that only verifies what the README says', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { verifyManifest } from '@ghostlight/core/manifest';`, resolveDir: project },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'neutral',
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1000);
  const weight = `${kilobytes(code.length)} kB minified, ${kilobytes(gzipSync(code, { level: 9 }).length)} kB gzip`;
  expect(code.length).toBeGreaterThan(1000);
  const readme = await readFile(join(installed, 'README.md'), 'utf8');
  expect(/\d+ kB minified, \d+ kB gzip/.exec(readme)?.[0]).toBe(weight);
});
