/** The package as an application gets it: what it holds, its types, and how it is loaded. What it does is tested with the real service, in tests/e2e/node.test.ts. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installNodePackage, type NodeProject } from '../../../tests/harness/node-application.ts';
import { nodesOfThisMachine } from '../../core/build/testing/nodes.ts';
import { node as source } from '../../server/src/sources/node/index.ts';
import type { Ghostlight, GhostlightOptions } from '../src/api.ts';
import { linesOf } from '../src/testing/world.ts';
import { VERSION } from '../src/version.ts';
import { makeArtefacts } from './artefacts.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const resolve = createRequire(import.meta.url).resolve;
const nodes = await nodesOfThisMachine(22);

let project: NodeProject;
beforeAll(async () => {
  project = await installNodePackage();
});
afterAll(() => project.remove());

const read = (path: string): Promise<string> => readFile(join(project.installed, path), 'utf8');

describe('the package', () => {
  it('holds what is published and nothing else', () => {
    expect(project.files).toEqual([
      ...['LICENSE', 'NOTICE', 'README.md', 'dist/index.cjs', 'dist/index.d.cts', 'dist/index.d.ts'],
      ...['dist/index.js', 'package.json'],
    ]);
  });

  it('has the version that it reports and that the service knows, and brings nothing along', async () => {
    const manifest = JSON.parse(await read('package.json'));
    expect([manifest.version, source.about.latestVersion]).toEqual([VERSION, VERSION]);
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind);
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest.scripts).not.toHaveProperty(script);
  });

  it('has nothing that publint objects to', async () => {
    const { messages } = await publint({ pkgDir: project.installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('names whose work it contains, and no path of this machine', async () => {
    const notice = await read('NOTICE');
    for (const name of ['isbot', 'structured-headers', 'http-message-sig']) expect(notice).toContain(name);
    const code = await read('dist/index.cjs');
    expect(code).not.toContain(REPOSITORY);
    expect(code).not.toMatch(/require\(|node:/);
    expect([...(await makeArtefacts())]).toEqual([...(await makeArtefacts())]);
  });
});

it.each(nodes)('is imported and required by Node $version, as one copy', async ({ path }) => {
  const code = `import { createRequire } from 'node:module';
    import { ghostlight, VERSION } from '@ghostlight/node';
    const required = createRequire(import.meta.url)('@ghostlight/node');
    console.log(JSON.stringify([VERSION, required.ghostlight === ghostlight]));`;
  await writeFile(join(project.folder, 'load.mjs'), code);
  const { stdout } = await run(path, ['load.mjs'], { cwd: project.folder });
  expect(JSON.parse(stdout)).toEqual([VERSION, true]);
});

it('holds no process that has only loaded and made it', async () => {
  const code = `import { ghostlight } from '@ghostlight/node';
    const visits = ghostlight({ url: 'https://ghostlight.example', attributionId: 'x', key: 'y', log: () => {} });
    visits.express({ headers: {} }, {}, () => console.log(JSON.stringify(visits.stats().problem)));`;
  await writeFile(join(project.folder, 'made.mjs'), code);
  const { stdout, stderr } = await run(process.execPath, ['made.mjs'], { cwd: project.folder });
  expect([JSON.parse(stdout), stderr]).toEqual(['The options can’t be used.', '']);
});

it('reports where there is no Node, as in Next’s middleware before version 16', async () => {
  const posted: string[] = [];
  const web = {
    Request,
    Response,
    Headers,
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    AbortSignal,
    crypto,
  };
  const module = { exports: {} as { ghostlight(options: GhostlightOptions): Ghostlight } };
  const fetched = async (_: unknown, init: RequestInit): Promise<Response> => {
    if (init.method !== 'POST') return new Response(null, { status: 503 });
    posted.push(String(init.body));
    return Response.json({ kept: 1, dropped: 0, duplicate: 0, rejected: 0 });
  };
  const context = createContext({ ...web, module, fetch: fetched, console, setTimeout, clearTimeout });
  runInContext(await read('dist/index.cjs'), context);
  const visits = module.exports.ghostlight({
    ...{ url: 'https://ghostlight.example', attributionId: '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01' },
    ...{ key: `svc_cf_${'k'.repeat(43)}`, log: () => {}, trustProxy: 'x-real-ip' },
  });
  const headers = { 'user-agent': 'GPTBot/1.2', host: 'shop.example' };
  const works: Promise<unknown>[] = [];
  const request = new Request('http://localhost:3000/page', { headers });
  const answer = await visits.next(request, { waitUntil: (work) => void works.push(work) });
  expect([answer, works.length]).toEqual([undefined, 1]);
  await visits.flush();
  const [line] = linesOf(posted.join(''));
  expect(line).toMatchObject({ host: 'shop.example', pathname: '/page', worker_version: VERSION });
  expect(line).not.toHaveProperty('status');
});

it('has types that fit the frameworks’, and refuses an option of the wrong kind', async () => {
  await writeFile(
    join(project.folder, 'types.ts'),
    `import { createServer } from 'node:http';
    import express from 'express';
    import Fastify from 'fastify';
    import { Hono } from 'hono';
    import Koa from 'koa';
    import { type DebugEvent, ghostlight, type Stats } from '@ghostlight/node';
    const events: DebugEvent[] = [];
    const visits = ghostlight({ url: process.env.URL, attributionId: process.env.ID, key: process.env.KEY,
      trustProxy: 'private', debug: (event) => events.push(event) });
    express().use(visits.express);
    await Fastify().register(visits.fastify);
    await Fastify({ http2: true }).register(visits.fastify);
    new Hono().use(visits.hono);
    new Hono<{ Bindings: { A: string }; Variables: { b: number } }>().use('*', visits.hono);
    new Koa().use(visits.koa);
    createServer(visits.http((_, response) => response.end()));
    export async function proxy(request: Request, event: { waitUntil(promise: Promise<unknown>): void }) {
      return visits.next(request, event);
    }
    export const { lists }: Stats = visits.stats();
    // @ts-expect-error
    ghostlight({ url: '', attributionId: '', key: '', sampleRate: '0.5' });
    `,
  );
  await writeFile(
    join(project.folder, 'required.cts'),
    `import { ghostlight } from '@ghostlight/node';\nexport const visits = ghostlight({ url: '', attributionId: '', key: '' });\n`,
  );
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['esnext'], module: 'nodenext', moduleResolution: 'nodenext' },
    ...{ strict: true, noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node'] },
  };
  const files = ['types.ts', 'required.cts'];
  await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
  const complaints = await run(process.execPath, [compiler, '-p', project.folder, '--pretty', 'false']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  expect(complaints).toBe('');
});
