/**
 * The collector compiled as a customer's repository compiles it: with the platform's own ambient types, and without Node's. In this
 * workspace the two can't stand side by side, so the compiler runs on a program of its own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { SOURCE_ROOT } from './testing/bundle.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const directories: string[] = [];

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

/** @returns the compiler's complaints about `source` itself, empty where there are none: our files are compiled before a customer has them */
async function complaintsAbout(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'collector-types-'));
  directories.push(directory);
  await writeFile(join(directory, 'deployed.mts'), source);
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      extends: join(SOURCE_ROOT, '../../../tsconfig.base.json'),
      compilerOptions: {
        typeRoots: [dirname(dirname(require.resolve('@cloudflare/workers-types/package.json')))],
        types: ['workers-types'],
      },
      files: ['deployed.mts'],
    }),
  );
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  try {
    await run(process.execPath, [compiler, '-p', directory, '--pretty', 'false'], { timeout: 60_000 });
    return '';
  } catch (error) {
    const lines = (error as { stdout: string }).stdout.split('\n');
    return lines.filter((line) => line.includes('deployed.mts(')).join('\n');
  }
}

it.each(['docs/collector.md', 'packages/collector/README.md'])(
  'the TypeScript of %s compiles under strict rules',
  async (document) => {
    const text = await readFile(join(SOURCE_ROOT, '../../..', document), 'utf8');
    const samples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
    expect(samples).not.toEqual([]);
    for (const sample of samples) {
      const source = sample.replaceAll("'@ghostlight/collector'", `'${SOURCE_ROOT}/index.ts'`);
      expect(await complaintsAbout(source)).toBe('');
    }
  },
);

const IMPORTS = `import worker, { type CollectorEnv, withGhostlight, WORKER_VERSION } from '${SOURCE_ROOT}/index.ts';
import { WorkerEntrypoint } from 'cloudflare:workers';
interface Env extends CollectorEnv { readonly GREETING: string; readonly WEBMCP_CACHE: KVNamespace }
`;

it('the collector is a Worker to the platform, and withGhostlight keeps the type of what it wraps', async () => {
  const source = `${IMPORTS}
export default worker satisfies ExportedHandler<CollectorEnv>;
export const version: string = WORKER_VERSION;
export const wrapped: ExportedHandler<Env> = withGhostlight({
  async fetch(request, env, ctx) {
    ctx.waitUntil(Promise.resolve());
    return new Response(env.GREETING + request.cf?.country);
  },
  async scheduled(event) { event.noRetry(); },
} satisfies ExportedHandler<Env>);
export const Entrypoint: new (ctx: ExecutionContext, env: Env) => WorkerEntrypoint<Env> = withGhostlight(
  class extends WorkerEntrypoint<Env> {
    override fetch() { return new Response(this.env.GREETING); }
  },
);`;
  expect(await complaintsAbout(source)).toBe('');
});

it('a binding of the wrong kind is found when it is compiled, not when an agent asks', async () => {
  const source = `${IMPORTS}
declare const ctx: ExecutionContext;
void worker.fetch(new Request('https://shop.example/'), { WEBMCP_CACHE: 'a name' }, ctx);`;
  expect(await complaintsAbout(source)).toContain('KvNamespace');
});
