/** The package as a customer gets it: packed, unpacked into a project of its own, and used. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closesAfterEach } from '../src/testing/dispose.ts';
import { startEdge } from '../src/testing/edge.ts';
import { SERVICE_HOST, SITE_HOST } from '../src/testing/internet.ts';
import { ATTRIBUTION_ID, ENV, GPTBOT } from '../src/testing/values.ts';
import { WORKER_VERSION } from '../src/version.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);
const resolve = createRequire(import.meta.url).resolve;
const closeAfter = closesAfterEach();

let project: string;
let installed: string;
let files: string[];

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'collector-package-'));
  installed = join(project, 'node_modules/@ghostlight/collector');
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

/** A Worker of the project, bundled as wrangler does it. */
async function deploy(source: string): Promise<string> {
  await writeFile(join(project, 'worker.js'), source);
  const { outputFiles } = await build({
    entryPoints: [join(project, 'worker.js')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers'],
  });
  return outputFiles[0]?.text ?? '';
}

describe('the package', () => {
  it('holds what is published and nothing else', () => {
    expect(files).toEqual([
      'LICENSE',
      'NOTICE',
      'README.md',
      'dist/ghostlight-collector.js',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/migrate.js',
      'package.json',
    ]);
  });

  it('has the version that it reports, and brings nothing else along', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(WORKER_VERSION);
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest).not.toHaveProperty(kind);
    }
    // Code that npm would run on a customer's machine.
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts).not.toHaveProperty(script);
    }
  });

  it('has nothing that publint objects to', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });
});

describe('its Worker', () => {
  it.each<[string, () => Promise<string>]>([
    ['re-exported by one line', () => deploy(`export { default } from '@ghostlight/collector';`)],
    ['pasted as one file', () => readFile(join(installed, 'dist/ghostlight-collector.js'), 'utf8')],
    [
      'around a Worker',
      () =>
        deploy(`import { withGhostlight } from '@ghostlight/collector';
          export default withGhostlight({ fetch: () => new Response('hello') });`),
    ],
  ])('reports a visit of GPTBot when it is %s', async (_, worker) => {
    const edge = closeAfter(await startEdge({ entry: await worker() }));
    const answer = await edge.visit(`https://${SITE_HOST}/pricing`, { headers: { 'user-agent': GPTBOT } });
    expect([answer.status, await answer.text()]).toEqual([200, 'hello']);
    await expect
      .poll(() => edge.internet.hits(), { timeout: 10_000 })
      .toEqual([
        expect.objectContaining({
          worker_version: WORKER_VERSION,
          attribution_id: ATTRIBUTION_ID,
          host: SITE_HOST,
          pathname: '/pricing',
          user_agent: GPTBOT,
          status: 200,
        }),
      ]);
    const posted = edge.internet.requestsTo(SERVICE_HOST).filter(({ method }) => method === 'POST');
    expect(posted.map(({ path }) => path)).toEqual(['/v1/logs/edge_worker']);
  });

  it('serves the manifest that the service has signed, and keeps it in the namespace', async () => {
    const worker = await deploy(`export { default } from '@ghostlight/collector';`);
    const env = { ...ENV, SERVICE_MANIFEST_URL: `https://${SERVICE_HOST}/api/v1/webmcp` };
    const edge = closeAfter(await startEdge({ entry: worker, env, kv: true }));
    const manifest = JSON.stringify({
      attribution_id: ATTRIBUTION_ID,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      hosts: [SITE_HOST],
      signature: 'aGVhZGVy..c2lnbmF0dXJl',
    });
    const path = `/api/v1/webmcp/${ATTRIBUTION_ID}/manifest/`;
    edge.internet.on(
      SERVICE_HOST,
      (request) => new Response(manifest, { status: request.path === path ? 200 : 404 }),
    );
    const answer = await edge.visit(`https://${SITE_HOST}/.well-known/webmcp.json`);
    expect([answer.headers.get('x-webmcp-cache'), await answer.text()]).toEqual(['MISS', manifest]);
    await expect
      .poll(async () => (await edge.kv()).get(`webmcp:v1:${ATTRIBUTION_ID}`), { timeout: 10_000 })
      .toBe(manifest);
    expect(edge.internet.requestsTo(SITE_HOST)).toEqual([]);
  });
});

describe('its types', () => {
  it('fit the platform’s, and refuse a variable of the wrong kind', async () => {
    await writeFile(
      join(project, 'worker.ts'),
      `import collector, { type CollectorEnv, WORKER_VERSION, withGhostlight } from '@ghostlight/collector';
      interface Env { SERVICE_API_KEY: string; WEBMCP_CACHE: KVNamespace; GREETING: string }
      export const alone = collector satisfies ExportedHandler<Env>;
      export default withGhostlight({
        fetch: (_request, env) => new Response(env.GREETING + WORKER_VERSION),
        scheduled: () => {},
      } satisfies ExportedHandler<Env>);
      // @ts-expect-error
      export const wrong: CollectorEnv = { SERVICE_API_KEY: 7 };
      `,
    );
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'es2024',
          lib: ['es2024'],
          module: 'es2022',
          moduleResolution: 'bundler',
          strict: true,
          noEmit: true,
          typeRoots: [dirname(dirname(resolve('@cloudflare/workers-types/package.json')))],
          types: ['workers-types'],
        },
        files: ['worker.ts'],
      }),
    );
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
    const complaints = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(complaints).toBe('');
  });
});

it('its command runs as it lies there', async () => {
  const { stdout } = await run(join(installed, 'dist/migrate.js'), ['--version']);
  expect(stdout).toContain(WORKER_VERSION);
});
