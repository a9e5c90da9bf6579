/** The files of the published package that are made, as a list: name → content. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { WORKER_VERSION } from '../src/version.ts';
import { bundleForEdge, bundleForNode } from './bundles.ts';
import { noticeFor } from './notice.ts';

/** The Worker alone. workerd refuses to start a main module that exports anything but handlers, such as the version. */
const WORKER_ENTRY = `export { default } from './index.ts';`;

/** Paths relative to packages/collector. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const [door, worker, command] = await Promise.all([
    bundleForEdge(`export * from './index.ts'; export { default } from './index.ts';`),
    bundleForEdge(WORKER_ENTRY),
    bundleForNode('migrate/main.ts'),
  ]);
  return new Map([
    ['dist/index.js', `${titleOf('@ghostlight/collector')}${door.code}`],
    ['dist/index.d.ts', await readFile(new URL('index.d.ts', import.meta.url), 'utf8')],
    // Readable and not minified: who pastes code into an account wants to see what it does, and the editor takes megabytes.
    [
      'dist/ghostlight-collector.js',
      `${titleOf('Ghostlight collector')}${worker.code}\n${asComment(noticeFor(worker.packages))}`,
    ],
    ['dist/migrate.js', `#!/usr/bin/env node\n${command.code}`],
    ['NOTICE', noticeFor([...door.packages, ...command.packages])],
  ]);
}

/** What the platform loads when the Worker is deployed minified: the bytes that the goal of 30 kB is about. */
export async function deployedSize(): Promise<number> {
  const { code } = await bundleForEdge(WORKER_ENTRY, { minify: true });
  return gzipSync(code, { level: 9 }).length;
}

/** Says on line 1 which version lies in front of a person. */
function titleOf(name: string): string {
  return `// ${name} ${WORKER_VERSION}. Apache-2.0; the works of others in it are named in its NOTICE.\n`;
}

function asComment(text: string): string {
  return `/*\n${text.replaceAll('*/', '* /')}*/\n`;
}
