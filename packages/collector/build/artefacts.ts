/** The files of the published package that are made, as a list: name → content. */
import { readFile } from 'node:fs/promises';
import { WORKER_VERSION } from '../src/version.ts';
import { bundleForEdge, bundleForNode } from './bundles.ts';
import { noticeFor } from './notice.ts';

/** The Worker alone. workerd refuses to start a main module that exports anything but handlers, such as the version. */
const WORKER_ENTRY = `export { default } from './index.ts';`;

const NAME = 'Ghostlight collector';

/** Paths relative to packages/collector. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const [door, worker, command] = await Promise.all([
    bundleForEdge(`export * from './index.ts'; export { default } from './index.ts';`),
    bundleForEdge(WORKER_ENTRY, { minify: true }),
    bundleForNode('migrate/main.ts'),
  ]);
  return new Map([
    ['dist/index.js', `${titleOf('@ghostlight/collector')}${door.code}`],
    ['dist/index.d.ts', await readFile(new URL('index.d.ts', import.meta.url), 'utf8')],
    // Minified: every isolate loads it as it was pasted. Who wants to read it reads dist/index.js.
    [
      'dist/ghostlight-collector.js',
      `${titleOf(NAME)}${worker.code}\n${asComment(noticeFor(NAME, worker.packages))}`,
    ],
    ['dist/migrate.js', `#!/usr/bin/env node\n${command.code}`],
    ['NOTICE', noticeFor(NAME, [...door.packages, ...command.packages])],
  ]);
}

/** Says on line 1 which version lies in front of a person. */
function titleOf(name: string): string {
  return `// ${name} ${WORKER_VERSION}. Apache-2.0; the works of others in it are named in its NOTICE.\n`;
}

function asComment(text: string): string {
  return `/*\n${text.replaceAll('*/', '* /')}*/\n`;
}
